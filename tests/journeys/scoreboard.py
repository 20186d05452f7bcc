"""A subscriber of everything, as other people's programs are: keeps what it was told."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Delivery, LineSettings, Message, Subscription
from mqtt.payloads import EventEnvelope
from mqtt.topics import Root, TopicKind
from table.errors import BrokerError
from tests.harness.broker import Mosquitto

ROOT = Root("mahjong", "hall")
PATIENCE = 60.0
POLL_SECONDS = 0.02


class Scoreboard:
    """What a subscriber knows; it connects again whenever the broker was away."""

    def __init__(self) -> None:
        self.deliveries: list[Delivery] = []
        self.newest: dict[str, Delivery] = {}
        """By topic."""
        self.events: dict[str, EventEnvelope] = {}
        """By id, in the order of their first arrival."""
        self.texts: dict[str, set[bytes]] = {}
        """Every text in which an event was told, by its id."""
        self.connected = asyncio.Event()
        self._stirred = asyncio.Event()

    def of(self, kind: str, table: str = "") -> list[EventEnvelope]:
        """Return the events of a kind in their order; an event told twice counts once."""
        wanted = f"tablewarden.{kind}"
        events = (event for event in self.events.values() if event.type == wanted)
        return [event for event in events if table in {"", event.subject}]

    def shown(self, kind: TopicKind) -> dict[str, Delivery]:
        """Return what stands on the topics of a kind, without those that were emptied."""
        return {
            topic: delivery
            for topic, delivery in self.newest.items()
            if delivery.payload and (address := ROOT.parse(topic)) and address.kind is kind
        }

    async def until(self, met: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait until what was told fulfils a condition."""
        async with asyncio.timeout(seconds):
            while not met():
                self._stirred.clear()
                await self._stirred.wait()

    async def follow(self, line: LineSettings) -> None:
        """Read for ever, over one connection after the other."""
        while True:
            try:
                async with connect(line) as broker:
                    await self._read(broker)
            except BrokerError:
                self.connected.clear()
                await asyncio.sleep(POLL_SECONDS)

    async def _read(self, line: BrokerLine) -> None:
        await line.subscribe(Subscription(f"{ROOT.path}/#"))
        self.connected.set()
        async for delivery in line.deliveries():
            self._take(delivery)
            self._stirred.set()

    def _take(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)
        self.newest[delivery.topic] = delivery
        address = ROOT.parse(delivery.topic)
        if address and address.kind is TopicKind.EVENT:
            event = EventEnvelope.model_validate_json(delivery.payload)
            self.events.setdefault(event.id, event)
            self.texts.setdefault(event.id, set()).add(delivery.payload)


def patient(line: LineSettings) -> LineSettings:
    """Return the settings of somebody who waits for a broker that holds its breath."""
    return replace(line, keepalive_seconds=60, answer_seconds=PATIENCE)


@asynccontextmanager
async def scoreboard(broker: Mosquitto) -> AsyncIterator[Scoreboard]:
    """Run a subscriber as long as the context lasts."""
    seen = Scoreboard()
    following = asyncio.create_task(seen.follow(patient(broker.line("scoreboard"))))
    try:
        async with asyncio.timeout(PATIENCE):
            await seen.connected.wait()
        yield seen
    finally:
        following.cancel()
        await asyncio.wait([following])
    assert following.cancelled(), following.exception()


async def retained(broker: Mosquitto) -> dict[str, bytes]:
    """Return what the broker keeps below our root, as it tells somebody who just came."""
    kept: dict[str, bytes] = {}
    marker = ROOT.reply("newcomer", "all-told")
    async with connect(broker.line("newcomer")) as line:
        await line.subscribe(Subscription(f"{ROOT.path}/#"))
        await line.publish(Message(marker))
        async for delivery in line.deliveries():
            if delivery.topic == marker:
                break
            if delivery.retained:
                kept[delivery.topic] = delivery.payload
    return kept
