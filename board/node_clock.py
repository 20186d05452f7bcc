"""What time it is at a node, as far as its heartbeats tell."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Self

from table.moment import MICROSECOND, MILLISECOND, Moment

BEAT = timedelta(seconds=2)
MISSED_BEATS = 3
STALE_AFTER = BEAT * MISSED_BEATS + BEAT / 4
"""A node is stale when its third heartbeat in a row is overdue (docs/contract.md)."""
_READINGS = 16


@dataclass(frozen=True, slots=True)
class NodeClock:
    """The clock of one node in one session, seen from here.

    A heartbeat is late by the time it travelled, so each gives a lower bound of the node's time;
    the greatest of the newest ones is the best. A display built on it never shows less time than
    the node has.
    """

    session: int
    heard: Moment
    """When the newest heartbeat came, on this machine's clock."""
    ahead: tuple[timedelta, ...]
    """How far the node's clock was ahead of ours at least, newest last."""

    @classmethod
    def first(cls, session: int, uptime_ms: int, now: Moment) -> Self:
        """Return the clock of a node that was just heard for the first time in its session."""
        return cls(session, now, (_ahead(uptime_ms, now),))

    def beat(self, session: int, uptime_ms: int, now: Moment) -> "NodeClock":
        """Return the clock after one more heartbeat; a new session starts afresh."""
        if session != self.session:
            return NodeClock.first(session, uptime_ms, now)
        readings = (*self.ahead, _ahead(uptime_ms, now))[-_READINGS:]
        return NodeClock(session, now, readings)

    def now_ms(self, now: Moment) -> int:
        """Return the node's clock in whole milliseconds, never later than the truth."""
        return (timedelta(microseconds=now.micros) + max(self.ahead)) // MILLISECOND

    def stale(self, now: Moment) -> bool:
        """Say whether three heartbeats in a row are missing."""
        return now - self.heard > STALE_AFTER


def _ahead(uptime_ms: int, now: Moment) -> timedelta:
    return uptime_ms * MILLISECOND - now.micros * MICROSECOND
