"""A subscriber that remembers what it saw, in order."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Delivery, LineSettings, Message, Subscription
from table.errors import BrokerError

PATIENCE_SECONDS = 20.0


class Watcher:
    """What one connection saw so far; it can also publish."""

    def __init__(self, line: BrokerLine) -> None:
        self.line = line
        self.seen: list[Delivery] = []
        self._more = asyncio.Event()

    async def watch(self) -> None:
        """Look on until the line breaks."""
        with suppress(BrokerError):
            async for message in self.line.deliveries():
                self.seen.append(message)
                self._more.set()

    async def until(self, enough: Callable[[list[Delivery]], object]) -> list[Delivery]:
        """Wait until what was seen is enough, and return it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not enough(self.seen):
                self._more.clear()
                await self._more.wait()
        return self.seen

    async def count(self, topic_end: str, count: int) -> list[bytes]:
        """Wait for so many messages on topics with that end, and return their payloads."""
        await self.until(lambda _: len(self.payloads(topic_end)) >= count)
        return self.payloads(topic_end)

    def payloads(self, topic_part: str) -> list[bytes]:
        """Return the payloads seen on topics with that text in their name."""
        return [message.payload for message in self.seen if topic_part in message.topic]

    async def publish(self, message: Message) -> None:
        """Publish over the same line."""
        await self.line.publish(message)


@asynccontextmanager
async def watching(
    settings: LineSettings, filters: Sequence[str] = ("#",)
) -> AsyncIterator[Watcher]:
    """Watch topics as long as the context lasts."""
    async with connect(settings) as line, asyncio.TaskGroup() as tasks:
        watcher = Watcher(line)
        task = tasks.create_task(watcher.watch())
        await line.subscribe(*(Subscription(one, flag_retained=True) for one in filters))
        yield watcher
        task.cancel()
