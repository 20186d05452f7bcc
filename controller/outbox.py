"""The outbox of the journal: events wait in its file; the newest also in memory, to save reading.

Obeys `mqtt.outbox.Outbox`. The file holds so many events at most; beyond it the oldest are let go
with the commit that adds new ones, and the journal itself still has them.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from mqtt.outbox import OutgoingEvent

KEPT_IN_MEMORY = 1024
"""Events beyond this many are read from the file when their turn comes."""

Read: TypeAlias = Callable[[int, int], Awaitable[Sequence[OutgoingEvent]]]
"""Reads from the file: the place after which, and how many at most."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits in the file after a commit, as its writer knows it."""

    depth: int
    """How many events wait."""
    let_go: int = 0
    """How many were let go since the outbox was last empty."""
    gone_to: int = 0
    """The place up to which they were let go in this session; 0 where none was."""
    heard: int = 0
    """Of how many acknowledgements the writer has heard in this session."""


class JournalOutbox:
    """Events in the order in which they became durable, kept until the broker has them.

    Args:
        read: reads events from the file.
        forget: has events removed from the file, sooner or later.
    """

    def __init__(self, read: Read, forget: Callable[[Sequence[int]], None]) -> None:
        self.filled = asyncio.Event()
        self._read = read
        self._forget = forget
        self._recent: dict[int, OutgoingEvent] = {}
        self._only_in_file = 0
        self._file = Waiting(0)
        self._unheard: deque[int] = deque()
        self._heard = 0
        self._depth = 0

    @property
    def depth(self) -> int:
        """How many events wait."""
        return self._depth

    @property
    def alarm(self) -> str:
        """What is to be said of events that were let go; empty once everything else was taken."""
        count = self._file.let_go
        if not count:
            return ""
        return f"the broker was away too long: {count} events were let go, replay brings them"

    async def next_batch(self, after: int, limit: int) -> Sequence[OutgoingEvent]:
        """Return at most `limit` events beyond a position, in order; 0 is before the first.

        Raises:
            JournalError: the file cannot be read.
        """
        if after < self._only_in_file:
            return await self._read(after, limit)
        return list(islice((e for e in self._recent.values() if e.position > after), limit))

    async def acknowledge(self, positions: Sequence[int]) -> None:
        """Forget events which the broker has."""
        self._depth -= self._present(positions)
        self._unheard.extend(positions)
        for position in positions:
            self._recent.pop(position, None)
        self._forget(positions)

    def add(self, events: Iterable[OutgoingEvent]) -> None:
        """Take events that have just become durable; how many wait `settle` has said before."""
        for event in events:
            if event.position > self._file.gone_to:
                self._recent[event.position] = event
                self.filled.set()
        while len(self._recent) > KEPT_IN_MEMORY:
            self._only_in_file = next(iter(self._recent))
            del self._recent[self._only_in_file]

    def settle(self, file: Waiting) -> None:
        """Go by what the file has now; acknowledgements it has not heard of count already."""
        self._file = file
        while self._heard < file.heard:
            self._unheard.popleft()
            self._heard += 1
        self._depth = file.depth - self._present(self._unheard)
        while self._recent and (first := next(iter(self._recent))) <= file.gone_to:
            del self._recent[first]

    def refill(self, last: int) -> None:
        """Begin anew with what is in the file, up to its newest place."""
        self._recent.clear()
        self._only_in_file = last
        if self._depth:
            self.filled.set()

    def _present(self, positions: Iterable[int]) -> int:
        """Count places that were not let go before."""
        return sum(position > self._file.gone_to for position in positions)
