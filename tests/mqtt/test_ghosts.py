from dataclasses import replace
from pathlib import Path

import pytest

from mqtt.broker_line import connect
from mqtt.ghosts import of_table
from mqtt.messages import Message, Protocol
from mqtt.payloads import TableMeta
from tests.harness.broker import OPEN, Mosquitto, mosquitto
from tests.mqtt.speaking import NOON, PLACE, ROOT, Node, some_ledger, speaking
from tests.mqtt.watcher import Watcher, watching

PROTOCOLS = pytest.mark.parametrize("protocol", ["5", "3.1.1"])
VENUE = (f"{ROOT.path}/#",)


def meta(table: str, node: str) -> bytes:
    return TableMeta(table=table, name=table, node=node, time=NOON, ruleset="mcr-2014").encode()


def everything_about(table: str, node: str, *alerts: str) -> dict[str, bytes]:
    """Return what a node leaves at the broker of one table."""
    topics = [*of_table(ROOT, table), *(ROOT.alert(table, alert) for alert in alerts)]
    return dict.fromkeys(topics, b"{}") | {ROOT.table_meta(table): meta(table, node)}


async def leave(broker: Mosquitto, left: dict[str, bytes], login: str = "") -> None:
    async with connect(broker.line("earlier", login=login)) as line:
        await line.publish_all(Message(topic, said, retain=True) for topic, said in left.items())


async def kept(broker: Mosquitto, login: str = "") -> set[str]:
    """Return the retained topics of the venue."""
    async with watching(broker.line("late", login=login), VENUE) as late:
        await late.line.catch_up()
        return {message.topic for message in late.seen if message.payload}


def order(watcher: Watcher, topics: set[str]) -> list[str]:
    return [message.topic for message in watcher.seen if message.topic in topics]


@PROTOCOLS
async def test_a_table_that_was_removed_leaves_nothing_behind(
    broker: Mosquitto, protocol: Protocol
) -> None:
    gone = everything_about("t9", "n1", "h1-1", "h1-2")
    await leave(broker, gone)
    async with speaking(Node(broker.line("", protocol))):
        assert await kept(broker) == {PLACE.topic}


@PROTOCOLS
async def test_what_is_left_of_a_table_goes_before_the_node_is_online_and_its_meta_last(
    broker: Mosquitto, protocol: Protocol
) -> None:
    gone = everything_about("t9", "n1", "h1-1")
    await leave(broker, gone)
    async with watching(broker.line("watcher"), VENUE) as watcher:
        await watcher.until(lambda seen: len(seen) == len(gone))
        watcher.seen.clear()
        async with speaking(Node(broker.line("", protocol))):
            await watcher.count(PLACE.topic, 1)
            told = order(watcher, {*gone, PLACE.topic})
    assert told[-2:] == [ROOT.table_meta("t9"), PLACE.topic]
    assert set(told) == {*gone, PLACE.topic}


@PROTOCOLS
async def test_a_table_that_another_node_has_by_now_is_left_alone(
    broker: Mosquitto, protocol: Protocol
) -> None:
    moved = everything_about("t9", "n2", "h1-1")
    await leave(broker, moved)
    async with speaking(Node(broker.line("", protocol))):
        assert await kept(broker) == {*moved, PLACE.topic}


@PROTOCOLS
async def test_alerts_of_an_earlier_session_go_and_those_that_are_open_stay(
    broker: Mosquitto, protocol: Protocol
) -> None:
    left = {ROOT.alert("t1", alert): b"{}" for alert in ("h1-1", "h1-2")}
    await leave(broker, left)
    node = Node(broker.line("", protocol))
    node.publisher.retain(ROOT.alert("t1", "h1-2"), some_ledger())
    async with speaking(node):
        assert await kept(broker) == {ROOT.alert("t1", "h1-2"), PLACE.topic}


@PROTOCOLS
async def test_state_of_the_venue_goes_with_the_node_that_kept_it(
    broker: Mosquitto, protocol: Protocol
) -> None:
    ours, theirs = ROOT.venue_state("roster"), ROOT.venue_state("standings")
    await leave(broker, {ours: b'{"node":"n1"}', theirs: b'{"node":"n2"}'})
    async with speaking(Node(broker.line("", protocol))):
        assert await kept(broker) == {theirs, PLACE.topic}


@PROTOCOLS
async def test_who_keeps_the_venue_clears_what_its_predecessor_alone_knew(
    broker: Mosquitto, protocol: Protocol
) -> None:
    await leave(broker, {ROOT.venue_state("weather"): b'{"node":"n2"}'})
    node = Node(broker.line("", protocol), replace(PLACE, keeps_venue=True))
    async with speaking(node):
        assert await kept(broker) == {PLACE.topic}


@PROTOCOLS
async def test_hundreds_of_ghosts_are_all_found(broker: Mosquitto, protocol: Protocol) -> None:
    left: dict[str, bytes] = {}
    for number in range(30):
        left |= everything_about(f"old-{number}", "n1", *(f"h1-{alert}" for alert in range(30)))
    await leave(broker, left)
    async with speaking(Node(broker.line("", protocol))):
        assert await kept(broker) == {PLACE.topic}


async def test_a_ghost_that_the_broker_does_not_let_us_clear_keeps_nothing_from_being_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ghost = ROOT.venue_state("roster")
    lines = [f"topic readwrite {ROOT.path}/{part}/#\n" for part in ("avail", "hb", "ledger")]
    acl = "".join([*lines, f"topic read {ROOT.path}/#\n", f"user earlier\ntopic {ghost}\n"])
    (tmp_path / "acl").write_text(acl, encoding="utf-8")
    with mosquitto(tmp_path, f"{OPEN}\nacl_file {tmp_path}/acl") as strict:
        async with connect(strict.line("earlier", login="earlier")) as line:
            await line.publish(Message(ghost, b'{"node":"n1"}', retain=True))
        node = Node(strict.line(""))
        node.publisher.retain(ROOT.ledger("t1"), some_ledger())
        async with speaking(node):
            assert await kept(strict) == {ghost, ROOT.ledger("t1"), PLACE.topic}
    assert f"{ghost} stays at the broker" in caplog.text
