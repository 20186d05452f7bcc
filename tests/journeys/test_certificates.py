"""An event that requires certificates, from the cable to whoever inspects its tables."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from controller.processes import ours, program
from mqtt.payloads import TableMeta, TableSnapshot
from mqtt.topics import TopicKind
from tests.harness.broker import mosquitto
from tests.journeys.hall import Hall, hall_in
from tests.journeys.scoreboard import ROOT, Scoreboard, scoreboard

pytestmark = pytest.mark.journey
ADD = (
    *("certificate", "add", "--number", "2026-1", "--issuer", "Hall service", "--table", "t1"),
    *("--inspected", "2020-01-01", "--valid-until", "2099-12-31", "--person", "Chen"),
)


def disarmed(seen: Scoreboard, table: str) -> str | None:
    told = seen.newest.get(ROOT.state(table))
    return TableSnapshot.model_validate_json(told.payload).disarmed if told else None


def meta(seen: Scoreboard, table: str) -> TableMeta:
    return TableMeta.model_validate_json(seen.newest[ROOT.table_meta(table)].payload)


def uncertified(table: str) -> str:
    return f"no certificate was entered for simulated table SIM-{table}"


async def ordered(hall: Hall, *words: str) -> "subprocess.CompletedProcess[str]":
    command = ours("controller", *words, "--config", str(hall.settings))
    return await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, timeout=60, check=False
    )


async def test_tables_are_disarmed_until_their_certificates_are_entered(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        hall = hall_in(tmp_path, broker, tables=2)
        text = hall.settings.read_text().replace("[event]", '[event]\ncertificates = "required"')
        hall.settings.write_text(text)
        tables = ours("simulator", "--dir", str(tmp_path), "--table", "t1", "--table", "t2")
        async with (
            scoreboard(broker) as seen,
            program("tables", tables),
            program("daemon", hall.daemon()),
        ):
            for table in ("t1", "t2"):
                await seen.until(lambda one=table: disarmed(seen, one) == uncertified(one))  # type: ignore[misc]
            assert meta(seen, "t1").certificate_status == "uncertified"
            assert (await ordered(hall, *ADD)).stdout == (
                "certificate 2026-1 of simulated table SIM-t1 at table t1 holds until 2099-12-31\n"
            )
            await seen.until(lambda: disarmed(seen, "t1") == "")
            assert meta(seen, "t1").certificate_until == "2099-12-31"
            assert disarmed(seen, "t2") == uncertified("t2")
            listed = await ordered(hall, "certificate", "list")
            assert listed.stdout.startswith(
                "2026-1  simulated table SIM-t1 at table t1  valid until 2099-12-31"
            )
        assert not seen.shown(TopicKind.ALERT)
