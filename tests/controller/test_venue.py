import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from controller.journal_absent import NoJournal
from controller.node import Node
from controller.venue import Venue
from mqtt.messages import LineSettings, Message, Protocol
from mqtt.payloads import TableMeta
from mqtt.payloads_of_rulings import LedgerPayload
from mqtt.payloads_of_venue import VenueRoster, VenueStandings
from table.moment import Moment
from table.seat import Seat
from tests.harness.broker import Mosquitto, mosquitto
from tests.harness.virtual_clock import VirtualClock
from tests.mqtt.speaking import NOON, PLACE, ROOT, some_ledger, speaking
from tests.mqtt.speaking import Node as Speaker
from tests.mqtt.watcher import Watcher, watching

PROTOCOLS = pytest.mark.parametrize("protocol", ["5", "3.1.1"])
ROSTER, STANDINGS = ROOT.venue_state("roster"), ROOT.venue_state("standings")
OURS = replace(PLACE, tables=("t1",), keeps_venue=True)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A mosquitto that everybody may use, and that forgets when it ends."""
    with mosquitto(tmp_path) as running:
        yield running


@dataclass
class Keeper:
    """The node n1, which has table t1 and keeps the venue."""

    line: LineSettings
    clock: VirtualClock = field(default_factory=VirtualClock)

    def __post_init__(self) -> None:
        self.speaker = Speaker(self.line, OURS)
        self.press = self.speaker.publisher
        node = Node("n1", ROOT, self.clock, Moment(0), NoJournal("none"), self.press)
        self.press.admit(Venue(node, OURS.tables))
        self.press.retain(ROOT.table_meta("t1"), meta("t1", "n1", zone="a"))
        self.press.retain(ROOT.ledger("t1"), ledger("t1", chen=-10, li=10))


def meta(table: str, node: str, zone: str = "") -> TableMeta:
    players = {seat: f"{table}-{seat}" for seat in Seat}
    return TableMeta(
        table=table,
        name=table.upper(),
        node=node,
        time=NOON,
        ruleset="mcr-2014",
        players=players,
        zone=zone,
    )


def ledger(table: str, seq: int = 1, **totals: int) -> LedgerPayload:
    return LedgerPayload(table=table, seq=seq, time=NOON, totals=totals)


@asynccontextmanager
async def hall(broker: Mosquitto) -> AsyncIterator[Watcher]:
    """Another node's tables and a scoreboard, over one connection."""
    async with watching(broker.line("hall"), (f"{ROOT.path}/#",)) as watcher:
        yield watcher


async def tell(watcher: Watcher, topic: str, payload: bytes) -> None:
    await watcher.publish(Message(topic, payload, retain=True))


async def tell_table(watcher: Watcher, table: str, zone: str = "", **totals: int) -> None:
    """Have node n2 retain a table of its own."""
    await tell(watcher, ROOT.table_meta(table), meta(table, "n2", zone).encode())
    await tell(watcher, ROOT.ledger(table), ledger(table, **totals).encode())


async def roster_of(watcher: Watcher, *tables: str) -> VenueRoster:
    """Wait for the roster to have exactly these tables."""

    def newest() -> VenueRoster | None:
        said = watcher.payloads(ROSTER)
        return VenueRoster.model_validate_json(said[-1]) if said and said[-1] else None

    def has_them(_: object) -> bool:
        told = newest()
        return told is not None and tuple(one.table for one in told.tables) == tables

    await watcher.until(has_them)
    told = newest()
    assert told
    return told


async def points_of(watcher: Watcher, **points: int) -> VenueStandings:
    """Wait for the standings to have exactly these points."""

    def newest() -> VenueStandings:
        said = [one for one in watcher.payloads(STANDINGS) if one]
        return VenueStandings.model_validate_json(said[-1] if said else b'{"node":"","time":0}')

    await watcher.until(lambda _: {one.player: one.points for one in newest().players} == points)
    return newest()


@PROTOCOLS
async def test_the_roster_has_the_tables_of_every_node(
    broker: Mosquitto, protocol: Protocol
) -> None:
    keeper = Keeper(broker.line("", protocol))
    async with hall(broker) as watcher:
        await tell_table(watcher, "t8", zone="b")
        async with speaking(keeper.speaker):
            told = await roster_of(watcher, "t1", "t8")
    assert told.node == "n1"
    assert [(one.name, one.node, one.ruleset) for one in told.tables] == [
        ("T1", "n1", "mcr-2014"),
        ("T8", "n2", "mcr-2014"),
    ]
    assert told.tables[1].players == {seat: f"t8-{seat}" for seat in Seat}
    assert told.zones == {"a": ("t1",), "b": ("t8",)}


@PROTOCOLS
async def test_the_standings_add_up_what_the_ledgers_of_all_tables_say(
    broker: Mosquitto, protocol: Protocol
) -> None:
    keeper = Keeper(broker.line("", protocol))
    async with hall(broker) as watcher:
        await tell_table(watcher, "t8", chen=-20, wu=0)
        async with speaking(keeper.speaker):
            told = await points_of(watcher, li=10, wu=0, chen=-30)
    assert [one.player for one in told.players] == ["li", "wu", "chen"]
    assert told.players[2].tables == ("t1", "t8")


@PROTOCOLS
async def test_roster_and_standings_follow_what_changes(
    broker: Mosquitto, protocol: Protocol
) -> None:
    keeper = Keeper(broker.line("", protocol))
    async with hall(broker) as watcher, speaking(keeper.speaker) as press:
        await points_of(watcher, li=10, chen=-10)
        await tell_table(watcher, "t8", chen=-5)
        await roster_of(watcher, "t1", "t8")
        await points_of(watcher, li=10, chen=-15)
        press.retain(ROOT.ledger("t1"), ledger("t1"))
        await points_of(watcher, chen=-5)
        await tell(watcher, ROOT.ledger("t8"), b"")
        await tell(watcher, ROOT.table_meta("t8"), b"")
        await roster_of(watcher, "t1")
        await points_of(watcher)


@PROTOCOLS
async def test_the_state_of_the_venue_is_told_between_the_clocks_and_the_ledgers(
    broker: Mosquitto, protocol: Protocol
) -> None:
    keeper = Keeper(broker.line("", protocol))
    for topic in (ROOT.node_meta("n1"), ROOT.table_availability("t1"), ROOT.timers("t1")):
        keeper.press.retain(topic, some_ledger())
    async with hall(broker) as watcher, speaking(keeper.speaker):
        await watcher.count(PLACE.topic, 1)
        told = [one.topic for one in watcher.seen if one.topic != PLACE.heartbeat]
    assert told == [
        ROOT.node_meta("n1"),
        ROOT.table_meta("t1"),
        ROOT.timers("t1"),
        ROSTER,
        STANDINGS,
        ROOT.ledger("t1"),
        ROOT.table_availability("t1"),
        PLACE.topic,
    ]


@PROTOCOLS
async def test_after_a_restart_no_table_is_missing_for_a_moment(
    broker: Mosquitto, protocol: Protocol
) -> None:
    numbers = sorted(f"x{number}" for number in range(100))
    async with hall(broker) as watcher:
        for table in numbers:
            await tell_table(watcher, table, chen=-1)
        async with speaking(Keeper(broker.line("", protocol)).speaker):
            await roster_of(watcher, "t1", *numbers)
        watcher.seen.clear()
        async with speaking(Keeper(broker.line("", protocol)).speaker):
            await watcher.count(PLACE.topic, 1)
            rosters = [VenueRoster.model_validate_json(one) for one in watcher.payloads(ROSTER)]
            points = watcher.payloads(STANDINGS)
    assert [len(one.tables) for one in rosters] == [101]
    assert [VenueStandings.model_validate_json(one).players[-1].points for one in points] == [-110]


@PROTOCOLS
async def test_what_says_nothing_new_is_not_told_again(
    broker: Mosquitto, protocol: Protocol
) -> None:
    keeper = Keeper(broker.line("", protocol))
    async with hall(broker) as watcher, speaking(keeper.speaker) as press:
        await points_of(watcher, li=10, chen=-10)
        press.retain(ROOT.ledger("t1"), ledger("t1", seq=2, chen=-10, li=10))
        await watcher.count(ROOT.ledger("t1"), 2)
        press.retain(ROOT.ledger("t1"), ledger("t1", seq=3, chen=-11, li=10))
        await points_of(watcher, li=10, chen=-11)
        assert len(watcher.payloads(STANDINGS)) == 2
        assert len(watcher.payloads(ROSTER)) == 1


async def lost(keeper: Keeper, broker: Mosquitto) -> None:
    """Have the keeper speak until the broker is killed."""
    serving = asyncio.create_task(keeper.press.serve())
    await keeper.press.connected.wait()
    broker.kill()
    await asyncio.wait([serving])
    assert serving.exception()


@PROTOCOLS
async def test_tables_of_others_outlive_a_broker_that_forgets_everything(
    broker: Mosquitto, protocol: Protocol
) -> None:
    keeper = Keeper(broker.line("", protocol))
    async with hall(broker) as watcher:
        await tell_table(watcher, "t8", chen=-20)
    await lost(keeper, broker)
    broker.start()
    async with hall(broker) as watcher, speaking(keeper.speaker):
        await roster_of(watcher, "t1", "t8")
        await points_of(watcher, li=10, chen=-30)


@PROTOCOLS
async def test_a_table_that_was_cleared_in_our_absence_is_gone(
    tmp_path: Path, protocol: Protocol
) -> None:
    with mosquitto(tmp_path, keeping=True) as broker:
        keeper = Keeper(broker.line("", protocol))
        async with hall(broker) as watcher:
            await tell_table(watcher, "t8", chen=-20)
            serving = asyncio.create_task(keeper.press.serve())
            await roster_of(watcher, "t1", "t8")
            await keeper.press.connected.wait()
            serving.cancel()
            await asyncio.wait([serving])
            await tell(watcher, ROOT.table_meta("t8"), b"")
            await tell(watcher, ROOT.ledger("t8"), b"")
            async with speaking(keeper.speaker):
                await roster_of(watcher, "t1")
                await points_of(watcher, li=10, chen=-10)


@PROTOCOLS
async def test_a_table_that_says_nothing_readable_counts_for_nothing(
    broker: Mosquitto, protocol: Protocol, caplog: pytest.LogCaptureFixture
) -> None:
    keeper = Keeper(broker.line("", protocol))
    async with hall(broker) as watcher, speaking(keeper.speaker):
        await tell_table(watcher, "t8")
        await roster_of(watcher, "t1", "t8")
        await tell(watcher, ROOT.table_meta("t8"), b'{"table": 8}')
        await roster_of(watcher, "t1")
    assert "table t8 counts for nothing" in caplog.text
