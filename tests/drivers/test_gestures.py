"""What edges say: taps, holds, bounces."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.gestures import Change, Edge, Gestures, SeatInput, Senses
from table.answers import Ignored
from table.events import (
    Call,
    ClaimPressed,
    DiscardPressed,
    DiscardReleased,
    HuDeclared,
    Observed,
    RefereeCalled,
    SeatEvent,
    TileDrawn,
)
from table.moment import Interval, Moment, Quality
from table.seat import Seat

FULL = Senses(releases=True, debounce=timedelta(milliseconds=10))
PRESSES_ONLY = Senses(releases=False, debounce=timedelta(milliseconds=10))
DOWN, UP, HELD = Change.DOWN, Change.UP, Change.HELD
DISCARD, CLAIM, DRAW = SeatInput.DISCARD, SeatInput.CLAIM, SeatInput.DRAW


def _ms(count: int) -> timedelta:
    return timedelta(milliseconds=count)


def _interval(first_ms: int, doubt_us: int = 700) -> Interval:
    at = Moment(first_ms * 1000)
    half = timedelta(microseconds=doubt_us)
    return Interval(at - half, at + half, Quality.DEVICE)


class Played:
    """A seat's inputs, fed with (input, change, ms)."""

    def __init__(self, senses: Senses = FULL) -> None:
        self.gestures = Gestures(senses)
        self.observed: list[Observed] = []
        self.ignored: list[str] = []
        self._first: dict[SeatInput, int] = {}

    def feed(
        self, place: SeatInput, *changes: tuple[Change, int], call: Call | None = None
    ) -> "Played":
        for change, at in changes:
            if change is DOWN:
                self._first[place] = at
            first = self._first.get(place, 0)
            edge = Edge(Seat.TWO, place, change, _ms(first), _ms(at), call)
            # A fit that has moved on gives the same stamp another interval.
            heard = self.gestures.hear(edge, _interval(first, 700 + at))
            self.gestures = heard.gestures
            if isinstance(heard.said, Ignored):
                self.ignored.append(heard.said.reason)
            elif heard.said:
                self.observed.append(heard.said)
        return self

    @property
    def events(self) -> list[object]:
        return [observed.event for observed in self.observed]


def test_a_tap_of_discard_acts_at_once_and_is_settled_by_its_release() -> None:
    played = Played().feed(DISCARD, (DOWN, 1000))
    assert played.events == [DiscardPressed(Seat.TWO)]
    played.feed(DISCARD, (UP, 1999))
    assert played.events == [DiscardPressed(Seat.TWO), DiscardReleased(Seat.TWO)]


def test_a_release_bears_the_interval_of_its_press() -> None:
    pressed, released = Played().feed(DISCARD, (DOWN, 1000), (UP, 1080)).observed
    assert released.when == pressed.when
    assert pressed.when.latest == Moment(1_000_000 + 1700)


def test_discard_held_for_a_second_is_a_hu_while_still_held() -> None:
    played = Played().feed(DISCARD, (DOWN, 1000), (HELD, 2000))
    assert played.events == [DiscardPressed(Seat.TWO), HuDeclared(Seat.TWO)]
    assert played.feed(DISCARD, (UP, 2500)).events[2:] == []
    assert played.ignored == []
    assert played.observed[1].when == played.observed[0].when


@pytest.mark.parametrize(
    ("up", "event"), [(1999, DiscardReleased(Seat.TWO)), (2000, HuDeclared(Seat.TWO))]
)
def test_a_hold_that_was_not_reported_is_known_by_its_length(up: int, event: SeatEvent) -> None:
    assert Played().feed(DISCARD, (DOWN, 1000), (UP, up)).events[1:] == [event]


def test_a_claim_acts_on_release_with_the_time_of_its_first_edge() -> None:
    played = Played().feed(CLAIM, (DOWN, 1000), call=Call.PUNG)
    assert played.events == []
    (claim,) = played.feed(CLAIM, (UP, 1300), call=Call.PUNG).observed
    assert claim.event == ClaimPressed(Seat.TWO, Call.PUNG)
    assert claim.when.earliest < Moment(1_000_000) < claim.when.latest


def test_a_claim_held_calls_the_referee_and_claims_nothing() -> None:
    played = Played().feed(CLAIM, (DOWN, 1000), (HELD, 2000), (UP, 2400))
    assert played.events == [RefereeCalled(Seat.TWO)]


def test_without_release_sensing_a_claim_acts_at_once() -> None:
    assert Played(PRESSES_ONLY).feed(CLAIM, (DOWN, 1000)).events == [ClaimPressed(Seat.TWO)]


def test_without_release_sensing_a_release_is_ignored_with_its_reason() -> None:
    played = Played(PRESSES_ONLY).feed(DISCARD, (DOWN, 1000), (UP, 1100))
    assert played.events == [DiscardPressed(Seat.TWO)]
    assert played.ignored == ["up of discard at seat 2 without a press"]


def test_a_draw_says_so_when_it_goes_down_only() -> None:
    played = Played().feed(DRAW, (DOWN, 1000), (UP, 1500))
    assert played.events == [TileDrawn(Seat.TWO)]
    assert played.ignored == []


def test_a_bouncing_press_is_one_press() -> None:
    played = Played().feed(DISCARD, (DOWN, 1000), (UP, 1003), (DOWN, 1005), (UP, 1080))
    assert played.events == [DiscardPressed(Seat.TWO), DiscardReleased(Seat.TWO)]
    assert played.ignored == ["bounce of discard at seat 2"] * 2


def test_a_bouncing_press_that_is_held_is_a_hu_of_its_first_edge() -> None:
    played = Played().feed(DISCARD, (DOWN, 1000), (UP, 1003), (DOWN, 1005), (HELD, 2005))
    assert played.events == [DiscardPressed(Seat.TWO), HuDeclared(Seat.TWO)]
    assert played.observed[1].when == played.observed[0].when


def test_a_bouncing_release_says_nothing_more() -> None:
    played = Played().feed(CLAIM, (DOWN, 1000), (UP, 1100), (DOWN, 1104), (UP, 1120))
    assert played.events == [ClaimPressed(Seat.TWO)]
    assert len(played.ignored) == 2


def test_an_edge_exactly_after_the_debounce_is_a_press() -> None:
    played = Played().feed(CLAIM, (DOWN, 1000), (UP, 1100), (DOWN, 1110), (UP, 1200))
    assert played.events == [ClaimPressed(Seat.TWO)] * 2


def test_two_inputs_of_a_seat_do_not_disturb_each_other() -> None:
    played = Played().feed(DISCARD, (DOWN, 1000)).feed(CLAIM, (DOWN, 1004), (UP, 1100))
    assert played.feed(DISCARD, (UP, 1120)).events == [
        DiscardPressed(Seat.TWO),
        ClaimPressed(Seat.TWO),
        DiscardReleased(Seat.TWO),
    ]


def test_a_release_whose_press_was_never_seen_is_believed() -> None:
    gestures = Gestures(FULL)
    edge = Edge(Seat.ONE, CLAIM, UP, _ms(900), _ms(1000))
    heard = gestures.hear(edge, _interval(900))
    assert heard.said == Observed(ClaimPressed(Seat.ONE), _interval(900))


@pytest.mark.parametrize("place", [DISCARD, CLAIM])
def test_the_release_of_a_hold_that_was_told_on_another_link_says_nothing(place: SeatInput) -> None:
    edge = Edge(Seat.ONE, place, UP, _ms(900), _ms(2300))
    assert Gestures(FULL).hear(edge, _interval(900)).said is None


def test_a_second_hold_of_one_press_is_ignored() -> None:
    played = Played().feed(DISCARD, (DOWN, 1000), (HELD, 2000), (HELD, 3000))
    assert played.events == [DiscardPressed(Seat.TWO), HuDeclared(Seat.TWO)]
    assert len(played.ignored) == 1


@given(
    st.lists(
        st.tuples(
            st.sampled_from(SeatInput), st.sampled_from(Change), st.sampled_from([3, 20, 400, 1000])
        ),
        max_size=30,
    )
)
def test_every_edge_is_answered_and_nothing_is_settled_twice(
    edges: list[tuple[SeatInput, Change, int]],
) -> None:
    played, at = Played(), 10_000
    for place, change, later in edges:
        at += later
        played.feed(place, (change, at))
    presses = sum(event == DiscardPressed(Seat.TWO) for event in played.events)
    settled = sum(isinstance(event, DiscardReleased | HuDeclared) for event in played.events)
    # One more may be settled: a release whose press lies before the first edge.
    assert settled <= presses + 1
