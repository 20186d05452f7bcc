"""Carries the outbox to the broker: looking, sending and forgetting overlap, order holds."""

import asyncio
import logging
from collections.abc import Sequence

from mqtt.broker_line import BrokerLine
from mqtt.messages import Message
from mqtt.outbox import Outbox, OutgoingEvent
from mqtt.topics import Root
from table.errors import JournalError

BATCH = 200
LOOK_AGAIN_SECONDS = 1.0
"""After the journal could not be read (house choice)."""
CONTENT_TYPE = "application/cloudevents+json"
_log = logging.getLogger(__name__)


class Drain:
    """Sends waiting events over one line, from the first that the broker has not acknowledged.

    Args:
        outbox: where the events wait.
        root: the topics of the venue.
        line: used until it breaks.
    """

    def __init__(self, outbox: Outbox, root: Root, line: BrokerLine) -> None:
        self._outbox = outbox
        self._root = root
        self._line = line
        self._looked: asyncio.Queue[Sequence[OutgoingEvent]] = asyncio.Queue(1)
        self._sent: asyncio.Queue[Sequence[OutgoingEvent]] = asyncio.Queue(1)
        self._unfinished = 0
        self._nothing_found = False
        self.empty = asyncio.Event()
        """Set while nothing waits."""

    async def run(self) -> None:
        """Work until cancelled.

        Raises:
            BrokerError: the line broke; what was not acknowledged stays in the outbox.
        """
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._look())
            tasks.create_task(self._send())
            tasks.create_task(self._forget())

    async def _look(self) -> None:
        taken = 0
        while True:
            self._outbox.filled.clear()
            batch = await self._next_batch(taken)
            if batch:
                self._unfinished += 1
                taken = batch[-1].position
                await self._looked.put(batch)
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

    async def _send(self) -> None:
        while True:
            batch = await self._looked.get()
            await self._line.publish_all(self._message(event) for event in batch)
            await self._sent.put(batch)

    async def _forget(self) -> None:
        while True:
            batch = await self._sent.get()
            await self._outbox.acknowledge([event.position for event in batch])
            self._unfinished -= 1
            self._tell_if_empty()

    def _tell_if_empty(self) -> None:
        if self._nothing_found and not self._unfinished:
            self.empty.set()

    def _message(self, event: OutgoingEvent) -> Message:
        topic = self._root.event(event.table, event.kind)
        return Message(topic, event.payload, content_type=CONTENT_TYPE)
