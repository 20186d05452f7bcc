"""What time it is at a node, as far as its heartbeats tell."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Self

from table.moment import MILLISECOND, Moment

BEAT = timedelta(seconds=2)
MISSED_BEATS = 3
STALE_AFTER = BEAT * MISSED_BEATS + BEAT / 4
"""A node is stale when its third heartbeat in a row is overdue (docs/contract.md)."""
_DRIFT_PARTS = 2000
"""Two machines' clocks gain at most one part in so many on each other (house choice)."""


@dataclass(frozen=True, slots=True)
class NodeClock:
    """The clock of one node in one session, seen from here.

    A heartbeat is late by the time it travelled, so each gives a lower bound of the node's time,
    which grows with our own clock less what the two may drift apart; the greatest is the best. A
    display built on it never shows less time than the node has.
    """

    session: int
    heard: Moment
    """When the newest heartbeat came, on this machine's clock."""
    best: timedelta
    """The reading that gives the greatest bound."""
    since: Moment
    """When that one came."""

    @classmethod
    def first(cls, session: int, uptime_ms: int, now: Moment) -> Self:
        """Return the clock of a node that was just heard for the first time in its session."""
        return cls(session, now, uptime_ms * MILLISECOND, now)

    def beat(self, session: int, uptime_ms: int, now: Moment) -> "NodeClock":
        """Return the clock after one more heartbeat; a new session starts afresh."""
        told = uptime_ms * MILLISECOND
        if session != self.session or told >= self._least(now):
            return NodeClock(session, now, told, now)
        return replace(self, heard=now)

    def now_ms(self, now: Moment) -> int:
        """Return the node's clock in whole milliseconds, never later than the truth."""
        return self._least(now) // MILLISECOND

    def stale(self, now: Moment) -> bool:
        """Say whether three heartbeats in a row are missing."""
        return now - self.heard > STALE_AFTER

    def _least(self, now: Moment) -> timedelta:
        passed = now - self.since
        return self.best + passed - passed / _DRIFT_PARTS
