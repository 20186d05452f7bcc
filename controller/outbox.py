"""The outbox of the journal: events wait in its file; the newest also in memory, to save reading.

Obeys `mqtt.outbox.Outbox`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import islice
from typing import TypeAlias

from mqtt.outbox import OutgoingEvent

KEPT_IN_MEMORY = 1024
"""Events beyond this many are read from the file when their turn comes."""

Read: TypeAlias = Callable[[int, int], Awaitable[Sequence[OutgoingEvent]]]
"""Reads from the file: the place after which, and how many at most."""


class JournalOutbox:
    """Events in the order in which they became durable, kept until the broker has them.

    Args:
        read: reads events from the file.
        forget: has events removed from the file, sooner or later.
        last: the newest place in the file; what is there already is not in memory.
        depth: how many events wait in the file.
    """

    def __init__(
        self, read: Read, forget: Callable[[Sequence[int]], None], last: int = 0, depth: int = 0
    ) -> None:
        self.filled = asyncio.Event()
        self._read = read
        self._forget = forget
        self._recent: dict[int, OutgoingEvent] = {}
        self._only_in_file = 0
        self._depth = 0
        self.refill(last, depth)

    @property
    def depth(self) -> int:
        """How many events wait."""
        return self._depth

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
        self._depth -= len(positions)
        for position in positions:
            self._recent.pop(position, None)
        self._forget(positions)

    def add(self, events: Iterable[OutgoingEvent]) -> None:
        """Take events that have just become durable."""
        for event in events:
            self._recent[event.position] = event
            self._depth += 1
            self.filled.set()
        while len(self._recent) > KEPT_IN_MEMORY:
            self._only_in_file = next(iter(self._recent))
            del self._recent[self._only_in_file]

    def refill(self, last: int, depth: int) -> None:
        """Begin anew with what is in the file."""
        self._recent.clear()
        self._only_in_file = last
        self._depth = depth
        if depth:
            self.filled.set()
