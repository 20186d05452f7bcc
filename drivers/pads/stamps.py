"""When a pad was pressed, in the daemon's time; pure.

A pad has heard a reading of the daemon's clock before the press, so the press came no sooner than
that reading and the time since on the pad's own clock. Its message says how long ago the press was
when it left, so the press came no later than its arrival without that time. Both hold however long
anything travelled: delays make the interval wider, never false (docs/adr/0042).
"""

from dataclasses import dataclass
from datetime import timedelta

from drivers.gestures import Edge
from table.answers import Code
from table.errors import CommandRefused
from table.moment import MILLISECOND, Interval, Moment, Quality

DRIFT_PARTS = 2000
"""The pad's clock and ours gain at most one part in so many on each other (house choice)."""
COARSE = 2 * MILLISECOND
"""No reading of a pad's clock is more off than this: browsers round it (house choice)."""
TOUCH = 60 * MILLISECOND
"""A finger may lie on the glass so long before the pad notices (house choice)."""


@dataclass(frozen=True, slots=True)
class PadPress:
    """A change of an input as a pad tells it; times but `known` are of the pad's own clock."""

    edge: Edge
    pad: str
    """Which clock that is."""
    known: Moment
    """This moment had come when the pad's clock showed `heard`."""
    heard: timedelta
    sent: timedelta


def interval(press: PadPress, arrived: Moment) -> Interval:
    """Return when the first edge of the press was.

    Raises:
        CommandRefused: no moment fits the times.
    """
    first = press.edge.first
    earliest = press.known + _at_least(first - press.heard) - TOUCH - COARSE
    latest = min(arrived, arrived - _at_least(press.sent - first) + COARSE)
    if earliest > latest or not first <= press.edge.at <= press.sent:
        message = (
            f"the times of the pad at seat {press.edge.seat.value} contradict each other;"
            " load its page again"
        )
        raise CommandRefused(Code.BAD_VALUE, message)
    return Interval(earliest, latest, Quality.PAD)


def since_change(press: PadPress, when: Interval, arrived: Moment) -> timedelta:
    """Return how long ago the change was at most; `when` is the interval of the first edge."""
    return arrived - (when.earliest + _at_least(press.edge.at - press.edge.first))


def _at_least(span: timedelta) -> timedelta:
    """Return how much of our time a span of the pad's is at least."""
    return span - abs(span) / DRIFT_PARTS
