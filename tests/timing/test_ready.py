"""Four presses of `discard` that end the deal, and discards that must not be lost among them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.answers import Ignored
from table.commands import EndDeal, StartHand
from table.moment import MILLISECOND, Interval
from table.seat import Seat
from tests.timing.books import MCR, WSOM
from tests.timing.play import Play, moment
from timing.effects import Discarded, HuAnnounced, SeatReady, TurnMeasured, TurnStarted
from timing.phases import Arranging
from timing.ready import ready_seats
from timing.rules import DealEnd, TimeRules

RULES = replace(MCR, deal_end=DealEnd.FOUR_READY)


def dealing(*, holds: bool = False) -> Play:
    play = Play(RULES, holds)
    play.order(0, StartHand())
    return play


def all_ready(play: Play, *times: float) -> Play:
    for seat, at in zip((2, 3, 4, 1), times, strict=False):
        press(play, seat, at)
    return play


def press(play: Play, seat: int, at: float) -> None:
    (play.tap if play.state.inputs.holds else play.discard)(seat, at)


def clock_start(play: Play) -> Interval | None:
    phase = play.state.phase
    assert isinstance(phase, Arranging)
    return phase.clock.start if phase.clock else None


@pytest.mark.parametrize("holds", [False, True])
def test_the_fourth_ready_ends_the_deal_and_times_the_dealer_from_the_latest(
    *, holds: bool
) -> None:
    play = all_ready(dealing(holds=holds), 10, 11, 12)
    assert clock_start(play) is None
    assert [seat for seat, said in ready_seats(play.state).items() if said] == [*Seat][1:]
    press(play, 1, 15)
    start = clock_start(play)
    assert start is not None
    assert start.latest == moment(15)
    assert play.all_of(Discarded) == []
    press(play, 1, 22)
    (measured,) = play.all_of(TurnMeasured)
    assert (measured.seat, measured.taken.most) == (Seat.ONE, 7000 * MILLISECOND)


def test_a_ready_that_arrives_late_counts_from_when_it_was_pressed() -> None:
    play = all_ready(dealing(), 10, 20)
    play.discard(1, 21)
    play.discard(4, 15, late=10)
    start = clock_start(play)
    assert start is not None
    assert start.latest == moment(21)


def test_the_dealers_second_press_is_a_discard_whatever_the_others_said() -> None:
    play = dealing()
    play.discard(1, 10)
    play.discard(3, 11)
    assert play.all_of(Discarded) == []
    play.discard(1, 14)
    assert [one.seat for one in play.all_of(Discarded)] == [Seat.ONE]
    assert play.phase == "Turn"
    assert play.fouls == []


def test_the_dealer_who_was_last_can_discard_a_second_later() -> None:
    play = all_ready(dealing(), 10, 10, 10, 12)
    assert play.discard(1, 13) == (Ignored("seat 1 says again that it is ready"),)
    play.discard(1, 13.001)
    assert [one.seat for one in play.all_of(Discarded)] == [Seat.ONE]


def test_whoever_is_impatient_says_nothing_new() -> None:
    play = dealing()
    play.discard(3, 5)
    assert play.discard(3, 9) == (Ignored("seat 3 is ready already and waits for others"),)
    assert play.phase == "Arranging"


def test_a_second_tap_just_after_the_deal_ended_implies_no_discard() -> None:
    play = dealing()
    for seat in (1, 2, 3):
        play.discard(seat, 10)
    play.discard(4, 11)
    assert play.discard(4, 11.6) == (Ignored("seat 4 says again that it is ready"),)
    assert play.phase == "Arranging"


def test_after_the_deal_has_ended_a_press_of_another_seat_shows_the_dealers_discard() -> None:
    play = all_ready(dealing(), 10, 10, 10, 11)
    play.discard(2, 25)
    assert [(one.seat, one.implied) for one in play.all_of(Discarded)] == [
        (Seat.ONE, True),
        (Seat.TWO, False),
    ]
    assert play.fouls == []


def test_a_repeat_that_may_be_a_discard_is_one() -> None:
    play = dealing()
    play.doubt = 50 * MILLISECOND
    all_ready(play, 10, 10, 10, 11)
    play.discard(1, 11.95)
    assert [one.seat for one in play.all_of(Discarded)] == [Seat.ONE]


def test_a_hold_is_a_hu_and_never_a_ready() -> None:
    play = all_ready(dealing(holds=True), 10, 10.5, 11)
    play.hold(1, 12)
    assert play.all_of(HuAnnounced) == [HuAnnounced(Seat.ONE)]
    assert [one.seat for one in play.all_of(SeatReady)] == [2, 3, 4]


def test_a_replayed_ready_ends_the_deal_and_charges_nobody() -> None:
    play = all_ready(dealing(), 10, 10, 10)
    play.discard(1, 11, late=1, replayed=True)
    play.wait(60)
    play.discard(1, 60)
    assert play.fouls == []


def test_after_an_outage_while_arranging_a_press_says_ready_again() -> None:
    play = all_ready(dealing(), 10, 10)
    play.lose_link(12)
    all_ready(play, 20, 21, 22, 23)
    start = clock_start(play)
    assert start is not None
    assert start.latest == moment(23)
    assert play.all_of(Discarded) == []


@pytest.mark.parametrize("deal_end", DealEnd)
def test_a_referee_can_always_say_that_the_deal_is_done(deal_end: DealEnd) -> None:
    play = Play(replace(MCR, deal_end=deal_end))
    play.order(0, StartHand())
    play.order(5, EndDeal())
    assert play.all_of(TurnStarted)[-1].seat is Seat.ONE


def test_where_only_a_referee_says_it_a_signal_means_nothing() -> None:
    play = Play(replace(MCR, deal_end=DealEnd.REFEREE))
    assert play.deal(1) == (Ignored("at this table a referee says that the deal is done"),)
    assert play.phase == "Idle"


def test_the_signal_ends_the_deal_beside_the_four() -> None:
    play = all_ready(dealing(), 10)
    play.deal(11)
    assert clock_start(play) is not None


PRESS = st.tuples(st.sampled_from(Seat), st.integers(100, 12_000), st.booleans())


@given(
    presses=st.lists(PRESS, max_size=30),
    book=st.sampled_from([MCR, WSOM]),
    holds=st.booleans(),
)
def test_whatever_is_pressed_before_the_deal_is_known_to_end_charges_nobody(
    presses: list[tuple[Seat, int, bool]], book: TimeRules, *, holds: bool
) -> None:
    play = Play(replace(book, deal_end=DealEnd.FOUR_READY), holds)
    play.order(0, StartHand())
    at = 0
    for seat, after, calls in presses:
        at += after
        if calls:
            play.claim(seat, at / 1000)
        else:
            press(play, seat, at / 1000)
        at += 80
        if not isinstance(play.state.phase, Arranging) or play.state.phase.clock is not None:
            break
    assert play.fouls == []
