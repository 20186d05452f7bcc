"""An outbox without a journal: obeys `mqtt.outbox.Outbox`."""

import asyncio
from collections.abc import Sequence
from itertools import islice

from mqtt.outbox import OutgoingEvent
from table.errors import JournalError


class MemoryOutbox:
    """Events by position, from 1 on."""

    def __init__(self, count: int = 0) -> None:
        self.filled = asyncio.Event()
        self.waiting: dict[int, OutgoingEvent] = {}
        self.readable = True
        self._last = 0
        self.add(count)

    @property
    def depth(self) -> int:
        return len(self.waiting)

    def add(self, count: int) -> None:
        """Let so many more events wait; the payload is the position."""
        for position in range(self._last + 1, self._last + count + 1):
            payload = str(position).encode()
            self.waiting[position] = OutgoingEvent(position, "t1", "discarded", payload)
        self._last += count
        self.filled.set()

    async def next_batch(self, after: int, limit: int) -> Sequence[OutgoingEvent]:
        await asyncio.sleep(0)
        if not self.readable:
            message = "the journal cannot be read"
            raise JournalError(message)
        return list(islice((e for e in self.waiting.values() if e.position > after), limit))

    async def acknowledge(self, positions: Sequence[int]) -> None:
        await asyncio.sleep(0)
        for position in positions:
            del self.waiting[position]
