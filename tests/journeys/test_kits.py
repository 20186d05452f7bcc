"""One written hand on the table link and on the four kits: the same rulings as rehearsed."""

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.clock import MonotonicClock
from controller.demo_watcher import LOGIN, Watcher
from controller.processes import ours, program
from mqtt.broker_line import connect
from mqtt.payloads_of_rulings import LedgerPayload
from table.happening import RefereeOrders, RefereeRules
from table.moment import Moment
from table.script import read_script
from tests.harness.broker import Mosquitto, mosquitto
from tests.journeys.hall import Hall, hall_in, logged, until
from tests.journeys.scoreboard import ROOT, Scoreboard, patient, scoreboard
from tests.journeys.verdict import told_whole

pytestmark = pytest.mark.journey
SCRIPT = Path(__file__).with_name("kits.hand")
KITS = {
    "t2": ("basic", "rtu"),
    "t3": ("counted", "rtu-over-tcp"),
    "t4": ("ethernet", "tcp"),
    "t5": ("odd", "rtu"),
}
TABLES = ("t1", *KITS)
SHORT = """[event]
presumed_margin_seconds = 1
overrides.turn_seconds = 2
overrides.call_window_seconds = 1
overrides.late_call_stands = true
"""
TAP = "400"
"""In ms, so that a level is still down after an answer that was lost on a busy machine."""
MEASURED = ("measured", "started", "ended")


async def test_the_same_hand_gets_the_same_rulings_on_the_link_and_on_every_kit(
    tmp_path: Path,
) -> None:
    with mosquitto(tmp_path) as broker:
        hall = hall_in(tmp_path, broker)
        async with scoreboard(broker) as seen, AsyncExitStack() as running:
            settings = hall.settings.read_text().replace("[event]\n", SHORT)
            for table in TABLES:
                settings += await running.enter_async_context(played(hall, table))
            hall.settings.write_text(settings)
            rehearsed = await asyncio.to_thread(rehearsal, hall.settings)
            await running.enter_async_context(program("daemon", hall.daemon()))
            async with asyncio.TaskGroup() as referees:
                for table in TABLES:
                    referees.create_task(refereed(broker, hall, table))
            await seen.until(lambda: len(seen.of("hand-ended")) == len(TABLES))
            await seen.until(lambda: all(ledger(seen, table) for table in TABLES))
        told_whole(seen)
        for table in TABLES:
            judged_as_rehearsed(seen, table, rehearsed)
            assert buzzed(hall, table) == [2], table
        assert hall.journal.verify() is None


@asynccontextmanager
async def played(hall: Hall, table: str) -> AsyncIterator[str]:
    """Have a simulated table play the hand, and say what the daemon is to be told of it."""
    play = ("--dir", str(hall.folder), "--table", table, "--script", str(SCRIPT), "--tap", TAP)
    kit, wire = KITS.get(table, ("", ""))
    fitted = ("--kit", kit, "--wire", wire) if kit else ()
    async with program(table, ours("simulator", *play, *fitted)) as running:
        told = []
        async for line in running.lines():
            if line == "ready":
                break
            told.append(line)
        ports = sum(line.startswith("table ") for line in told)
        yield "\n".join(told[ports:]) + "\n"


def rehearsal(settings: Path) -> list[dict[str, Any]]:
    words = ("rehearse", "--json", "--config", str(settings), str(SCRIPT))
    played = subprocess.run(
        ours("controller", *words), capture_output=True, text=True, timeout=60, check=True
    )
    return [json.loads(line) for line in played.stdout.splitlines()]


async def refereed(broker: Mosquitto, hall: Hall, table: str) -> None:
    """Say the referee's lines of the hand at their time, a ruling once its alert is there."""
    complaints: list[str] = []
    watcher = Watcher(ROOT, table, complaints.append)
    line = patient(broker.line(f"{LOGIN}-{table}"))
    async with connect(line) as known, asyncio.TaskGroup() as tasks:
        watching = tasks.create_task(watcher.watch(known))
        await until(lambda: started(hall, table))
        zero = Moment(started(hall, table)[0])
        ruled = 0
        for said in read_script(SCRIPT.read_text(encoding="utf-8")):
            if isinstance(said.happening, RefereeOrders | RefereeRules):
                await MonotonicClock().sleep_until(zero + said.at)
                ruled += isinstance(said.happening, RefereeRules)
                await until(lambda due=ruled: len(watcher.alerts) >= due)  # type: ignore[misc] # bound
                await watcher.order(known, said.happening)
        await until(lambda: any(line.get("script") == "ended" for line in log(hall, table)))
        watching.cancel()
    assert complaints == []


def log(hall: Hall, table: str) -> list[dict[str, Any]]:
    return logged(hall.folder / f"{table}.log.jsonl")


def started(hall: Hall, table: str) -> list[int]:
    """Return when the table began to play, by the machine's clock in µs."""
    began = (line for line in log(hall, table) if line.get("script") == "started")
    return [line.get("at_us") or line["monotonic_us"] for line in began]


def buzzed(hall: Hall, table: str) -> list[int]:
    """Return the seats whose buzzer sounded."""
    lines = log(hall, table)
    by_box = [line["seat"] for line in lines if line.get("command") == "buzzer"]
    on = (str(line["wire"]) for line in lines if line.get("on"))
    return by_box + [int(wire[-1]) for wire in on if wire.startswith("buzzer-")]


def ledger(seen: Scoreboard, table: str) -> dict[str, int]:
    told = seen.newest.get(ROOT.ledger(table))
    return LedgerPayload.model_validate_json(told.payload).totals if told else {}


def judged_as_rehearsed(seen: Scoreboard, table: str, rehearsed: list[dict[str, Any]]) -> None:
    for kind in ("alert-raised", "ruling-made"):
        expected = [event["data"] for event in rehearsed if event.get("kind") == kind]
        made = [event.data for event in seen.of(kind, table)]
        assert [said(one, table) for one in made] == [said(one, "t1") for one in expected]
        for one, other in zip(made, expected, strict=True):
            scripted, measured = (each["alert"]["foul"]["measured"] for each in (other, one))
            middle = (scripted["least_us"] + scripted["most_us"]) // 2
            assert measured["least_us"] <= middle <= measured["most_us"], (table, measured)
    assert ledger(seen, table) == {f"{table}-4": rehearsed[-1]["ledger"]["t1-4"]}


def said(event: Mapping[str, Any], table: str) -> dict[str, Any]:
    """Return what was found and ruled, without the readings, the table and the person's name."""
    text = json.dumps(event).replace(f'"{table}-', '"')
    alert: dict[str, Any] = json.loads(text)["alert"]
    for reading in MEASURED:
        del alert["foul"][reading]
    for ruling in alert["rulings"]:
        del ruling["person"]
    return alert
