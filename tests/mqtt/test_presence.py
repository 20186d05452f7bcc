import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from mqtt.messages import Delivery, Message, Protocol
from mqtt.payloads import Heartbeat, NodeAvailability
from table.errors import BrokerError
from tests.harness.broker import Mosquitto, mosquitto
from tests.journeys.hall import until
from tests.mqtt.memory_outbox import MemoryOutbox
from tests.mqtt.speaking import (
    PLACE,
    ROOT,
    Node,
    some_reply,
    speaking,
)
from tests.mqtt.watcher import watching

VENUE = (f"{ROOT.path}/#",)
PROTOCOLS = pytest.mark.parametrize("protocol", ["5", "3.1.1"])


def statuses(seen: list[Delivery]) -> list[tuple[str, int]]:
    said = [m.payload for m in seen if m.topic == PLACE.topic]
    return [(one.status, one.session) for one in map(NodeAvailability.model_validate_json, said)]


@contextmanager
def node_process(
    port: int, session: int = 7, will_delay_seconds: int = 0, protocol: Protocol = "5"
) -> Iterator[None]:
    """A node in a process of its own, which ends by SIGKILL."""
    arguments = [str(port), str(session), str(will_delay_seconds), protocol]
    command = [sys.executable, "-m", "tests.mqtt.speaking", *arguments]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
    try:
        yield
    finally:
        process.kill()
        process.wait(10)


@PROTOCOLS
async def test_a_node_that_stops_says_so_after_its_last_event(
    broker: Mosquitto, protocol: Protocol
) -> None:
    async with watching(broker.line("watcher"), VENUE) as watcher:
        node = Node(broker.line("", protocol), outbox=MemoryOutbox(500))
        async with speaking(node) as publisher:
            publisher.reply(ROOT.reply("board", "c1"), some_reply())
        seen = await watcher.until(lambda seen: len(statuses(seen)) == 3)
        assert statuses(seen) == [("online", 7), ("stopping", 7), ("offline", 7)]
        assert seen[-1].topic == PLACE.topic
        assert len(watcher.payloads("event/")) == 500
        assert len(watcher.payloads("reply/")) == 1
        assert node.outbox.waiting == {}


@PROTOCOLS
async def test_a_node_that_is_cancelled_is_offline(broker: Mosquitto, protocol: Protocol) -> None:
    node = Node(broker.line("", protocol))
    async with watching(broker.line("watcher"), VENUE) as watcher:
        serving = asyncio.create_task(node.publisher.serve())
        await watcher.until(statuses)
        serving.cancel()
        seen = await watcher.until(lambda seen: len(statuses(seen)) == 2)
        await asyncio.wait([serving])
    assert serving.cancelled()
    assert statuses(seen) == [("online", 7), ("offline", 7)]


async def test_a_killed_node_is_offline_in_the_session_it_had(broker: Mosquitto) -> None:
    async with watching(broker.line("watcher"), VENUE) as watcher:
        with node_process(broker.port, session=7):
            await watcher.until(statuses)
        seen = await watcher.until(lambda seen: len(statuses(seen)) == 2)
        assert statuses(seen) == [("online", 7), ("offline", 7)]


async def test_a_node_that_is_back_at_once_never_seems_gone(broker: Mosquitto) -> None:
    async with watching(broker.line("watcher"), VENUE) as watcher:
        with node_process(broker.port, session=7, will_delay_seconds=60):
            await watcher.until(statuses)
        with node_process(broker.port, session=8, will_delay_seconds=60):
            seen = await watcher.until(lambda seen: len(statuses(seen)) == 2)
        assert statuses(seen) == [("online", 7), ("online", 8)]


@PROTOCOLS
async def test_an_online_that_outlived_broker_and_node_is_healed_by_the_next_session(
    tmp_path: Path, protocol: Protocol
) -> None:
    with mosquitto(tmp_path, keeping=True) as broker:
        with node_process(broker.port, session=7, protocol=protocol):
            async with watching(broker.line("watcher"), (PLACE.topic,)) as watcher:
                await watcher.until(statuses)
            kept = broker.directory / "mosquitto.db"
            await until(lambda: kept.exists() and b'"online"' in kept.read_bytes())
            broker.kill()
        broker.start()
        async with watching(broker.line("watcher"), VENUE) as watcher:
            await watcher.until(lambda seen: statuses(seen) == [("online", 7)])
            node = Node(broker.line("", protocol), replace(PLACE, session=8))
            async with speaking(node):
                seen = await watcher.until(lambda seen: len(statuses(seen)) == 2)
                assert statuses(seen) == [("online", 7), ("online", 8)]
                await watcher.count(PLACE.heartbeat, 2)
                assert {beat.session for beat in map(read_beat, seen) if beat} == {8}


def read_beat(message: Delivery) -> Heartbeat | None:
    if message.topic != PLACE.heartbeat:
        return None
    return Heartbeat.model_validate_json(message.payload)


@PROTOCOLS
async def test_a_late_will_is_contradicted(broker: Mosquitto, protocol: Protocol) -> None:
    node = Node(broker.line("", protocol))
    async with watching(broker.line("watcher"), VENUE) as watcher, speaking(node):
        await watcher.until(statuses)
        late = replace(PLACE, session=6).presence("offline", PLACE.since)
        await watcher.publish(late)
        seen = await watcher.until(lambda seen: len(statuses(seen)) == 3)
        assert statuses(seen)[1:] == [("offline", 6), ("online", 7)]


async def test_presence_that_is_no_presence_is_contradicted_too(broker: Mosquitto) -> None:
    node = Node(broker.line("", "3.1.1"))
    async with watching(broker.line("watcher"), VENUE) as watcher, speaking(node):
        await watcher.until(statuses)
        await watcher.publish(Message(PLACE.topic, b"", retain=True))
        said = await watcher.count("avail/node", 3)
        assert said[1:] == [b"", said[0]]


@PROTOCOLS
async def test_two_daemons_of_one_name_are_found_out(broker: Mosquitto, protocol: Protocol) -> None:
    node = Node(broker.line("", protocol))
    async with watching(broker.line("watcher"), VENUE) as watcher:
        serving = asyncio.create_task(node.publisher.serve())
        await watcher.until(statuses)
        await watcher.publish(replace(PLACE, session=8).presence("online", PLACE.since))
        await asyncio.wait([serving])
    with pytest.raises(BrokerError, match="another daemon speaks as node n1, in session 8"):
        serving.result()


async def test_the_heartbeat_gives_the_clock_of_the_node(broker: Mosquitto) -> None:
    async with watching(broker.line("watcher"), VENUE) as watcher, speaking(Node(broker.line(""))):
        beat = (await watcher.count("hb/node/n1", 1))[0]
    assert Heartbeat.model_validate_json(beat).uptime_ms == 5000
