"""A whole hall is told again: nothing that is urgent waits for it."""

import asyncio
from dataclasses import replace

import pytest

from mqtt.ghosts import of_table
from mqtt.inbox import Request
from mqtt.messages import Message, Protocol
from mqtt.orders import ReplyPayload
from mqtt.topics import TopicKind
from tests.harness.broker import Mosquitto
from tests.mqtt.speaking import NOON, PLACE, ROOT, Node, some_ledger
from tests.mqtt.watcher import watching

TABLES = tuple(f"t{number}" for number in range(1, 251))
HALL = replace(PLACE, tables=TABLES, beat_seconds=0.05)
RETAINED = 5 * len(TABLES)
PAUSE = ROOT.table_command("board", "t250", "pause")
ORDER = b'{"id":"c1","person":"li","precondition":{"hand":"h1"},"arguments":{}}'


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_heartbeats_and_replies_do_not_wait_for_a_hall_that_is_told_again(
    broker: Mosquitto, protocol: Protocol
) -> None:
    node = Node(broker.line("", protocol), HALL)
    for table in TABLES:
        for topic in of_table(ROOT, table):
            node.publisher.retain(topic, some_ledger())
    async with watching(broker.line("board", protocol), (f"{ROOT.path}/#",)) as board:
        serving = asyncio.create_task(node.publisher.serve())
        await board.count("meta/table", 1)
        await board.publish(Message(PAUSE, ORDER, expiry_seconds=5))
        heard = await node.hears()
        assert isinstance(heard, Request)
        answer = ReplyPayload(id=heard.id, status="done", time=NOON)
        node.publisher.reply(heard.reply_topic, answer)
        await board.count(PLACE.topic, 1)
        await board.count("reply/board", 1)
        node.publisher.stop()
        await serving
        order = [kind for message in board.seen if (kind := kind_of(message.topic))]
    begun, ended = order.index("retained"), order.index(TopicKind.NODE_AVAILABILITY)
    during = order[begun:ended]
    assert during.count("retained") == RETAINED
    assert TopicKind.REPLY in during
    assert during.count(TopicKind.HEARTBEAT) >= 3


def kind_of(topic: str) -> str | None:
    address = ROOT.parse(topic)
    if address is None or address.kind is TopicKind.TABLE_COMMAND:
        return None
    urgent = (TopicKind.HEARTBEAT, TopicKind.REPLY, TopicKind.NODE_AVAILABILITY)
    return address.kind if address.kind in urgent else "retained"
