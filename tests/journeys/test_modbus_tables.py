"""Tables of modules, from the file of settings to the topics: presses, a key, a power cut."""

import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from controller.clock import MonotonicClock
from controller.processes import ours, program
from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Message
from mqtt.orders import CommandPayload, ReplyPayload
from mqtt.payloads import TableAvailability, TableMeta, TableSnapshot
from simulator.modbus_plant import Key
from table.moment import MICROSECOND
from tests.harness.broker import mosquitto
from tests.journeys.hall import Hall, hall_in
from tests.journeys.module_hall import ModuleHall, module_hall
from tests.journeys.scoreboard import ROOT, Scoreboard, patient, scoreboard

pytestmark = pytest.mark.journey
LOGIN = "staff"
TABLES = ("t1", "t2", "t3")
POWER_AWAY = timedelta(seconds=2)


async def test_tables_of_modules_play_and_one_without_power_harms_no_other(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, module_hall(tmp_path) as modules:
        hall = hall_in(tmp_path, broker, tables=0)
        hall.settings.write_text(hall.settings.read_text() + modules.settings, encoding="utf-8")
        staff_find_the_file_good(hall)
        line = patient(broker.line(LOGIN))
        async with scoreboard(broker) as seen, program("daemon", hall.daemon()):
            await seen.until(lambda: all(reached(seen, table) for table in TABLES))
            async with connect(line) as orders:
                await one_order_is_one_push(modules, seen, orders)
                for table in ("t1", "t2", "t3"):
                    await a_press_is_told_with_its_interval(modules, seen, orders, table)
            await a_table_without_power_is_away_alone(modules, seen)
            await seen.until(lambda: all(measured(seen, table) for table in TABLES))
        assert hall.journal.verify() is None


def staff_find_the_file_good(hall: Hall) -> None:
    words = ("check", "--config", str(hall.settings))
    checked = subprocess.run(
        ours("controller", *words), capture_output=True, text=True, timeout=60, check=False
    )
    assert (checked.stderr, checked.returncode) == ("", 0)
    assert "t1 (modules seats, keys, signs)" in checked.stdout


async def one_order_is_one_push(modules: ModuleHall, seen: Scoreboard, orders: BrokerLine) -> None:
    """Shuffle t3, and say it twice: the key is pushed once, and the cycle is seen."""
    for _ in range(2):
        await orders.publish(order("t3", "shuffle"))
    await seen.until(lambda: replied(seen, "t3", "shuffle") == "done")
    await seen.until(lambda: snapshot(seen, "t3").machine_phase == "cycling")
    assert modules.pushes("t3") == [Key.SHUFFLE]
    assert modules.pushes("t1") == modules.pushes("t2") == []


async def a_press_is_told_with_its_interval(
    modules: ModuleHall, seen: Scoreboard, orders: BrokerLine, table: str
) -> None:
    await orders.publish(order(table, "start-hand"))
    await orders.publish(order(table, "end-deal"))
    await seen.until(lambda: replied(seen, table, "end-deal") == "done")
    before = MonotonicClock().now()
    await pressed(modules, seen, table, 1)
    after = MonotonicClock().now()
    (told,) = seen.of("discarded", table)
    when = told.data["when"]
    assert when["quality"] in {"polled", "counted"}
    width = (when["latest_us"] - when["earliest_us"]) * MICROSECOND
    assert timedelta(0) < width <= after - before + timedelta(milliseconds=200)


async def pressed(modules: ModuleHall, seen: Scoreboard, table: str, seat: int) -> None:
    """Hold the button down until it was heard, and let go."""
    told = len(seen.of("discarded", table))
    modules.touch(table, f"discard-{seat}", closed=True)
    await seen.until(lambda: len(seen.of("discarded", table)) == told + 1)
    modules.touch(table, f"discard-{seat}", closed=False)


async def a_table_without_power_is_away_alone(modules: ModuleHall, seen: Scoreboard) -> None:
    others = [availability(seen, table) for table in ("t2", "t3")]
    modules.cut_power("t1", POWER_AWAY)
    await seen.until(lambda: availability(seen, "t1").status == "offline")
    assert "module " in availability(seen, "t1").causes[0]
    await pressed(modules, seen, "t2", 2)
    await seen.until(lambda: reached(seen, "t1"))
    assert [availability(seen, table) for table in ("t2", "t3")] == others
    await pressed(modules, seen, "t1", 2)


def order(table: str, verb: str) -> Message:
    payload = CommandPayload(id=f"{table}-{verb}", person="Staff")
    topic = ROOT.table_command(LOGIN, table, verb)
    return Message(topic, payload.encode(), expiry_seconds=5)


def replied(seen: Scoreboard, table: str, verb: str) -> str:
    delivery = seen.newest.get(ROOT.reply(LOGIN, f"{table}-{verb}"))
    return ReplyPayload.model_validate_json(delivery.payload).status if delivery else ""


def snapshot(seen: Scoreboard, table: str) -> TableSnapshot:
    return TableSnapshot.model_validate_json(seen.newest[ROOT.state(table)].payload)


def availability(seen: Scoreboard, table: str) -> TableAvailability:
    payload = seen.newest[ROOT.table_availability(table)].payload
    return TableAvailability.model_validate_json(payload)


def reached(seen: Scoreboard, table: str) -> bool:
    known = ROOT.table_availability(table) in seen.newest
    return known and availability(seen, table).status == "online"


def measured(seen: Scoreboard, table: str) -> bool:
    """Say whether it was told how closely the seats are watched, at the period that was wanted."""
    meta = TableMeta.model_validate_json(seen.newest[ROOT.table_meta(table)].payload)
    return meta.pace is not None and meta.pace.wanted_us == 20_000 and meta.pace.width_us > 0
