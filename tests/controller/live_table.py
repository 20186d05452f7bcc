"""One live table of the tests: real core, record and journal; virtual time, no wire, no broker."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from config.models import Event, Settings
from config.models import Node as NodeSettings
from controller.journal import Boot, Journal
from controller.journal_file import JournalFile
from controller.node import Node
from controller.recovery import recover
from controller.table_loop import TableLoop
from controller.table_record import TableRecord
from controller.table_rules import rules_of
from drivers.port import Answer, Outcome
from mqtt.inbox import Request
from mqtt.inquiries import Inquiry
from mqtt.orders import ReplyPayload
from mqtt.parts import Payload
from mqtt.topics import Root
from table.commands import ALWAYS, Command, Ordered, Precondition, TableCommand
from table.events import LinkUp, Observed, Restarted, TableEvent
from table.moment import MILLISECOND, DeviceStamp, Interval, Quality
from tests.harness.virtual_clock import VirtualClock

ROOT = Root("mahjong", "hall")
RULES = rules_of(
    Settings(node=NodeSettings(id="node-1", venue="hall"), event=Event(ruleset="mcr-2014"))
)
PATIENCE = 10.0


def ask_nothing(inquiry: Inquiry) -> None:
    """Stand in for a replay where nothing is asked of the past."""
    raise AssertionError(inquiry)


@dataclass
class HeardPress:
    """Obeys `controller.node.Press` and remembers what it was given."""

    retained: dict[str, Payload] = field(default_factory=dict)
    replies: list[ReplyPayload] = field(default_factory=list)
    stirred: asyncio.Event = field(default_factory=asyncio.Event)

    def retain(self, topic: str, payload: Payload) -> None:
        self.retained[topic] = payload
        self.stirred.set()

    def clear(self, topic: str) -> None:
        self.retained.pop(topic, None)
        self.stirred.set()

    def reply(self, topic: str, payload: ReplyPayload) -> None:
        assert topic in {ROOT.reply(login, payload.id) for login in ("board", "desk")}
        self.replies.append(payload)
        self.stirred.set()

    async def until(self, met: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not met():
                self.stirred.clear()
                await self.stirred.wait()

    def alerts(self) -> list[Payload]:
        return [said for topic, said in self.retained.items() if "/alert/" in topic]


@dataclass
class LiveTable:
    """A table in virtual time."""

    clock: VirtualClock
    journal: Journal
    press: HeardPress = field(default_factory=HeardPress)
    name: str = "t1"
    sent: list[TableCommand] = field(default_factory=list)
    answer: Answer = field(default_factory=lambda: Answer(Outcome.DONE))

    def __post_init__(self) -> None:
        node = Node("node-1", ROOT, self.clock, self.clock.now(), self.journal, self.press)
        self.record = TableRecord(node, "Table 1", RULES, recover(self.journal, RULES, self.name))
        self.loop = TableLoop(RULES, self.record, self.clock, self._send, lambda: None)
        self.loop.offer(Restarted("the test begins"))
        self.loop.offer(LinkUp(holds=False, draws=True))

    async def _send(self, command: TableCommand) -> Answer:
        self.sent.append(command)
        return self.answer

    async def happen(self, event: TableEvent, after: float = 0) -> None:
        """Let time pass, then have the table report an event that happened right now."""
        await self.clock.advance(timedelta(seconds=after))
        now = self.clock.now()
        stamp = DeviceStamp("box-1", timedelta(microseconds=now.micros), MILLISECOND)
        self.loop.offer(Observed(event, Interval(now, now, Quality.DEVICE, stamp)))
        await self.clock.settle()

    async def order(
        self, command: Command, command_id: str, precondition: Precondition = ALWAYS
    ) -> ReplyPayload:
        """Order something and wait for what is answered first."""
        heard = len(self.press.replies)
        request = Request(
            id=command_id,
            login="board",
            person="Referee A",
            table="t1",
            verb="any",
            command=command,
            precondition=precondition,
            reply_topic=ROOT.reply("board", command_id),
            expiry_seconds=5,
        )
        self.loop.offer(Ordered(command, "Referee A", precondition), request)
        await self.press.until(lambda: len(self.press.replies) > heard)
        return self.press.replies[heard]


@asynccontextmanager
async def running(
    journal: Journal,
    clock: VirtualClock | None = None,
    name: str = "t1",
    press: HeardPress | None = None,
) -> AsyncIterator[LiveTable]:
    table = LiveTable(clock or VirtualClock(), journal, press or HeardPress(), name)
    task = asyncio.create_task(table.loop.run())
    try:
        await table.clock.settle()
        yield table
    finally:
        task.cancel()
        await asyncio.wait([task])


@asynccontextmanager
async def journal_at(path: Path, clock: VirtualClock) -> AsyncIterator[JournalFile]:
    journal = await JournalFile.open(path, Boot("boot", clock.now(), clock.utc(), "0.1.0"))
    try:
        yield journal
    finally:
        await journal.close()
