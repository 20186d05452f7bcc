"""A broker that is away while thousands of events gather: what it does not get, replay brings."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from controller.alertness import Alertness
from controller.journal_file import JournalFile
from controller.node import Node
from controller.reception import Reception
from controller.replay import Replay
from mqtt.inbox import Heard
from mqtt.messages import LineSettings, Message, Protocol
from mqtt.orders import ReplyPayload
from mqtt.payloads import EventEnvelope, Heartbeat
from mqtt.presence import Place
from mqtt.publisher import Publisher
from mqtt.rate import Rates
from table.events import DealEnded, DiscardPressed, Observed
from table.moment import Interval, Quality
from tests.controller.kept_table import BOOT, NOON, START, Table
from tests.controller.live_table import ROOT, RULES, LiveTable, running
from tests.harness.broker import Mosquitto
from tests.mqtt.watcher import Watcher, watching

MOST = 300
PLACE = Place(ROOT, "node-1", 7, NOON, ("t1",), will_delay_seconds=0)
READERS = (f"{ROOT.path}/event/#", f"{ROOT.path}/reply/board/#", f"{ROOT.path}/hb/#")


async def play(journal: JournalFile, discards: int) -> None:
    """Have seats discard in turn, every 5 s, until it is all durable."""
    table = Table(RULES, journal)
    now = START
    table.happens(now, Observed(DealEnded(), Interval.exactly(now)))
    for _ in range(discards):
        now += timedelta(seconds=5)
        seat = table.record.state.hand.on_turn or table.record.state.hand.dealer
        pressed = Interval.exactly(now, Quality.DEVICE)
        table.happens(now, Observed(DiscardPressed(seat), pressed))
    assert all(await asyncio.gather(*(kept for _, kept in table.turns)))


class Daemon:
    """A node with one table, as far as its journal and the broker are concerned."""

    def __init__(self, line: LineSettings, table: LiveTable, journal: JournalFile) -> None:
        pulse = partial(beat, journal)
        self.publisher = Publisher(line, PLACE, journal.outbox, self._heed, pulse)
        node = Node("node-1", ROOT, table.clock, START, journal, self.publisher)
        self.replay = Replay(node, self.publisher.answered)
        loops, rates = {"t1": table.loop}, Rates(20, 60)
        self._reception = Reception(node, loops, Alertness(table.clock), rates, self.replay.ask)

    def _heed(self, heard: Heard) -> None:
        self._reception.receive(heard)


@asynccontextmanager
async def speaking(line: LineSettings, journal: JournalFile) -> AsyncIterator[None]:
    """Have a daemon go on with the journal, speak at the broker and answer what is asked."""
    async with running(journal) as table, asyncio.TaskGroup() as tasks:
        for _ in range(2):  # the second answer comes after all that the restart wrote
            await journal.probe()
        daemon = Daemon(line, table, journal)
        answering = tasks.create_task(daemon.replay.run())
        serving = tasks.create_task(daemon.publisher.serve())
        yield
        daemon.publisher.stop()
        await serving
        answering.cancel()


def beat(journal: JournalFile) -> Heartbeat:
    depth, alarms = journal.outbox.depth, journal.alarms
    return Heartbeat(
        node="node-1", session=7, time=NOON, uptime_ms=5000, outbox=depth, alarms=alarms
    )


def events(watcher: Watcher) -> list[EventEnvelope]:
    return [EventEnvelope.model_validate_json(one) for one in watcher.payloads("/event/")]


def replies(watcher: Watcher) -> list[ReplyPayload]:
    return [ReplyPayload.model_validate_json(one) for one in watcher.payloads("/reply/")]


def beats(watcher: Watcher) -> list[Heartbeat]:
    return [Heartbeat.model_validate_json(one) for one in watcher.payloads("/hb/")]


async def ask(watcher: Watcher, epoch: int, before: int) -> list[EventEnvelope]:
    """Ask for everything before a number and return it."""
    arguments = {"epoch": epoch, "after": 0, "before": before}
    content = {"id": "c1", "person": "li", "arguments": arguments}
    topic = ROOT.table_command("board", "t1", "replay-official")
    await watcher.publish(Message(topic, json.dumps(content).encode()))
    await watcher.until(lambda _: any(one.status == "done" for one in replies(watcher)))
    return [event for reply in replies(watcher) for event in reply.events]


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_who_missed_thousands_of_events_has_each_of_them_once_and_in_order(
    tmp_path: Path, protocol: Protocol
) -> None:
    broker = Mosquitto(tmp_path)
    journal = await JournalFile.open(tmp_path / "j", BOOT, MOST)
    await play(journal, 400)
    assert journal.outbox.depth == MOST
    try:
        broker.start()
        async with (
            watching(broker.line("watcher", protocol), READERS) as watcher,
            speaking(broker.line("", protocol), journal),
        ):
            await watcher.until(lambda _: any(not one.outbox for one in beats(watcher)))
            await journal.probe()  # a daemon does so every ten seconds; it writes what was taken
            await watcher.until(lambda _: any(not one.alarms for one in beats(watcher)))
            live = events(watcher)
            missed = await ask(watcher, journal.epoch, live[0].tableseq)
    finally:
        broker.kill()
    assert [one.tableseq for one in missed + live] == list(range(1, len(missed + live) + 1))
    assert len(missed) > 1500
    (alarm,) = beats(watcher)[0].alarms
    assert alarm.endswith(f"{len(missed)} events were let go, replay brings them")
    await journal.close()
