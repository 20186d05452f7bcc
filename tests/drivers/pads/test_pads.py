"""What the pads of a table say, and what of it counts."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.gestures import Change, SeatInput
from drivers.pads.pads import OLDEST, SILENCE, Pads
from drivers.pads.stamps import PadPress
from table.errors import CommandRefused
from table.events import (
    ClaimPressed,
    DiscardPressed,
    DiscardReleased,
    HuDeclared,
    Observed,
    RefereeCalled,
    SeatEvent,
)
from table.moment import MILLISECOND, ZERO
from table.seat import Seat
from tests.drivers.pads.pad_words import KNOWN, Finger

SECOND = timedelta(seconds=1)
TAP = 80 * MILLISECOND


def connected(table: str = "t7") -> Pads:
    pads = Pads(table)
    pads.since = KNOWN
    return pads


def said(pads: Pads, press: PadPress, delay: timedelta = ZERO) -> SeatEvent | None:
    """Return what the table hears when a message has travelled for so long."""
    heard = pads.hear(press, KNOWN + (press.sent - press.heard) + delay)
    if not isinstance(heard, Observed):
        return None
    assert isinstance(heard.event, SeatEvent)
    return heard.event


def test_a_discard_counts_at_its_first_edge_and_is_settled_by_its_release() -> None:
    pads, finger = connected(), Finger()
    assert said(pads, finger.tells(Change.DOWN, SECOND)) == DiscardPressed(Seat.ONE)
    assert said(pads, finger.tells(Change.UP, SECOND, TAP)) == DiscardReleased(Seat.ONE)


def test_a_claim_counts_when_it_is_let_go_with_the_time_of_its_first_edge() -> None:
    pads, finger = connected(), Finger(Seat.THREE)
    down = finger.tells(Change.DOWN, SECOND, what=SeatInput.CLAIM)
    assert said(pads, down) is None
    up = finger.tells(Change.UP, SECOND, TAP, what=SeatInput.CLAIM)
    heard = pads.hear(up, KNOWN + SECOND + TAP)
    assert isinstance(heard, Observed)
    assert heard.event == ClaimPressed(Seat.THREE)
    assert heard.when.latest <= KNOWN + SECOND


@pytest.mark.parametrize(
    ("what", "event"),
    [(SeatInput.DISCARD, HuDeclared(Seat.ONE)), (SeatInput.CLAIM, RefereeCalled(Seat.ONE))],
)
def test_an_input_held_for_a_second_says_something_else_and_its_release_nothing(
    what: SeatInput, event: SeatEvent
) -> None:
    pads, finger = connected(), Finger()
    said(pads, finger.tells(Change.DOWN, SECOND, what=what))
    assert said(pads, finger.tells(Change.HELD, SECOND, SECOND, what=what)) == event
    assert said(pads, finger.tells(Change.UP, SECOND, 2 * SECOND, what=what)) is None


def test_a_press_that_may_be_too_old_is_refused_and_counts_nothing() -> None:
    pads, finger = connected(), Finger()
    with pytest.raises(CommandRefused, match=r"seat 1 of table t7 may be .* s old; 5 s at most"):
        said(pads, finger.tells(Change.DOWN, SECOND), delay=OLDEST)
    assert said(pads, finger.tells(Change.DOWN, 8 * SECOND)) == DiscardPressed(Seat.ONE)


def test_a_long_hold_is_no_old_press() -> None:
    pads, finger = connected(), Finger()
    said(pads, finger.tells(Change.DOWN, SECOND, what=SeatInput.CLAIM))
    long = finger.tells(Change.UP, SECOND, 3 * OLDEST, what=SeatInput.CLAIM)
    assert said(pads, long) == RefereeCalled(Seat.ONE)


def test_a_press_overtaken_by_a_later_one_of_its_pad_is_refused() -> None:
    pads, finger = connected(), Finger()
    said(pads, finger.tells(Change.DOWN, 2 * SECOND))
    overtaken = finger.tells(Change.DOWN, SECOND)
    with pytest.raises(CommandRefused, match="a later press of the pad at seat 1"):
        said(pads, overtaken, delay=2 * SECOND)


def test_the_same_press_twice_counts_once_even_where_nothing_keeps_its_id() -> None:
    pads, press = connected(), Finger().tells(Change.DOWN, SECOND)
    assert said(pads, press) == DiscardPressed(Seat.ONE)
    with pytest.raises(CommandRefused, match="a later press"):
        said(pads, press)


def test_a_page_loaded_again_has_a_clock_of_its_own() -> None:
    pads = connected()
    said(pads, Finger().tells(Change.DOWN, 4 * SECOND, what=SeatInput.CLAIM))
    again = Finger(pad="b")
    said(pads, again.tells(Change.DOWN, 2 * SECOND, what=SeatInput.CLAIM))
    up = again.tells(Change.UP, 2 * SECOND, TAP, what=SeatInput.CLAIM)
    assert said(pads, up) == ClaimPressed(Seat.ONE)


def test_before_the_table_is_connected_a_press_is_refused_but_shows_the_pad() -> None:
    pads = Pads("t7")
    with pytest.raises(CommandRefused, match="only just being connected"):
        said(pads, Finger(Seat.TWO).tells(Change.DOWN, SECOND))
    assert pads.here(KNOWN + SECOND) == {Seat.TWO}


def test_what_may_have_happened_before_the_table_was_connected_charges_nobody() -> None:
    pads = connected()
    pads.since = KNOWN + 2 * SECOND
    heard = pads.hear(Finger().tells(Change.DOWN, SECOND), KNOWN + 3 * SECOND)
    assert isinstance(heard, Observed)
    assert heard.replayed


def test_a_pad_is_gone_after_three_missing_beats() -> None:
    pads = Pads("t7")
    pads.beat(Seat.FOUR, KNOWN)
    assert pads.here(KNOWN + SILENCE - MILLISECOND) == {Seat.FOUR}
    assert pads.here(KNOWN + SILENCE) == frozenset()


tellings = st.tuples(
    st.builds(Finger, st.sampled_from(Seat), st.sampled_from(["a", "b"])),
    st.sampled_from([SeatInput.DISCARD, SeatInput.CLAIM]),
    st.sampled_from(Change),
    st.integers(0, 9000),
    st.integers(0, 3000),
    st.integers(0, 9000),
)


def outcome(pads: Pads, press: PadPress, delay: timedelta) -> str:
    """Return why a press is refused; nothing where it is taken."""
    try:
        said(pads, press, delay)
    except CommandRefused as refused:
        return refused.code
    return ""


@given(st.lists(tellings, max_size=12))
def test_whatever_pads_say_is_taken_once_or_refused(
    told: list[tuple[Finger, SeatInput, Change, int, int, int]],
) -> None:
    pads = connected()
    newest: dict[Seat, tuple[str, timedelta]] = {}
    for finger, what, change, first, longer, delay in told:
        held = ZERO if change is Change.DOWN else longer * MILLISECOND
        press = finger.tells(change, first * MILLISECOND, held, what=what)
        pad, last = newest.get(finger.seat, ("", ZERO))
        overtaken = pad == finger.pad and press.edge.at <= last
        code = outcome(pads, press, delay * MILLISECOND)
        assert code in {"", "too-old", "out-of-order"}
        assert (code == "out-of-order") is overtaken
        assert overtaken or code or delay * MILLISECOND <= OLDEST
        if not code:
            newest[finger.seat] = (press.pad, press.edge.at)
