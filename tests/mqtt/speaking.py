"""A node that speaks at a broker, in this process or in one of its own that can be killed."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from mqtt.inbox import Heard
from mqtt.messages import LineSettings, Protocol
from mqtt.orders import ReplyPayload
from mqtt.parts import Payload
from mqtt.payloads import Heartbeat, TableAvailability
from mqtt.payloads_of_rulings import LedgerPayload
from mqtt.presence import Place
from mqtt.publisher import Publisher
from mqtt.topics import Root
from tests.mqtt.memory_outbox import MemoryOutbox

ROOT = Root("mahjong", "hall")
NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
PLACE = Place(ROOT, "n1", 7, NOON, ("t1", "t2"), will_delay_seconds=0)


def pulse(place: Place = PLACE) -> Heartbeat:
    """Return the heartbeat of a node whose clock stands still."""
    return Heartbeat(node=place.node, session=place.session, time=NOON, uptime_ms=5000)


def some_ledger(seq: int = 0) -> Payload:
    """Return a payload that is told from others by its number."""
    return LedgerPayload(table="t1", seq=seq, time=NOON)


def some_availability() -> Payload:
    """Return a table that is there."""
    return TableAvailability(table="t1", status="online", time=NOON)


def some_reply() -> ReplyPayload:
    """Return an answer to a command."""
    return ReplyPayload(id="c1", status="done", time=NOON)


@dataclass
class Node:
    """A publisher with an outbox, and what it heard."""

    settings: LineSettings
    place: Place = PLACE
    outbox: MemoryOutbox = field(default_factory=MemoryOutbox)
    heard: asyncio.Queue[Heard] = field(default_factory=asyncio.Queue)

    def __post_init__(self) -> None:
        self.publisher = Publisher(
            self.settings,
            self.place,
            self.outbox,
            self.heard.put_nowait,
            partial(pulse, self.place),
        )

    async def hears(self) -> Heard:
        """Wait for the next command."""
        async with asyncio.timeout(10):
            return await self.heard.get()


@asynccontextmanager
async def speaking(node: Node) -> AsyncIterator[Publisher]:
    """Have a node speak as long as the context lasts, and end with a farewell."""
    async with asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(node.publisher.serve())
        async with asyncio.timeout(10):
            await node.publisher.connected.wait()
        yield node.publisher
        node.publisher.stop()
        await serving


async def _speak(port: int, session: int, will_delay_seconds: int, protocol: Protocol) -> None:
    place = replace(PLACE, session=session, will_delay_seconds=will_delay_seconds)
    settings = LineSettings("127.0.0.1", port, "", protocol=protocol)
    await Node(settings, place).publisher.serve()


if __name__ == "__main__":
    _port, _session, _delay = (int(argument) for argument in sys.argv[1:4])
    asyncio.run(_speak(_port, _session, _delay, "3.1.1" if sys.argv[4] == "3.1.1" else "5"))
