"""A node that says what a test wants it to say, and answers `replay` as the test wants."""

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, cast

from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import LineSettings, Message, Subscription
from mqtt.orders import ReplyPayload
from mqtt.parts import Face, Payload
from mqtt.payloads import (
    Availability,
    EventEnvelope,
    Heartbeat,
    NodeAvailability,
    TableAvailability,
    TableMeta,
    TableSnapshot,
    Timers,
)
from mqtt.topics import Root, TopicKind
from table.seat import Seat
from table.wind import Wind

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
ROOT = Root("mahjong", "demo")
TABLE, NODE, EPOCH = "t1", "n1", 3
META = TableMeta(table=TABLE, name="Table 1", node=NODE, time=NOON, ruleset="mcr-2014")
SNAPSHOT = TableSnapshot(
    table=TABLE,
    name="Table 1",
    seq=1,
    as_of_ms=90_000,
    time=NOON,
    link="up",
    machine_phase="raised",
    machine_seq=3,
    hand_phase="turn",
    hand="t1-5",
    hand_number=5,
    on_turn=Seat.ONE,
    seat_winds=dict(zip(Seat, Wind, strict=True)),
    players={seat: f"player-{seat}" for seat in Seat},
    missed_presses=dict.fromkeys(Seat, 0),
)


def face(remaining_ms: int, *, running: bool = False, over: bool = False) -> Face:
    """Return a clock of a turn."""
    return Face(kind="turn", running=running, total_ms=20_000, remaining_ms=remaining_ms, over=over)


TIMERS = Timers(
    table=TABLE,
    seq=1,
    as_of_ms=90_000,
    time=NOON,
    seats={
        Seat.ONE: face(1_000_000, running=True),
        Seat.TWO: face(7_300),
        Seat.THREE: face(-5, over=True),
        Seat.FOUR: None,
    },
    window=face(12_000, running=True),
)


def event(tableseq: int, previous: int, epoch: int = EPOCH) -> EventEnvelope:
    """Return an event for everyone."""
    return EventEnvelope(
        id=f"{TABLE}-{epoch}-{tableseq}",
        source=f"/{ROOT.path}/node/{NODE}",
        type="tablewarden.drawn",
        subject=TABLE,
        time=NOON,
        tableseq=tableseq,
        epoch=epoch,
        previous=previous,
        cause="table",
        causeid="",
        data={"seat": 1},
    )


@dataclass(frozen=True)
class MadeUpNode:
    """Speaks over a line of its own."""

    line: BrokerLine

    async def open_up(self) -> None:
        """Tell of a table in play."""
        await self.tell(ROOT.table_meta(TABLE), META)
        await self.tell(ROOT.state(TABLE), SNAPSHOT)
        await self.tell(ROOT.timers(TABLE), TIMERS)
        await self.reach("online")

    async def beat(self, uptime_ms: int, session: int = 1) -> None:
        """Send a heartbeat."""
        said = Heartbeat(node=NODE, session=session, time=NOON, uptime_ms=uptime_ms)
        await self.line.publish(Message(ROOT.heartbeat(NODE), said.encode()))

    async def is_there(self, status: Literal["online", "offline"], session: int = 1) -> None:
        """Tell whether the node is online."""
        said = NodeAvailability(node=NODE, status=status, session=session, since=NOON, time=NOON)
        await self.tell(ROOT.node_availability(NODE), said)

    async def reach(self, status: Availability) -> None:
        """Tell whether the table can be reached."""
        said = TableAvailability(table=TABLE, status=status, time=NOON)
        await self.tell(ROOT.table_availability(TABLE), said)

    async def tell(self, topic: str, payload: Payload) -> None:
        """Say something that the broker keeps."""
        await self.line.publish(Message(topic, payload.encode(), retain=True))

    async def happens(self, *events: EventEnvelope) -> None:
        """Send events."""
        for each in events:
            await self.line.publish(Message(ROOT.event(TABLE, "drawn"), each.encode()))

    async def asked(self) -> dict[str, Any]:
        """Wait until somebody asks for a replay, and return the order with its `login`."""
        async for delivery in self.line.deliveries():
            address = ROOT.parse(delivery.topic)
            assert address is not None
            return cast("dict[str, Any]", json.loads(delivery.payload)) | {"login": address.login}
        raise AssertionError

    async def answer(
        self,
        order: dict[str, Any],
        status: Literal["accepted", "done", "rejected"],
        events: Iterable[EventEnvelope] = (),
        code: str = "",
    ) -> None:
        """Send a page, or the end of an answer."""
        page = tuple(events)
        said = ReplyPayload(id=order["id"], status=status, code=code, events=page, time=NOON)
        await self.line.publish(Message(ROOT.reply(order["login"], order["id"]), said.encode()))


@asynccontextmanager
async def made_up_node(settings: LineSettings) -> AsyncIterator[MadeUpNode]:
    """Be a node with one table as long as the context lasts."""
    async with connect(settings) as line:
        questions = ROOT.every(TopicKind.TABLE_COMMAND, table=TABLE, name="replay")
        await line.subscribe(Subscription(questions))
        node = MadeUpNode(line)
        await node.open_up()
        yield node
