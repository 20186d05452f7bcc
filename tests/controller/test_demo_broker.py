from dataclasses import replace
from pathlib import Path

import pytest

from controller.demo_broker import BrokerKind, DemoBroker, demo_broker
from mqtt.broker_line import connect
from mqtt.inbox import Request
from mqtt.messages import LineSettings, Message, Protocol
from mqtt.payloads import NodeAvailability
from table.errors import BrokerError
from tests.mqtt.memory_outbox import MemoryOutbox
from tests.mqtt.speaking import PLACE, ROOT, Node, some_availability, some_ledger, speaking
from tests.mqtt.watcher import watching

KINDS = list(BrokerKind)
ORDER = b'{"id":"c1","person":"li","precondition":{"hand":"h1"}}'


def line(broker: DemoBroker, client_id: str, protocol: Protocol = "5") -> LineSettings:
    port = broker.port if protocol == "5" else broker.old_port
    return LineSettings(broker.host, port, client_id, protocol=protocol)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_node_speaks_and_hears_at_either_broker(kind: BrokerKind, tmp_path: Path) -> None:
    async with demo_broker(tmp_path, kind) as broker:
        node = Node(line(broker, ""), outbox=MemoryOutbox(500))
        node.publisher.retain(ROOT.ledger("t1"), some_ledger())
        node.publisher.retain(ROOT.table_availability("t1"), some_availability())
        async with watching(line(broker, "watcher")) as watcher, speaking(node):
            await watcher.count("event/", 500)
            topic = ROOT.table_command("board", "t1", "pause")
            await watcher.publish(Message(topic, ORDER, expiry_seconds=5))
            heard = await node.hears()
        assert isinstance(heard, Request)
        told = [message.topic for message in watcher.seen if "hb/" not in message.topic]
        assert told[:3] == [ROOT.ledger("t1"), ROOT.table_availability("t1"), PLACE.topic]
        events = [str(number).encode() for number in range(1, 501)]
        assert watcher.payloads("event/") == events


@pytest.mark.parametrize("kind", KINDS)
async def test_an_old_client_finds_what_was_retained(kind: BrokerKind, tmp_path: Path) -> None:
    async with demo_broker(tmp_path, kind) as broker, connect(line(broker, "node")) as node:
        await node.publish(PLACE.presence("online", PLACE.since))
        async with watching(line(broker, "watcher", "3.1.1")) as watcher:
            seen = await watcher.until(len)
    assert NodeAvailability.model_validate_json(seen[0].payload).status == "online"


@pytest.mark.parametrize("kind", KINDS)
async def test_the_broker_ends_with_its_context(kind: BrokerKind, tmp_path: Path) -> None:
    async with demo_broker(tmp_path, kind) as broker:
        settings = line(broker, "guest")
    with pytest.raises(BrokerError, match="refused"):
        async with connect(replace(settings, answer_seconds=1)):
            pass


async def test_mosquitto_is_taken_where_it_is_installed(tmp_path: Path) -> None:
    async with demo_broker(tmp_path) as broker:
        assert (broker.kind, broker.host) == (BrokerKind.MOSQUITTO, "127.0.0.1")


async def test_a_broker_that_does_not_start_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "a\nb"
    folder.mkdir()
    with pytest.raises(BrokerError, match="mosquitto ended at once, exit code"):
        async with demo_broker(folder, BrokerKind.MOSQUITTO):
            pass
