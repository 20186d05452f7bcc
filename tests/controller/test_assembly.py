"""How a node is put together: with a journal or without, and what its tables are said to be."""

import asyncio
import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from config.models import Broker, Event, SerialLinkTable, Settings
from config.models import Node as NodeSettings
from controller.assembly import Plan, line_settings, remember, table_of
from controller.journal_absent import NoJournal
from controller.journal_file import JournalFile
from controller.journal_reader import JournalReader
from controller.node import Node
from controller.table_drivers import TableDrivers
from controller.table_memory import nothing
from controller.table_rules import rules_of
from mqtt.payloads import TableMeta
from table.commands import Ordered, SeatPlayers
from table.errors import SettingsError
from table.fouls import FoulKind
from table.seat import BySeat, Seat
from tests.controller.journal_entries import boot, entry
from tests.controller.live_table import ROOT, RULES, HeardPress
from tests.harness.virtual_clock import VirtualClock


def settings(folder: Path) -> Settings:
    return Settings(
        node=NodeSettings(id="node-1", venue="hall", state_directory=folder),
        event=Event(ruleset="mcr-2014"),
        tables={"t1": SerialLinkTable(wire="serial-link", port="/dev/null")},
    )


def plan(wanted: Settings, clock: VirtualClock) -> Plan:
    return Plan(wanted, rules_of(wanted), TableDrivers(wanted, clock.now))


async def test_a_record_of_a_newer_version_is_kept_and_the_tables_play_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wanted = settings(tmp_path)
    before = await JournalFile.open(wanted.node.journal_file, boot())
    await before.submit(replace(entry(1), stimulus='{"type":"TilesWeighed"}'))
    await before.close()
    caplog.set_level(logging.ERROR)
    memories = await remember(wanted, RULES, boot())
    assert not memories.journal.healthy
    assert "record 1" in memories.journal.alarm
    assert memories.tables["t1"].seq == 0
    again = await JournalFile.open(wanted.node.journal_file, boot())
    await again.close()
    assert JournalReader(wanted.node.journal_file).verify() is None


async def test_a_table_tells_what_its_book_calls_a_foul_and_who_is_chief(tmp_path: Path) -> None:
    event = Event(ruleset="mcr-2014", chief_referees=("Ito", "Abe"))
    wanted = settings(tmp_path).model_copy(update={"event": event})
    clock, press = VirtualClock(), HeardPress()
    node = Node("node-1", ROOT, clock, clock.now(), NoJournal("none"), press)
    table = table_of(node, plan(wanted, clock), nothing("t1"), lambda: None)
    connecting = asyncio.create_task(table.wire.run(lambda _: None))
    await press.until(lambda: ROOT.table_meta("t1") in press.retained)
    connecting.cancel()
    meta = press.retained[ROOT.table_meta("t1")]
    assert isinstance(meta, TableMeta)
    assert meta.titles[FoulKind.LATE_PUNG] == "Pung or kong called late"
    assert meta.titles.keys() >= meta.fouls.keys()
    assert meta.chiefs == ("Abe", "Ito")


async def test_a_table_tells_who_sits_at_it_now_and_after_a_restart(tmp_path: Path) -> None:
    wanted, clock = settings(tmp_path), VirtualClock()
    newcomers = BySeat.of(lambda seat: f"newcomer-{seat}")
    told: list[dict[Seat, str]] = []
    for orders in ([Ordered(SeatPlayers(newcomers), "li")], []):
        memories, press = await remember(wanted, RULES, boot()), HeardPress()
        node = Node("node-1", ROOT, clock, clock.now(), memories.journal, press)
        table = table_of(node, plan(wanted, clock), memories.tables["t1"], lambda: None)
        for order in orders:
            table.loop.offer(order)
        playing = asyncio.create_task(table.loop.run())
        await press.until(partial(seated, press, "newcomer-1"))
        told.append(players(press))
        playing.cancel()
        await asyncio.wait([playing])
        await memories.journal.close()
    assert told == [dict(newcomers.items())] * 2


def players(press: HeardPress) -> dict[Seat, str]:
    meta = press.retained.get(ROOT.table_meta("t1"))
    return meta.players if isinstance(meta, TableMeta) else {}


def seated(press: HeardPress, player: str) -> bool:
    return player in players(press).values()


def test_a_node_shows_the_broker_a_certificate_whose_key_is_kept(tmp_path: Path) -> None:
    key = tmp_path / "n1.key"
    key.write_text("key", encoding="utf-8")
    broker = Broker(
        host="broker.example",
        tls_ca_file=tmp_path / "ca.pem",
        tls_certificate_file=tmp_path / "n1.pem",
        tls_key_file=key,
    )
    key.chmod(0o644)
    with pytest.raises(SettingsError, match="others must have no access"):
        line_settings(broker, "n1")
    key.chmod(0o600)
    line = line_settings(broker, "n1")
    assert (line.tls_ca_file, line.tls_certificate_file, line.tls_key_file) == (
        tmp_path / "ca.pem",
        tmp_path / "n1.pem",
        key,
    )
