"""An order to forget a node, from the topic it comes on to its reply and its record."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from controller.alertness import Alertness
from controller.forgetting import MOST_WAITING, Forgetting
from controller.journal_file import JournalFile
from controller.node import Node
from controller.node_record import part_of
from controller.reception import Reception
from mqtt.inbox import Heard
from mqtt.messages import Message, Protocol
from mqtt.orders import ReplyPayload
from mqtt.presence import Place
from mqtt.publisher import Publisher
from mqtt.rate import Rates
from tests.controller.live_table import ask_nothing, journal_at
from tests.harness.broker import Mosquitto, mosquitto
from tests.harness.virtual_clock import VirtualClock
from tests.mqtt.memory_outbox import MemoryOutbox
from tests.mqtt.speaking import PLACE, ROOT, pulse
from tests.mqtt.test_ghosts import everything_about, kept, leave
from tests.mqtt.watcher import Watcher, watching

PROTOCOLS = pytest.mark.parametrize("protocol", ["5", "3.1.1"])
FORGET = ROOT.venue_command("board", "forget-node")
OURS: Place = replace(PLACE, tables=(), keeps_venue=True)
LEFT = everything_about("t9", "n2", "h1-1") | {ROOT.node_availability("n2"): b"{}"}
BEAT = 0.05


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A mosquitto that everybody may use."""
    with mosquitto(tmp_path) as running:
        yield running


@dataclass(frozen=True)
class Venue:
    """A node that keeps the venue, and a board that watches its answers."""

    journal: JournalFile
    board: Watcher

    async def order(self, id_: str, node: str) -> None:
        payload = {"id": id_, "person": "li", "arguments": {"node": node}}
        order = json.dumps(payload).encode()
        await self.board.publish(Message(FORGET, order, expiry_seconds=5))

    async def answers(self, id_: str, count: int) -> list[ReplyPayload]:
        """Wait for so many answers to an order."""
        said = await self.board.count(ROOT.reply("board", id_), count)
        return [ReplyPayload.model_validate_json(one) for one in said]


@asynccontextmanager
async def venue(
    broker: Mosquitto, protocol: Protocol, beat_seconds: float = BEAT
) -> AsyncIterator[Venue]:
    clock = VirtualClock()
    async with (
        journal_at(broker.directory / "j", clock) as journal,
        watching(broker.line("board", protocol), (f"{ROOT.path}/reply/#",)) as board,
        asyncio.TaskGroup() as tasks,
    ):
        heeded: list[Reception] = []

        def heed(heard: Heard) -> None:
            heeded[0].receive(heard)

        publisher = Publisher(
            broker.line("", protocol), OURS, MemoryOutbox(), heed, lambda: pulse(OURS)
        )
        node = Node("n1", ROOT, clock, clock.now(), journal, publisher)
        heeded.append(Reception(node, {}, Alertness(clock), Rates(20, 60), ask_nothing))
        forgetting = Forgetting(node, broker.line("sweeper", protocol), beat_seconds)
        heeded[0].keep_venue(forgetting.take)
        running = [tasks.create_task(publisher.serve()), tasks.create_task(forgetting.run())]
        await publisher.connected.wait()
        yield Venue(journal, board)
        for task in running:
            task.cancel()


@PROTOCOLS
async def test_a_node_that_is_gone_is_forgotten_and_the_reply_counts_its_topics(
    broker: Mosquitto, protocol: Protocol
) -> None:
    await leave(broker, LEFT)
    async with venue(broker, protocol) as here:
        await here.order("c1", "n2")
        accepted, done = await here.answers("c1", 2)
        assert await kept(broker) == {PLACE.topic}
    assert accepted.status == "accepted"
    assert (done.status, done.code, done.counts) == ("done", "", {"cleared": len(LEFT)})


@PROTOCOLS
async def test_a_node_that_beats_is_not_forgotten(broker: Mosquitto, protocol: Protocol) -> None:
    async with venue(broker, protocol, PLACE.beat_seconds) as here:
        await here.order("c1", "n1")
        _, rejected = await here.answers("c1", 2)
        assert await kept(broker) == {PLACE.topic}
    assert (rejected.status, rejected.code) == ("rejected", "wrong-phase")
    assert "node n1 is there" in rejected.reason


async def test_the_same_order_again_has_the_same_answer_and_clears_nothing(
    broker: Mosquitto,
) -> None:
    await leave(broker, LEFT)
    async with venue(broker, "5") as here:
        await here.order("c1", "n2")
        _, done = await here.answers("c1", 2)
        await leave(broker, LEFT)
        await here.order("c1", "n2")
        assert (await here.answers("c1", 3))[2] == done
        assert await kept(broker) == {*LEFT, PLACE.topic}


async def test_the_record_says_who_had_a_node_forgotten(broker: Mosquitto) -> None:
    async with venue(broker, "5") as here:
        await here.order("c1", "n2")
        _, done = await here.answers("c1", 2)
        (record,) = here.journal.records(part_of("n1"))
    assert record.origin
    assert (record.origin.login, record.origin.person) == ("board", "li")
    assert record.origin.command == "c1"
    assert "venue/forget-node" in record.stimulus
    assert done.reason == "node n2 left nothing"
    assert "node n2 left nothing" in record.effects


async def test_only_so_many_orders_wait(broker: Mosquitto) -> None:
    async with venue(broker, "5", beat_seconds=600.0) as here:
        for number in range(MOST_WAITING + 1):
            await here.order(f"c{number}", "n2")
        (last,) = await here.answers(f"c{MOST_WAITING}", 1)
    assert (last.status, last.code) == ("rejected", "rate-limited")
