"""Fouls as they are seen, before anybody rules on them."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from table.moment import Elapsed, Interval
from table.seat import Seat


class FoulKind(StrEnum):
    """Kinds of foul the tables can sense; repeats are counted per player, kind and hand."""

    DISCARD_OVER_LIMIT = "discard-over-limit"
    """First and later discards are one kind (mcr-2014 art. 11; decision in rule set)."""
    LATE_PUNG = "late-pung"
    """A pung, or a kong of a discard, called after the call window."""


@dataclass(frozen=True, slots=True)
class FoulSeen:
    """A seat was over a limit by even its most favourable reading."""

    id: str
    """Unique in the venue: the hand id and a running number."""
    kind: FoulKind
    seat: Seat
    hand: str
    measured: Elapsed
    limit: timedelta
    rule: str
    """Rule set and article that set the limit."""
    started: Interval
    """When the measured time began."""
    ended: Interval
    """The press that ended it."""
    presumed: bool = False
    """The start was not sensed but taken as the latest the rules allow."""


@dataclass(frozen=True, slots=True)
class TooClose:
    """The readings lie on both sides of the limit: recorded, charged to nobody."""

    kind: FoulKind
    seat: Seat
    measured: Elapsed
    limit: timedelta


@dataclass(frozen=True, slots=True)
class OverrunRecorded:
    """Over a presumed start, but not by more than the event's margin: recorded, no alert."""

    kind: FoulKind
    seat: Seat
    measured: Elapsed
    limit: timedelta
    margin: timedelta
