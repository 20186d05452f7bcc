import asyncio
from dataclasses import replace

import pytest

from mqtt.messages import LineSettings, Protocol
from table.errors import BrokerError
from tests.harness.broker import Mosquitto
from tests.mqtt.speaking import PLACE, ROOT, Node, speaking
from tests.mqtt.watcher import watching

PROTOCOLS = pytest.mark.parametrize("protocol", ["5", "3.1.1"])
PROMISED_SECONDS = 6
SCALE = 4


def test_a_broker_that_freezes_right_after_an_answer_is_noticed_in_time() -> None:
    latest = PLACE.beat_seconds + LineSettings("", 1883, "").answer_seconds
    assert latest < PROMISED_SECONDS


@PROTOCOLS
async def test_a_frozen_broker_is_noticed_though_nothing_is_to_be_said(
    broker: Mosquitto, protocol: Protocol
) -> None:
    settings = broker.line("", protocol)
    hasty = replace(settings, answer_seconds=settings.answer_seconds / SCALE)
    node = Node(hasty, replace(PLACE, beat_seconds=PLACE.beat_seconds / SCALE))
    serving = asyncio.create_task(node.publisher.serve())
    await node.publisher.connected.wait()
    broker.freeze()
    async with asyncio.timeout(PROMISED_SECONDS):
        await asyncio.wait([serving])
    with pytest.raises(BrokerError, match=r"no answer in time|does not answer"):
        serving.result()
    assert not node.publisher.connected.is_set()
    broker.thaw()


@PROTOCOLS
async def test_a_broker_that_thaws_finds_the_node_again(
    broker: Mosquitto, protocol: Protocol
) -> None:
    node = Node(replace(broker.line("", protocol), answer_seconds=0.3), PLACE)
    serving = asyncio.create_task(node.publisher.serve())
    await node.publisher.connected.wait()
    broker.freeze()
    await asyncio.wait([serving])
    assert isinstance(serving.exception(), BrokerError)
    broker.thaw()
    again = asyncio.create_task(node.publisher.serve())
    await node.publisher.connected.wait()
    async with watching(broker.line("watcher"), (PLACE.topic,)) as watcher:
        await watcher.until(lambda seen: seen and b"online" in seen[-1].payload)
    node.publisher.stop()
    await again


@PROTOCOLS
async def test_asking_whether_the_broker_answers_is_heard_by_nobody(
    broker: Mosquitto, protocol: Protocol
) -> None:
    node = Node(broker.line("", protocol), replace(PLACE, beat_seconds=0.01))
    async with watching(broker.line("watcher", protocol)) as watcher, speaking(node):
        await watcher.count(ROOT.heartbeat("n1"), 20)
        topics = {message.topic for message in watcher.seen}
    assert topics == {ROOT.heartbeat("n1"), PLACE.topic}
