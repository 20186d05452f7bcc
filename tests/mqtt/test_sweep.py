import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from mqtt.access import Role, mosquitto_acl
from mqtt.broker_line import connect
from mqtt.messages import Message, Protocol
from mqtt.sweep import sweep
from table.errors import BrokerError, CommandRefused
from tests.harness.broker import OPEN, Mosquitto, mosquitto
from tests.mqtt.speaking import PLACE, ROOT, Node, speaking
from tests.mqtt.test_ghosts import everything_about, kept, leave
from tests.mqtt.watcher import watching

PROTOCOLS = pytest.mark.parametrize("protocol", ["5", "3.1.1"])
BEAT = 0.05
GONE = [
    *everything_about("t8", "n2", "h1-1"),
    *everything_about("t9", "n2"),
    ROOT.venue_state("roster"),
    ROOT.node_meta("n2"),
    ROOT.node_availability("n2"),
]
OTHERS = everything_about("t7", "n3", "h1-1") | {
    ROOT.node_meta("n3"): b"{}",
    ROOT.node_availability("n3"): b"{}",
    ROOT.venue_state("standings"): b'{"node":"n3"}',
}


async def leave_two_nodes(broker: Mosquitto, login: str = "") -> None:
    own = {
        ROOT.node_meta("n2"): b"{}",
        ROOT.node_availability("n2"): replace(PLACE, node="n2")
        .presence("online", PLACE.since)
        .payload,
        ROOT.venue_state("roster"): b'{"node":"n2"}',
    }
    tables = everything_about("t8", "n2", "h1-1") | everything_about("t9", "n2")
    await leave(broker, own | tables | OTHERS, login)


@PROTOCOLS
async def test_everything_of_a_node_that_is_gone_is_cleared_and_nothing_of_others(
    broker: Mosquitto, protocol: Protocol
) -> None:
    await leave_two_nodes(broker)
    cleared = await sweep(broker.line("sweeper", protocol), ROOT, "n2", BEAT)
    assert sorted(cleared) == sorted(GONE)
    assert await kept(broker) == set(OTHERS)


@PROTOCOLS
async def test_the_access_list_we_ship_lets_the_keeper_of_the_venue_forget_a_node(
    tmp_path: Path, protocol: Protocol
) -> None:
    logins = {"n1": Role.NODE, "n2": Role.NODE, "n3": Role.NODE, "staff": Role.ADMIN}
    (tmp_path / "acl").write_text(mosquitto_acl(ROOT, logins, keeper="n1"), encoding="utf-8")
    with mosquitto(tmp_path, f"{OPEN}\nacl_file {tmp_path}/acl") as strict:
        await leave_two_nodes(strict, "staff")
        keeper = Node(strict.line("", protocol, login="n1"), replace(PLACE, keeps_venue=True))
        async with speaking(keeper):
            await sweep(strict.line("sweeper", protocol, login="n1"), ROOT, "n2", BEAT)
        assert await kept(strict, "staff") == {*OTHERS, PLACE.topic} - {
            ROOT.venue_state("standings")  # a keeper clears what it does not keep itself
        }


@PROTOCOLS
async def test_what_leads_to_the_rest_is_cleared_last(
    broker: Mosquitto, protocol: Protocol
) -> None:
    await leave_two_nodes(broker)
    async with watching(broker.line("watcher"), (f"{ROOT.path}/#",)) as watcher:
        await watcher.line.catch_up()
        watcher.seen.clear()
        await sweep(broker.line("sweeper", protocol), ROOT, "n2", BEAT)
        await watcher.until(lambda seen: len(seen) == len(GONE))
        order = [message.topic for message in watcher.seen]
    assert set(order[-4:-2]) == {ROOT.table_meta("t8"), ROOT.table_meta("t9")}
    assert order[-2:] == [ROOT.node_meta("n2"), ROOT.node_availability("n2")]


@PROTOCOLS
async def test_a_node_that_beats_is_not_gone_whatever_its_availability_says(
    broker: Mosquitto, protocol: Protocol
) -> None:
    await leave_two_nodes(broker)
    before = await kept(broker)
    async with connect(broker.line("beats")) as line:
        beat = Message(ROOT.heartbeat("n2"), b"{}", qos=0)
        sweeping = asyncio.create_task(sweep(broker.line("sweeper", protocol), ROOT, "n2", 600.0))
        while not sweeping.done():
            await line.publish(beat)
            await asyncio.wait([sweeping], timeout=BEAT)
    with pytest.raises(CommandRefused, match="node n2 is there: its heartbeat arrives") as refused:
        sweeping.result()
    assert refused.value.code == "wrong-phase"
    assert await kept(broker) == before


async def test_a_node_does_not_forget_itself(broker: Mosquitto) -> None:
    async with speaking(Node(broker.line(""))):
        with pytest.raises(CommandRefused):
            await sweep(broker.line("sweeper"), ROOT, PLACE.node, PLACE.beat_seconds)


async def test_a_node_that_left_nothing_is_forgotten_at_no_cost(broker: Mosquitto) -> None:
    assert await sweep(broker.line("sweeper"), ROOT, "n9", BEAT) == []


async def test_a_broker_that_is_away_is_an_error(broker: Mosquitto) -> None:
    broker.kill()
    with pytest.raises(BrokerError, match="no connection to the broker"):
        await sweep(broker.line("sweeper"), ROOT, "n2", BEAT)
