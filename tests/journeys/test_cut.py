"""The wire is cut: clocks stop, nobody is charged for that turn, and the next press goes on."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from controller.processes import program
from controller.table_memory import STIMULUS
from mqtt.messages import Delivery
from mqtt.payloads import EventEnvelope, TableAvailability, TableSnapshot, Timers
from mqtt.topics import TopicKind
from table.events import DiscardPressed, LinkDown, Observed, TileDrawn
from table.seat import Seat
from tests.harness.broker import mosquitto
from tests.journeys.hall import Hall, begun, hall_in, until
from tests.journeys.scoreboard import ROOT, Scoreboard, scoreboard
from tests.journeys.verdict import told_whole

pytestmark = pytest.mark.journey
SCRIPT = Path(__file__).with_name("cut.hand")
SPEED = 5


async def test_a_cut_wire_and_a_new_boot_stop_the_clocks_and_charge_nobody(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        hall = hall_in(tmp_path, broker, SPEED)
        async with (
            scoreboard(broker) as seen,
            program("simulator", hall.simulator(SCRIPT)) as tables,
        ):
            await tables.line_with("ready")
            async with program("daemon", hall.daemon()):
                play = await begun(hall)
                await until(play.ended)
                await _beat(seen)
                told_whole(seen)
            only_what_was_followed_is_charged(seen)
            what_was_cut_is_known_but_late(hall)
            step_is_lost_and_found_each_time(seen)
            no_clock_runs_while_step_is_lost(seen)
            staff_see_why_the_table_is_away(seen)
            nothing_happens_after_the_last_cut(hall, seen)


async def _beat(seen: Scoreboard) -> None:
    """Wait for the next heartbeat: whatever came before it has been told."""
    topic = ROOT.heartbeat("node-1")

    def count() -> int:
        return sum(delivery.topic == topic for delivery in seen.deliveries)

    before = count()
    await seen.until(lambda: count() > before)


def only_what_was_followed_is_charged(seen: Scoreboard) -> None:
    fouls = [event.data for event in seen.of("foul-seen")]
    assert [(foul["kind"], foul["seat"], foul["measured"]["least_us"]) for foul in fouls] == [
        ("late-pung", 1, 3_099_000),
        ("late-pung", 3, 3_299_000),
    ]
    assert seen.of("over-limit") == []


def what_was_cut_is_known_but_late(hall: Hall) -> None:
    """The box kept the press over the limit and told it afterwards, as a replay."""
    observed = (STIMULUS.decode(one.stimulus, "journal") for one in hall.journal.records("t1"))
    late = [one.event for one in observed if isinstance(one, Observed) and one.replayed]
    assert DiscardPressed(Seat.TWO) in late
    assert TileDrawn(Seat.THREE) in late


def step_is_lost_and_found_each_time(seen: Scoreboard) -> None:
    kinds = ("step-lost", "play-resumed", "foul-seen")
    told = [_kind(event) for event in seen.events.values() if _kind(event) in kinds]
    assert told == ["step-lost", "play-resumed", "foul-seen"] * 2 + ["step-lost"]
    cut, rebooted, cut_for_good = (event.data["cause"] for event in seen.of("step-lost"))
    assert "is lost" in cut
    assert "started anew" in rebooted
    assert "is lost" in cut_for_good


def _kind(event: EventEnvelope) -> str:
    return event.type.removeprefix("tablewarden.")


def no_clock_runs_while_step_is_lost(seen: Scoreboard) -> None:
    phases: list[tuple[str, bool]] = []
    snapshot: TableSnapshot | None = None
    for delivery in seen.deliveries:
        match _kind_of(delivery):
            case TopicKind.STATE:
                snapshot = TableSnapshot.model_validate_json(delivery.payload)
            case TopicKind.TIMERS if snapshot:
                timers = Timers.model_validate_json(delivery.payload)
                faces = [*timers.seats.values(), timers.window]
                running = any(face.running for face in faces if face)
                phases.append((snapshot.hand_phase, running))
            case _:
                pass
    assert ("turn", True) in phases
    assert ("unsynced", False) in phases
    assert ("unsynced", True) not in phases


def _kind_of(delivery: Delivery) -> TopicKind | None:
    address = ROOT.parse(delivery.topic)
    return address.kind if address else None


def staff_see_why_the_table_is_away(seen: Scoreboard) -> None:
    """Offline with a cause at each cut; a new boot keeps the table online."""
    told = [one for one in _availability(seen) if one.status != "degraded"]
    statuses = [status for status, _ in groupby(one.status for one in told)]
    assert statuses == ["online", "offline"] * 2
    assert all(one.causes for one in told if one.status == "offline")


def _availability(seen: Scoreboard) -> Iterator[TableAvailability]:
    for delivery in seen.deliveries:
        if _kind_of(delivery) is TopicKind.TABLE_AVAILABILITY:
            yield TableAvailability.model_validate_json(delivery.payload)


def nothing_happens_after_the_last_cut(hall: Hall, seen: Scoreboard) -> None:
    """What is played on is heard by nobody: no event, no record and no buzzer."""
    log = hall.log()
    cut = max(place for place, line in enumerate(log) if line.get("wire") == "cut")
    assert [line for line in log[cut:] if "edge" in line]
    assert [line for line in log if "command" in line] == []
    newest = list(hall.journal.records("t1"))[-1]
    assert isinstance(STIMULUS.decode(newest.stimulus, "journal"), LinkDown)
    last = list(seen.events.values())[-1]
    assert (_kind(last), last.cause, last.tableseq) == ("step-lost", "link", newest.seq)
