"""A node with live tables at a real broker, in virtual time, and who orders and watches."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path

from controller.alertness import Alertness
from controller.certificate_book import CertificateBook
from controller.forgetting import Forgetting
from controller.journal_file import JournalFile
from controller.node import Node
from controller.reception import Reception
from controller.recovery import recover
from controller.replay import Replay
from controller.table_certificate import Policy
from controller.table_core import TableState, step
from controller.table_loop import TableLoop
from controller.table_record import TableRecord
from drivers.port import Answer, Outcome
from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Delivery, Message
from mqtt.orders import ReplyPayload
from mqtt.payloads import Heartbeat
from mqtt.payloads_of_rulings import LedgerPayload
from mqtt.presence import Place
from mqtt.publisher import Publisher
from mqtt.rate import Rates
from mqtt.topics import Root, TopicKind
from table.alert_commands import Confirm, Modify
from table.commands import Command, Ordered, TableCommand
from table.events import Observed, Restarted, Woken
from table.moment import MILLISECOND, DeviceStamp, Interval, Quality
from tests.controller.live_table import journal_at
from tests.controller.verb_scenes import ALERT, PERSON, PLUGGED_IN, RULES, Happening, Scene
from tests.harness.broker import Mosquitto
from tests.harness.virtual_clock import VirtualClock
from tests.mqtt.watcher import Watcher, watching

LOGIN, NODE = "desk", "n1"
BEAT_SECONDS = 0.02
WITHOUT_NEWS = {TopicKind.HEARTBEAT, TopicKind.REPLY, TopicKind.TABLE_COMMAND}
WITHOUT_NEWS |= {TopicKind.NODE_COMMAND, TopicKind.VENUE_COMMAND}
"""What is said without anything having changed."""
_halls = count(1)


@dataclass
class Stage:
    """Everything of one node, and two clients: of MQTT 5 and of 3.1.1."""

    root: Root
    node: Node
    journal: JournalFile
    clock: VirtualClock
    watcher: Watcher
    old: BrokerLine
    tables: dict[str, TableRecord]
    loops: Mapping[str, TableLoop]
    ids: "count[int]" = field(default_factory=lambda: count(1))

    def message(self, topic: str, **fields: object) -> Message:
        """Return an order as MQTT 5 has it."""
        id_ = f"c{next(self.ids)}"
        payload = json.dumps({"id": id_, "person": PERSON, **fields}).encode()
        reply = self.root.reply(LOGIN, id_)
        return Message(topic, payload, expiry_seconds=5, response_topic=reply)

    async def answers(self, message: Message, *, old: bool = False) -> list[ReplyPayload]:
        """Send a message and return every reply to it."""
        topic = await self.send(message, old=old)
        await self.watcher.until(lambda _: self.replies(topic))
        await self.fence()
        return self.replies(topic)

    async def send(self, message: Message, *, old: bool = False) -> str:
        """Send a message as a client of either version, and return where it is answered."""
        if old:
            message = replace(message, expiry_seconds=None, response_topic=None)
        await (self.old if old else self.watcher.line).publish(message)
        return self._reply_topic(message)

    async def fence(self) -> None:
        """Return when everything has arrived that was to be kept or answered before now."""
        number = next(self.ids)
        marker = self.root.ledger("fence")
        payload = LedgerPayload(table="fence", seq=number, time=self.clock.utc())
        self.node.press.retain(marker, payload)
        asked = await self.send(self.message(self.root.node_command(LOGIN, NODE, "fence")))
        await self.watcher.until(lambda _: payload.encode() in self.watcher.payloads(marker))
        await self.watcher.until(lambda _: self.replies(asked))

    def news(self, since: int = 0) -> list[str]:
        """Return the topics on which anything was told but replies and heartbeats."""
        topics = (one.topic for one in self.watcher.seen[since:])
        return [topic for topic in topics if self._is_news(topic)]

    def _is_news(self, topic: str) -> bool:
        to = self.root.parse(topic)
        return to is not None and to.kind not in WITHOUT_NEWS and to.table != "fence"

    def replies(self, topic: str) -> list[ReplyPayload]:
        """Return what was told on a topic of replies."""
        return [
            ReplyPayload.model_validate_json(one.payload)
            for one in self.watcher.seen
            if one.topic == topic
        ]

    def _reply_topic(self, message: Message) -> str:
        asked = message.response_topic
        if asked and self.root.parse(asked) and f"/reply/{LOGIN}/" in asked:
            return asked
        return self.root.reply(LOGIN, json.loads(message.payload)["id"])

    async def play(self, scenes: Mapping[str, Scene]) -> None:
        """Have scenes happen at all tables at the same time, and wait until all of it was told."""
        for loop in self.loops.values():
            loop.offer(Restarted("the test begins"))
            loop.offer(PLUGGED_IN)
        began = self.clock.now()
        for at, table, happening in sorted(_planned(scenes), key=lambda one: one[0]):
            await self.clock.advance(at - (self.clock.now() - began))
            self.loops[table].offer(self._stimulus(happening))
            await self.clock.settle()
        await self.told()

    def states(self) -> dict[str, tuple[TableState, int]]:
        """Return what every table is like once time has passed to now, and its number."""
        now = self.clock.now()
        return {
            table: (step(RULES, record.state, Woken(), now).state, record.seq)
            for table, record in self.tables.items()
        }

    async def told(self) -> None:
        """Wait until the journal has everything, and the watcher every event."""
        await self.clock.settle()
        for table, record in self.tables.items():
            while record.kept.seq != record.seq:
                await self.journal.probe()
            await self.watcher.until(partial(self._events_told, table, record.kept.seq))
        await self.fence()

    def _events_told(self, table: str, newest: int, seen: list[Delivery]) -> bool:
        """Say whether the newest event of a table was told; they come in their order."""
        events = self.root.event(table, "x").removesuffix("x")
        told = next((one for one in reversed(seen) if one.topic.startswith(events)), None)
        return newest == (json.loads(told.payload)["tableseq"] if told else 0)

    def _stimulus(self, happening: Happening) -> Ordered | Observed:
        if isinstance(happening, Command):
            return Ordered(happening, PERSON)
        now = self.clock.now()
        stamp = DeviceStamp("box-1", timedelta(microseconds=now.micros), MILLISECOND)
        return Observed(happening, Interval(now, now, Quality.DEVICE, stamp))


def _planned(scenes: Mapping[str, Scene]) -> Iterator[tuple[timedelta, str, Happening]]:
    """Yield when what happens at which table; alerts are named as the table names them."""
    for table, scene in scenes.items():
        at = timedelta(0)
        for after, happening in scene:
            at += timedelta(seconds=after)
            if isinstance(happening, Confirm | Modify):
                yield at, table, replace(happening, alert=ALERT.replace("t1", table))
            else:
                yield at, table, happening


async def _done(_: TableCommand) -> Answer:
    return Answer(Outcome.DONE)


@asynccontextmanager
async def stage(
    broker: Mosquitto, folder: Path, scenes: Mapping[str, Scene]
) -> AsyncIterator[Stage]:
    """Run a node with tables at which these scenes have happened; it keeps a venue of its own."""
    clock, root = VirtualClock(), Root("mahjong", f"hall-{next(_halls)}")
    place = Place(
        root,
        NODE,
        7,
        clock.utc(),
        tuple(scenes),
        keeps_venue=True,
        will_delay_seconds=0,
        beat_seconds=BEAT_SECONDS,
    )
    async with (
        journal_at(folder / "j", clock) as journal,
        watching(broker.line("watcher"), [f"{root.path}/#"]) as watcher,
        connect(broker.line("old", protocol="3.1.1")) as old,
        asyncio.TaskGroup() as tasks,
    ):
        receptions: list[Reception] = []
        publisher = Publisher(
            broker.line(""),
            place,
            journal.outbox,
            lambda heard: receptions[0].receive(heard),  # noqa: PLW0108 - there is none yet
            lambda: Heartbeat(node=NODE, session=7, time=clock.utc(), uptime_ms=0),
        )
        node = Node(NODE, root, clock, clock.now(), journal, publisher)
        records = {
            name: TableRecord(node, name, RULES, recover(journal, RULES, name)) for name in scenes
        }
        loops = {
            name: TableLoop(RULES, record, clock, _done, lambda: None)
            for name, record in records.items()
        }
        rates = Rates(1_000_000, 1_000_000)
        replay = Replay(node, publisher.answered)
        receptions.append(Reception(node, loops, Alertness(VirtualClock()), rates, replay.ask))
        receptions[0].keep_certificates(CertificateBook(node, Policy.WARN))
        forgetting = Forgetting(node, broker.line("sweeper"), BEAT_SECONDS)
        receptions[0].keep_venue(forgetting.take)
        running = [tasks.create_task(loop.run()) for loop in loops.values()]
        running += [tasks.create_task(replay.run()), tasks.create_task(forgetting.run())]
        speaking = tasks.create_task(publisher.serve())
        await publisher.connected.wait()
        made = Stage(root, node, journal, clock, watcher, old, records, loops)
        await made.play(scenes)
        yield made
        publisher.stop()
        await speaking
        for task in running:
            task.cancel()
