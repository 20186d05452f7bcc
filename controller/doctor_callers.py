"""The doctor at the broker as each of its users: one connection for each login."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from mqtt.access import Holder
from mqtt.broker_line import BrokerLine, connect
from mqtt.connection import WINDOW
from mqtt.messages import Delivery, LineSettings, Message, Subscription
from table.errors import BrokerError


@dataclass(frozen=True, slots=True)
class Login:
    """A user and how to log in as one."""

    holder: Holder
    line: LineSettings


class Caller:
    """One user who is logged in, and what it has seen."""

    def __init__(self, login: Login, line: BrokerLine) -> None:
        self.login = login
        self.line = line
        self.seen: list[Delivery] = []

    @property
    def name(self) -> str:
        """The login."""
        return self.login.holder.login

    async def watch(self) -> None:
        """Look on until the line breaks."""
        with suppress(BrokerError):
            async for delivery in self.line.deliveries():
                self.seen.append(delivery)

    async def subscribe(self, *filters: str, retained: bool = False) -> None:
        """Look on at topics from now on; what may not be read is answered with success too."""
        for one in filters:
            subscription = Subscription(one, retained=retained, flag_retained=True)
            with suppress(BrokerError):
                await self.line.subscribe(subscription)

    async def send(self, messages: Iterable[Message]) -> set[str]:
        """Send messages, a window of them at a time, and return the topics that were refused.

        Raises:
            BrokerError: the line is broken.
        """
        refused: set[str] = set()
        for window in windows([*messages]):
            pending = [(message.topic, self.line.post(message)) for message in window]
            for topic, answer in pending:
                try:
                    await self.line.acknowledged(answer, topic)
                except BrokerError:
                    if answer.cancelled() or not answer.done():
                        raise
                    refused.add(topic)
        return refused

    async def catch_up(self) -> None:
        """Wait until all that the broker had for this user has been seen."""
        await self.line.catch_up()

    def has_seen(self, wanted: Callable[[Delivery], bool]) -> bool:
        """Say whether something was seen."""
        return any(map(wanted, self.seen))


def windows(messages: Sequence[Message]) -> Iterator[Sequence[Message]]:
    """Cut messages into parts that a broker takes without queueing."""
    for start in range(0, len(messages), WINDOW):
        yield messages[start : start + WINDOW]


@asynccontextmanager
async def calling(logins: Iterable[Login]) -> AsyncIterator[tuple[list[Caller], dict[str, str]]]:
    """Log in as every user; also return why some could not, by login."""
    callers: list[Caller] = []
    refusals: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        for login in logins:
            try:
                line = await stack.enter_async_context(_connected(login.line))
            except BrokerError as error:
                refusals[login.holder.login] = str(error)
            else:
                callers.append(Caller(login, line))
        watching = [asyncio.create_task(caller.watch()) for caller in callers]
        try:
            yield callers, refusals
        finally:
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)


@asynccontextmanager
async def _connected(settings: LineSettings) -> AsyncIterator[BrokerLine]:
    """Connect; a line that the broker has ended by then needs no orderly end."""
    async with AsyncExitStack() as stack:
        line = await stack.enter_async_context(connect(settings))
        try:
            yield line
        finally:
            with suppress(BrokerError):
                await stack.aclose()
