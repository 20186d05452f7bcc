import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal_file import JournalFile
from controller.journal_reader import JournalReader
from controller.journal_schema import MIGRATIONS, bring_up, version_of
from table.errors import JournalError
from tests.controller.journal_entries import boot, entry

FIRST = ("CREATE TABLE tiles(name TEXT NOT NULL)",)
SECOND = ("ALTER TABLE tiles ADD COLUMN suit TEXT", "UPDATE tiles SET suit = 'bamboo'")
WRONG = ("ALTER TABLE tiles ADD COLUMN rank TEXT", "UPDATE walls SET rank = 'none'")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def old(path: Path) -> Iterator[sqlite3.Connection]:
    """A journal of a made-up version 1."""
    connection = sqlite3.connect(path, isolation_level=None)
    bring_up(connection, path, (FIRST,))
    connection.execute("INSERT INTO tiles VALUES ('3')")
    yield connection
    connection.close()


def _tiles(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    return connection.execute("SELECT * FROM tiles").fetchall()


def test_an_older_journal_is_led_forward_after_a_backup(
    old: sqlite3.Connection, path: Path
) -> None:
    bring_up(old, path, (FIRST, SECOND))
    assert version_of(old, path, (FIRST, SECOND)) == 2
    assert _tiles(old) == [("3", "bamboo")]
    backup = sqlite3.connect(f"{path}.v1-backup")
    assert version_of(backup, path, (FIRST,)) == 1
    assert _tiles(backup) == [("3",)]
    backup.close()


def test_a_migration_that_fails_changes_nothing(old: sqlite3.Connection, path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table: walls"):
        bring_up(old, path, (FIRST, WRONG))
    old.rollback()
    assert version_of(old, path, (FIRST, WRONG)) == 1
    assert _tiles(old) == [("3",)]


def test_a_newer_journal_is_refused_in_a_sentence(old: sqlite3.Connection, path: Path) -> None:
    bring_up(old, path, (FIRST, SECOND))
    with pytest.raises(JournalError, match=r"written by a newer tablewarden \(version 2 of the"):
        bring_up(old, path, (FIRST,))
    assert _tiles(old) == [("3", "bamboo")]


async def test_the_daemon_leaves_a_newer_journal_alone(path: Path) -> None:
    journal = await JournalFile.open(path, boot())
    await journal.submit(entry(1))
    await journal.close()
    newer = len(MIGRATIONS) + 1
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA user_version = {newer}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="newer tablewarden"):
        await JournalFile.open(path, boot())
    with pytest.raises(JournalError, match="newer tablewarden"):
        JournalReader(path).verify()
    assert path.read_bytes() == before


def test_a_journal_survives_a_power_cut(path: Path) -> None:
    """The settings that make a commit durable hold for the writer's connection."""
    connection = sqlite3.connect(path, isolation_level=None)
    bring_up(connection, path, MIGRATIONS)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    connection.close()
