"""What somebody else left on topics that a node reads for itself, or says there while it runs."""

import pytest

from mqtt.inbox import Request
from mqtt.messages import Message, Protocol
from tests.harness.broker import Mosquitto
from tests.mqtt.sample_orders import order
from tests.mqtt.speaking import PLACE, ROOT, Node, speaking
from tests.mqtt.watcher import Watcher, watching

RUBBISH = {
    "bytes": b"\xff\xfe\x00",
    "no object": b"[]",
    "empty object": b"{}",
    "deep": b"[" * 9000,
    "number": b"9" * 5000,
    "names us": b'{"node": "n1", "session": "seven"}',
    "no session": b'{"node": "n1", "status": "online", "session": null}',
    "long": b'{"node": "' + b"n" * 50_000 + b'"}',
}
READ = (
    ROOT.node_availability(PLACE.node),
    ROOT.table_meta("t1"),
    ROOT.table_meta("t9"),
    ROOT.alert("t1", "left-behind"),
    ROOT.alert("t9", "left-behind"),
    ROOT.venue_state("roster"),
)


async def _left(watcher: Watcher, payload: bytes) -> None:
    for topic in READ:
        await watcher.publish(Message(topic, payload, retain=True))


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
@pytest.mark.parametrize("rubbish", RUBBISH)
async def test_rubbish_on_its_own_topics_keeps_no_node_from_hearing_orders(
    broker: Mosquitto, rubbish: str, protocol: Protocol
) -> None:
    node = Node(broker.line("", protocol))
    async with watching(broker.line("somebody")) as watcher:
        await _left(watcher, RUBBISH[rubbish])
        async with speaking(node):
            await _left(watcher, RUBBISH[rubbish])
            good = order("pause")
            await watcher.publish(Message(good.topic, good.payload))
            heard = await node.hears()
            assert isinstance(heard, Request)
            await watcher.until(lambda _: b'"online"' in watcher.payloads(PLACE.topic)[-1])
