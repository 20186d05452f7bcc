"""What `tablewarden journal` shows at an appeal: records by number, and whether they are whole."""

import asyncio
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from controller.command_line import BAD_CONFIGURATION, FAILED, GOOD, main
from controller.journal_file import JournalFile
from controller.table_memory import EFFECTS
from table.events import Call
from table.moment import MILLISECOND, Elapsed
from table.seat import Seat
from tests.config.files import GOOD as SETTINGS
from tests.config.files import saved
from tests.controller.journal_entries import boot, command, entry
from timing.effects import Claimed

Read = pytest.CaptureFixture[str]
CLAIM = Claimed(Seat.THREE, Call.PUNG, Elapsed(3399 * MILLISECOND, 3401 * MILLISECOND))
FORMER = '[{"type":"WordOfAnotherVersion"}]'


@pytest.fixture
def config(tmp_path: Path) -> str:
    """Settings that name a journal of three records."""
    asyncio.run(_written(tmp_path / "journal.sqlite"))
    return str(saved(tmp_path, SETTINGS.replace("[event]", 'state_directory = "."\n[event]')))


async def _written(path: Path) -> None:
    journal = await JournalFile.open(path, boot())
    told = replace(entry(1), effects=EFFECTS.encode((CLAIM,)))
    for one in (told, command(2, b"{}"), replace(entry(3), effects=FORMER)):
        await journal.submit(one)
    await journal.close()


def test_a_record_is_shown_with_its_time_its_table_and_what_followed(
    config: str, capsys: Read
) -> None:
    assert main(["journal", "show", "1", "--config", config]) == GOOD
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "record 1, 2026-11-29 12:00:00.001000 UTC, table t1",
        '    heard: {"type":"LinkDown","cause":"断 1"}',
        "    seat 3 claims pung after 3.399 to 3.401 s",
    ]
    assert lines[3].startswith("    chain: ")


def test_an_order_is_shown_with_its_person_and_login(config: str, capsys: Read) -> None:
    assert main(["journal", "show", "2", "--config", config]) == GOOD
    first = capsys.readouterr().out.splitlines()[0]
    assert first.endswith("table t1, ordered by r-west through board, command cmd-2")


def test_records_are_shown_in_the_order_asked_for_and_another_versions_as_they_stand(
    config: str, capsys: Read
) -> None:
    assert main(["journal", "show", "3", "1", "--config", config]) == GOOD
    said = capsys.readouterr().out
    assert said.index("record 3,") < said.index(f"followed: {FORMER}") < said.index("record 1,")


def test_a_number_that_no_record_has_is_named_and_nothing_is_shown(
    config: str, capsys: Read
) -> None:
    assert main(["journal", "show", "1", "17", "--config", config]) == FAILED
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "tablewarden: the journal has no record 17\n")


def test_a_journal_that_is_whole_is_called_so(config: str, capsys: Read) -> None:
    assert main(["journal", "verify", "--config", config]) == GOOD
    assert capsys.readouterr().out == "every record is as it was written\n"


def test_the_first_changed_record_is_named(config: str, tmp_path: Path, capsys: Read) -> None:
    with sqlite3.connect(tmp_path / "journal.sqlite") as connection:
        connection.execute("UPDATE records SET person = 'nobody' WHERE position = 2")
    connection.close()
    assert main(["journal", "verify", "--config", config]) == FAILED
    assert capsys.readouterr().out == "record 2 is not as it was written\n"


def test_the_whole_journal_is_written_out_as_lines_of_json(config: str, capsys: Read) -> None:
    assert main(["journal", "export", "--config", config]) == GOOD
    kinds = [json.loads(line)["kind"] for line in capsys.readouterr().out.splitlines()]
    assert kinds == ["boot", "record", "record", "record"]


def test_a_journal_that_is_not_there_is_named(tmp_path: Path, capsys: Read) -> None:
    config = saved(tmp_path, SETTINGS.replace("[event]", 'state_directory = "."\n[event]'))
    assert main(["journal", "verify", "--config", str(config)]) == FAILED
    assert str(tmp_path / "journal.sqlite") in capsys.readouterr().err


def test_bad_settings_are_told_before_any_journal_is_opened(tmp_path: Path, capsys: Read) -> None:
    config = saved(tmp_path, SETTINGS.replace("hall-a", "Hall A"))
    assert main(["journal", "verify", "--config", str(config)]) == BAD_CONFIGURATION
    assert "id" in capsys.readouterr().err
