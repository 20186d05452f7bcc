"""What the clocks of a table show at a moment."""

from dataclasses import dataclass
from datetime import timedelta

from table.moment import Moment
from table.seat import BySeat
from timing.phases import Hand
from timing.rules import TimeRules


@dataclass(frozen=True, slots=True)
class ClockFace:
    """One clock: `kind` is `first-discard`, `turn` or `call-window`."""

    kind: str
    running: bool
    total: timedelta
    remaining: timedelta
    """Never below zero."""
    over: bool
    """The limit is reached; a notice, not a foul."""


@dataclass(frozen=True, slots=True)
class Display:
    """The clock of each seat that has one, and of the call window while it is open."""

    seats: BySeat[ClockFace | None]
    window: ClockFace | None


def clocks(rules: TimeRules, hand: Hand, now: Moment) -> Display:
    """Return what the clocks show at `now`."""
    raise NotImplementedError
