"""The events a box keeps until its host has acknowledged them (docs/table-link.md, section 6)."""

from collections import deque
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import TypeAlias

from drivers.table_link.frames import following, steps
from drivers.table_link.messages import Edge, Machine
from simulator.link_times import REAL
from table.moment import Moment

CAPACITY = 256
WINDOW = 16
"""So many unacknowledged events are on the way at most."""

Event: TypeAlias = Edge | Machine
Range: TypeAlias = tuple[int, int]
"""First and last sequence number."""


@dataclass(slots=True)
class Kept:
    """An event that waits for its acknowledgement."""

    seq: int
    event: Event
    replay: bool
    """Whether it is sent again, or had to wait for a host."""
    sent: bool = False


class Ring:
    """Events in order; the oldest one is pushed out where there is no more room."""

    def __init__(self, resend: tuple[timedelta, ...] = REAL.resend) -> None:
        self._resend = resend
        self._kept: deque[Kept] = deque()
        self._resend_at: Moment | None = None
        self._tries = 0
        self.following = 1
        """Number the next event will have."""
        self.lost: Range | None = None
        """Events pushed out that no acknowledgement has passed yet."""
        self.lost_count = 0

    @property
    def oldest(self) -> int:
        """The first event nobody has acknowledged, even if it is lost by now."""
        if self.lost:
            return self.lost[0]
        return self._kept[0].seq if self._kept else self.following

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, event: Event, *, waits: bool) -> None:
        """Number an event and keep it; `waits` says that no host listens now."""
        if len(self._kept) == CAPACITY:
            pushed_out = self._kept.popleft().seq
            self.lost = (self.lost[0] if self.lost else pushed_out, pushed_out)
            self.lost_count += 1
        self._kept.append(Kept(self.following, event, replay=waits))
        self.following = following(self.following)

    def acknowledge(self, seq: int) -> None:
        """Forget what has arrived: everything up to an event that was sent, or is lost."""
        if self.lost and (passed := steps(self.lost[0], seq)) < _count(self.lost):
            left = (following(seq), self.lost[1])
            self._moved_on(0, left if passed < _count(self.lost) - 1 else None)
        elif self._kept and (ahead := steps(self._kept[0].seq, seq)) < WINDOW:
            arrived = list(islice(self._kept, ahead + 1))
            if len(arrived) > ahead and arrived[-1].sent:
                self._moved_on(ahead + 1)

    def rewind(self, first: int) -> None:
        """Take everything before this number as acknowledged, and send on from it."""
        before = steps(self.oldest, first)
        gone = _count(self.lost) if self.lost else 0
        if gone <= before <= gone + len(self._kept):
            self._moved_on(before - gone)
        for kept in self._kept:
            kept.replay |= kept.sent
            kept.sent = False
        self._resend_at = None

    def wake_at(self, now: Moment) -> Moment | None:
        """Say when there is something to send, now or later."""
        if any(not kept.sent for kept in islice(self._kept, WINDOW)):
            return now
        return self._resend_at

    def due(self, now: Moment) -> list[Kept]:
        """Return the events that are sent now, in order."""
        again = self._resend_at is not None and self._resend_at <= now
        sending = [kept for kept in islice(self._kept, WINDOW) if again or not kept.sent]
        for kept in sending:
            kept.replay |= kept.sent
            kept.sent = True
        self._tries += again
        if self._kept and (again or self._resend_at is None):
            self._resend_at = now + self._resend[min(self._tries, len(self._resend) - 1)]
        return sending

    def _moved_on(self, arrived: int, lost: Range | None = None) -> None:
        for _ in range(arrived):
            self._kept.popleft()
        self.lost = lost
        self._tries = 0
        self._resend_at = None


def _count(numbers: Range) -> int:
    return steps(*numbers) + 1
