"""A node whose journal cannot be read plays on without one and lets go of the file."""

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from config.models import Event, SerialLinkTable, Settings
from config.models import Node as NodeSettings
from controller.assembly import remember
from controller.journal_file import JournalFile
from controller.journal_reader import JournalReader
from tests.controller.journal_entries import boot, entry
from tests.controller.live_table import RULES


def settings(folder: Path) -> Settings:
    return Settings(
        node=NodeSettings(id="node-1", venue="hall", state_directory=folder),
        event=Event(ruleset="mcr-2014"),
        tables={"t1": SerialLinkTable(wire="serial-link", port="/dev/null")},
    )


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
