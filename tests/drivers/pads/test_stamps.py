"""The interval of a press contains it, whatever the network did."""

from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.gestures import Change, Edge, SeatInput
from drivers.pads.stamps import COARSE, TOUCH, PadPress, interval
from table.errors import CommandRefused
from table.moment import MICROSECOND, MILLISECOND, Moment, Quality
from table.seat import Seat
from tests.drivers.pads.pad_words import KNOWN, Finger

SECOND = timedelta(seconds=1)
delays = st.integers(0, 5_000_000)


@dataclass(frozen=True)
class PadClock:
    """A pad's clock: where it stands at our zero, how fast it runs, how far it is rounded."""

    zero: int
    parts_in_a_million: int
    step: int

    def reads(self, moment: int) -> timedelta:
        ran = moment + moment * self.parts_in_a_million // 1_000_000
        return (self.zero + ran) // self.step * self.step * MICROSECOND


clocks = st.builds(
    PadClock,
    st.integers(0, 10**12),
    st.integers(-450, 450),
    st.sampled_from([1, 5, 100, 1000]),
)


@dataclass(frozen=True)
class Way:
    """What becomes of a press on its way, in µs; each step takes any time at all."""

    heard_after: int
    """A reading of our clock travels to the pad."""
    then: int
    """The finger comes down."""
    noticed_after: int
    """The pad notices that it lies on the glass."""
    waited: int
    """The message leaves, perhaps the second time."""
    travelled: int
    """It arrives."""


ways = st.builds(Way, delays, st.integers(0, 600_000_000), st.integers(0, 55_000), delays, delays)


@given(clocks, ways)
def test_the_interval_contains_the_press_whatever_is_delayed(clock: PadClock, way: Way) -> None:
    known = 60_000_000
    heard = known + way.heard_after
    touched = heard + way.then
    noticed = touched + way.noticed_after
    sent = noticed + way.waited
    first = clock.reads(noticed)
    edge = Edge(Seat.TWO, SeatInput.DISCARD, Change.DOWN, first, first)
    told = PadPress(edge, "a", Moment(known), clock.reads(heard), clock.reads(sent))
    when = interval(told, Moment(sent + way.travelled))
    assert when.earliest <= Moment(touched) <= when.latest
    assert when.quality is Quality.PAD


def test_without_delay_the_interval_is_as_wide_as_glass_and_browser_are_slow() -> None:
    when = interval(Finger().tells(Change.DOWN, SECOND), KNOWN + SECOND)
    assert when.latest == KNOWN + SECOND
    assert when.latest - when.earliest == TOUCH + COARSE + SECOND / 2000


def test_a_message_that_waited_in_the_pad_says_how_long() -> None:
    late = Finger().tells(Change.DOWN, SECOND, waited=2 * SECOND)
    when = interval(late, KNOWN + 3 * SECOND)
    assert when.latest == KNOWN + SECOND + COARSE + MILLISECOND


def test_a_press_before_the_clock_it_knows_is_told_with_the_doubt_on_the_other_side() -> None:
    when = interval(Finger().tells(Change.DOWN, -SECOND), KNOWN)
    assert when.earliest == KNOWN - SECOND - TOUCH - COARSE - MILLISECOND / 2


def test_times_that_no_moment_fits_are_refused() -> None:
    with pytest.raises(CommandRefused, match="seat 1 contradict each other"):
        interval(Finger().tells(Change.DOWN, 10 * SECOND), KNOWN + SECOND)


def test_a_change_before_its_press_or_after_its_message_is_refused() -> None:
    told = Finger().tells(Change.UP, SECOND, held=SECOND)
    before = replace(told, edge=replace(told.edge, at=told.edge.first - MILLISECOND))
    after = replace(told, sent=told.edge.at - MILLISECOND)
    for wrong in (before, after):
        with pytest.raises(CommandRefused, match="contradict"):
            interval(wrong, KNOWN + 3 * SECOND)
