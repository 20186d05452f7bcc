"""Carries the outbox to the broker: sending and forgetting overlap, order holds."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence

from mqtt.broker_line import BrokerLine
from mqtt.messages import Message
from mqtt.outbox import Outbox, OutgoingEvent
from mqtt.topics import Root
from table.errors import JournalError

BATCH = 500
"""So many are read at once; the journal writes nothing meanwhile (house choice)."""
LOOK_AGAIN_SECONDS = 1.0
"""After the journal could not be read (house choice)."""
CONTENT_TYPE = "application/cloudevents+json"
_log = logging.getLogger(__name__)


class Drain:
    """Sends waiting events over one line, from the first that the broker has not acknowledged.

    A window of them is under way at a time, so that no more are sent again after the line broke.

    Args:
        outbox: where the events wait.
        root: the topics of the venue.
        line: used until it breaks.
    """

    def __init__(self, outbox: Outbox, root: Root, line: BrokerLine) -> None:
        self._outbox = outbox
        self._root = root
        self._line = line
        self._under_way: deque[tuple[int, str, asyncio.Future[None]]] = deque()
        self._room = asyncio.Semaphore(line.window)
        self._posted = asyncio.Event()
        self._nothing_found = False
        self.empty = asyncio.Event()
        """Set while nothing waits."""

    async def run(self) -> None:
        """Work until cancelled.

        Raises:
            BrokerError: the line broke; what was not acknowledged stays in the outbox.
        """
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._send())
            tasks.create_task(self._forget())

    async def _send(self) -> None:
        taken = 0
        while True:
            self._outbox.filled.clear()
            batch = await self._next_batch(taken)
            for event in batch:
                await self._room.acquire()
                self._post(event)
                taken = event.position
            if batch:
                self._line.hurry()
                continue
            self._nothing_found = True
            self._tell_if_empty()
            await self._outbox.filled.wait()
            self._nothing_found = False
            self.empty.clear()

    async def _next_batch(self, taken: int) -> Sequence[OutgoingEvent]:
        """Look until the journal can be read; meanwhile everything else goes on."""
        told = False
        while True:
            try:
                return await self._outbox.next_batch(taken, BATCH)
            except JournalError as error:
                if not told:
                    _log.warning("events wait for the journal: %s", error)
                told = True
                await asyncio.sleep(LOOK_AGAIN_SECONDS)

    def _post(self, event: OutgoingEvent) -> None:
        topic = self._root.event(event.table, event.kind)
        pending = self._line.post(Message(topic, event.payload, content_type=CONTENT_TYPE))
        self._under_way.append((event.position, topic, pending))
        self._posted.set()

    async def _forget(self) -> None:
        while True:
            await self._posted.wait()
            acknowledged = [await self._oldest()]
            while self._under_way and self._under_way[0][-1].done():
                acknowledged.append(await self._oldest())
            await self._outbox.acknowledge(acknowledged)
            for _ in acknowledged:
                self._room.release()
            self._tell_if_empty()

    async def _oldest(self) -> int:
        """Wait until the broker has the oldest event under way and return its position."""
        position, topic, pending = self._under_way[0]
        await self._line.acknowledged(pending, topic)
        self._under_way.popleft()
        if not self._under_way:
            self._posted.clear()
        return position

    def _tell_if_empty(self) -> None:
        if self._nothing_found and not self._under_way:
            self.empty.set()
