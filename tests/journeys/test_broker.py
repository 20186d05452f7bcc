"""The broker is killed in the middle of a hand: tables play on, and it is told everything."""

import asyncio
from pathlib import Path

import pytest

from controller.processes import program
from mqtt.broker_line import connect
from mqtt.messages import Message
from mqtt.payloads import Heartbeat
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.payloads_of_venue import VenueRoster, VenueStandings
from mqtt.topics import TopicKind
from table.seat import Seat
from tests.harness.broker import Mosquitto, mosquitto
from tests.journeys.gate import Gate, gate
from tests.journeys.hall import Hall, Play, begun, hall_in, until
from tests.journeys.referee import refereed
from tests.journeys.scoreboard import ROOT, Scoreboard, retained, scoreboard
from tests.journeys.verdict import told_whole

pytestmark = pytest.mark.journey
SCRIPT = Path(__file__).with_name("broker.hand")
SPEED = 5
BACK_US = 36_000_000
LIMIT_US = 10_000_000
GHOST = ROOT.alert("t1", "t1-0-f1")
KEPT = [
    TopicKind.NODE_AVAILABILITY,
    TopicKind.NODE_META,
    TopicKind.TABLE_META,
    TopicKind.TABLE_AVAILABILITY,
    TopicKind.STATE,
    TopicKind.TIMERS,
    TopicKind.VENUE_STATE,
    TopicKind.VENUE_STATE,
    TopicKind.LEDGER,
    TopicKind.ALERT,
]


async def test_a_killed_broker_knows_everything_afterwards(tmp_path: Path) -> None:
    async with asyncio.TaskGroup() as halls:
        for keeping in (True, False):
            folder = tmp_path / ("keeping" if keeping else "forgetting")
            halls.create_task(_hall(folder, keeping=keeping))


async def _hall(folder: Path, *, keeping: bool) -> None:
    folder.mkdir()
    with mosquitto(folder, keeping=keeping) as broker:
        async with gate(broker.port) as way:
            hall = hall_in(folder, broker, SPEED, door=way.port)
            async with (
                scoreboard(broker) as seen,
                program("daemon", hall.daemon()),
                program("simulator", hall.simulator(SCRIPT)),
            ):
                play = await begun(hall)
                gone, back = await _outage(play, seen, way, keeping=keeping)
                await until(play.ended)
                await seen.until(lambda: _all_told(hall, seen))
                told_whole(seen)
                _tables_played_on(play, (gone, back))
                _record_is_that_of_the_hand(seen)
                await _everything_is_there_again(broker)


async def _outage(play: Play, seen: Scoreboard, way: Gate, *, keeping: bool) -> tuple[int, int]:
    """Kill the broker once it knows a ruling, an undecided alert and a ghost; start it again."""
    broker = play.hall.broker
    async with refereed(broker, seen, most=1):
        await seen.until(lambda: len(seen.of("ruling-made")) == 1)
    await seen.until(lambda: len(seen.of("alert-raised")) == 2)
    left = ROOT.alert("t1", seen.of("alert-raised")[1].data["alert"]["foul"]["id"])
    await seen.until(lambda: left in seen.newest)
    async with connect(broker.line("earlier-session")) as line:
        await line.publish(Message(GHOST, seen.newest[left].payload, retain=True))
    if keeping:
        # It acknowledges first and writes afterwards.
        await until(lambda: GHOST.encode() in (broker.directory / "mosquitto.db").read_bytes())
    gone = play.now()
    broker.kill()
    await way.shut()
    await play.reach(BACK_US)
    seen.connected.clear()
    broker.start()
    await seen.connected.wait()
    kept = await retained(broker)
    assert {GHOST, left} <= set(kept) if keeping else not kept
    back = play.now()
    await way.open()
    return gone, back


def _all_told(hall: Hall, seen: Scoreboard) -> bool:
    """Say whether the newest heartbeat knows no event that waits, and we know the newest."""
    beat = Heartbeat.model_validate_json(seen.newest[ROOT.heartbeat("node-1")].payload)
    newest = max(event.tableseq for event in seen.events.values())
    written = list(hall.journal.records("t1"))[-1].seq
    return not beat.outbox and newest == beat.last_seq["t1"] == written


def _tables_played_on(play: Play, away: tuple[int, int]) -> None:
    """The buzzer of the overrun sounded while there was no broker, and no other did."""
    log = play.hall.log()
    (tone,) = (line for line in log if line.get("command") == "buzzer")
    drawn = next(line for line in log if line.get("sensed") == "tile-drawn")
    assert tone["seat"] == drawn["seat"] == 4
    assert tone["device_us"] - drawn["device_us"] >= LIMIT_US
    assert away[0] < tone["monotonic_us"] - play.zero < away[1]


def _record_is_that_of_the_hand(seen: Scoreboard) -> None:
    raised = [event.data["alert"]["foul"] for event in seen.of("alert-raised")]
    assert [(foul["kind"], foul["seat"], foul["measured"]["least_us"]) for foul in raised] == [
        ("late-pung", 3, 3_099_000),
        ("late-pung", 4, 3_199_000),
        ("discard-over-limit", 4, 10_699_000),
        ("late-pung", 4, 3_299_000),
    ]
    lapsed = [event.data["alert"]["foul"]["id"] for event in seen.of("alert-lapsed")]
    assert lapsed == [foul["id"] for foul in raised[1:3]]
    assert len(seen.of("ruling-made")) == 1


async def _everything_is_there_again(broker: Mosquitto) -> None:
    """What stands is there, what lapsed meanwhile and what an earlier session left is gone."""
    kept = await retained(broker)
    kinds = [at.kind for topic in kept if (at := ROOT.parse(topic))]
    assert sorted(kinds) == sorted(KEPT)
    (alert,) = (kept[topic] for topic in kept if topic.startswith(ROOT.alert("t1", "x")[:-1]))
    assert AlertPayload.model_validate_json(alert).measured_least_us == 3_299_000
    ledger = LedgerPayload.model_validate_json(kept[ROOT.ledger("t1")])
    assert [(line.player, line.seat) for line in ledger.lines] == [("t1-3", 3)]
    standings = VenueStandings.model_validate_json(kept[ROOT.venue_state("standings")])
    assert {one.player: one.points for one in standings.players} == ledger.totals
    roster = VenueRoster.model_validate_json(kept[ROOT.venue_state("roster")])
    assert [(one.table, one.players[Seat.THREE]) for one in roster.tables] == [("t1", "t1-3")]
