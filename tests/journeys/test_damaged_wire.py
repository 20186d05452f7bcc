"""Frames come to harm on the wire: nothing wrong is concluded from them, and play goes on."""

from pathlib import Path

import pytest

from controller.processes import program
from mqtt.payloads import TableAvailability
from table.happening import Input, SeatTap
from table.script import read_script
from tests.harness.broker import mosquitto
from tests.journeys.damaged_wire import DamagedWire, Mishap, damaged_wire
from tests.journeys.hall import begun, hall_in, until
from tests.journeys.kills import SCRIPT, SPEED, late_pungs
from tests.journeys.scoreboard import ROOT, Scoreboard, scoreboard
from tests.journeys.verdict import told_whole

pytestmark = pytest.mark.journey
SEED = 1


async def test_harmed_frames_change_nothing_but_the_count_of_damage(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        hall = hall_in(tmp_path, broker, SPEED)
        async with (
            scoreboard(broker) as seen,
            program("simulator", hall.simulator(SCRIPT)) as tables,
        ):
            await tables.line_with("ready")
            with damaged_wire(hall.folder / "t1", SEED) as wire:
                async with program("daemon", hall.daemon()):
                    play = await begun(hall)
                    await until(play.ended)
                    await seen.until(lambda: _damage_is_told(seen))
                    await seen.until(lambda: len(seen.of("discarded")) == len(_played("discard")))
                everything_happened_to_frames(wire)
        told_whole(seen)
        seats_said_what_they_said(seen)
        fouls_have_their_own_readings(seen)


def _damage_is_told(seen: Scoreboard) -> bool:
    topic = ROOT.table_availability("t1")
    told = (
        TableAvailability.model_validate_json(delivery.payload)
        for delivery in seen.deliveries
        if delivery.topic == topic
    )
    return any(
        one.status == "degraded" and any("arrived damaged" in cause for cause in one.causes)
        for one in told
    )


def everything_happened_to_frames(wire: DamagedWire) -> None:
    assert set(wire.to_host.harmed) == set(Mishap), wire.to_host.harmed
    assert set(wire.to_box.harmed) == set(Mishap) - {Mishap.OLD_BOOT}, wire.to_box.harmed


def seats_said_what_they_said(seen: Scoreboard) -> None:
    """Each press is one event, in the order of play, and step was never lost."""
    discards = [event.data["seat"] for event in seen.of("discarded")]
    assert discards == _played("discard")
    assert not any(event.data["implied"] for event in seen.of("discarded"))
    assert [event.data["seat"] for event in seen.of("claimed")] == _played("claim")
    assert seen.of("step-lost") == seen.of("ignored") == []


def _played(button: str) -> list[int]:
    lines = (line.happening for line in read_script(SCRIPT.read_text(encoding="utf-8")))
    return [
        line.seat for line in lines if isinstance(line, SeatTap) and line.input == Input(button)
    ]


def fouls_have_their_own_readings(seen: Scoreboard) -> None:
    readings = [event.data["measured"]["least_us"] for event in seen.of("foul-seen")]
    assert readings == [late.taken_us - 1000 for late in late_pungs()]
