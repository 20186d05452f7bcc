"""A made-up node on a real broker: publishes what the contract says and answers commands."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import LineSettings, Message, Subscription
from mqtt.orders import CommandPayload, ReplyPayload
from mqtt.parts import Payload
from mqtt.payloads import EventEnvelope, TableAvailability, TableMeta, TableSnapshot, Timers
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.topics import TopicKind
from tests.board import scenery
from tests.board.scenery import NODE, NOON, ROOT


class Venue:
    """The made-up node.

    `heard` holds the commands in order, as (verb, table or node, command); `reply` is what it
    answers next, None to answer nothing.
    """

    def __init__(self, line: BrokerLine) -> None:
        self._line = line
        self._start = asyncio.get_running_loop().time() - 60
        self.heard: asyncio.Queue[tuple[str, str, CommandPayload]] = asyncio.Queue()
        self.reply: dict[str, str] | None = {"status": "done"}

    @property
    def uptime_ms(self) -> int:
        """The node's clock now."""
        return int((asyncio.get_running_loop().time() - self._start) * 1000)

    async def publish(self, topic: str, payload: Payload | None, *, retain: bool = True) -> None:
        body = payload.encode() if payload else b""
        await self._line.publish(Message(topic, body, retain=retain))

    async def open_up(self, *tables: str) -> None:
        """Publish what a node publishes when it comes online, tables in play included."""
        await self.publish(ROOT.node_meta(NODE), scenery.node_meta())
        await self.publish(ROOT.node_availability(NODE), scenery.node_availability())
        await self.beat()
        for table in tables:
            await self.show(
                scenery.table_meta(table, f"Table {table.removeprefix('t')}"),
                scenery.table_availability(table),
                scenery.snapshot(table, as_of_ms=self.uptime_ms),
                scenery.timers(table, self.uptime_ms, seat_2=scenery.running(9_500)),
            )

    async def beat(self) -> None:
        beat = scenery.beat(self.uptime_ms)
        await self.publish(ROOT.heartbeat(NODE), beat, retain=False)

    async def show(self, *payloads: Payload) -> None:
        """Publish payloads, each where it belongs."""
        for payload in payloads:
            topic, retain = place(payload)
            await self.publish(topic, payload, retain=retain)

    async def settle(self, alert: AlertPayload) -> None:
        """Empty the topic of an alert that was decided."""
        await self.publish(ROOT.alert(alert.table, alert.alert), None)

    async def keep_beating(self) -> None:
        while True:
            await asyncio.sleep(2)
            await self.beat()

    async def answer(self) -> None:
        """Hear commands and reply to them, for ever."""
        for kind in (TopicKind.TABLE_COMMAND, TopicKind.NODE_COMMAND):
            await self._line.subscribe(Subscription(ROOT.every(kind)))
        async for delivery in self._line.deliveries():
            address = ROOT.parse(delivery.topic)
            assert address
            command = CommandPayload.model_validate_json(delivery.payload)
            self.heard.put_nowait((address.name, address.table or address.node, command))
            if self.reply is not None:
                fields = {"id": command.id, "time": NOON, **self.reply}
                topic = ROOT.reply(address.login, command.id)
                await self.publish(topic, ReplyPayload.model_validate(fields), retain=False)


def place(payload: Payload) -> tuple[str, bool]:
    """Return the topic of a payload, and whether it is retained there."""
    if isinstance(payload, EventEnvelope):
        kind = payload.type.removeprefix("tablewarden.")
        return ROOT.event(payload.subject, kind), False
    if isinstance(payload, AlertPayload):
        return ROOT.alert(payload.table, payload.alert), True
    fields = payload.model_dump()
    return _PLACES[type(payload)](fields["table"]), True


_PLACES: dict[type[Payload], Callable[[str], str]] = {
    TableMeta: ROOT.table_meta,
    TableAvailability: ROOT.table_availability,
    TableSnapshot: ROOT.state,
    Timers: ROOT.timers,
    LedgerPayload: ROOT.ledger,
}


@asynccontextmanager
async def venue_on(settings: LineSettings) -> AsyncIterator[Venue]:
    """Run the made-up node on a broker, heartbeat and replies included."""
    async with connect(settings) as line:
        venue = Venue(line)
        tasks = [asyncio.create_task(venue.keep_beating()), asyncio.create_task(venue.answer())]
        try:
            yield venue
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
