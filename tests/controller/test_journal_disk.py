"""A disk that is full, read-only, damaged, or not the one it was."""

import logging
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.journal_file import JournalFile
from controller.journal_reader import JournalReader
from table.errors import JournalError
from tests.controller.journal_entries import boot, entry, full_disk, whole

NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
async def journal(path: Path) -> AsyncIterator[JournalFile]:
    opened = await JournalFile.open(path, boot())
    await opened.submit(entry(1))
    yield opened
    await opened.close()


def _written(path: Path) -> int:
    return Path(f"{path}-wal").stat().st_size


async def _fill(journal: JournalFile, path: Path) -> None:
    """Have an entry fail because no file can grow."""
    with full_disk(_written(path)), pytest.raises(JournalError, match=r"journal\.sqlite: "):
        await journal.submit(entry(2))


async def test_a_full_disk_refuses_the_entry_and_raises_the_alarm(
    journal: JournalFile, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await _fill(journal, path)
    assert not journal.healthy
    assert str(path) in journal.alarm
    assert journal.has_gap("t1")
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert [record.seq for record in journal.records()] == [1]


async def test_a_disk_that_stays_full_is_told_once(
    journal: JournalFile, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with full_disk(_written(path)):
        for number in range(5):
            with pytest.raises(JournalError):
                await journal.submit(whole(number))
            await journal.probe()
            assert not journal.healthy
    assert len(caplog.records) == 1


async def test_with_room_again_the_next_entry_recovers_by_itself(
    journal: JournalFile, path: Path
) -> None:
    await _fill(journal, path)
    assert (await journal.submit(whole(3))).position == 2
    assert journal.healthy
    assert journal.alarm == ""
    assert [record.seq for record in journal.records()] == [1, 3]
    assert JournalReader(path).verify() is None


async def test_a_probe_finds_that_the_disk_is_well_again(
    journal: JournalFile, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await _fill(journal, path)
    await journal.probe()
    assert journal.healthy
    assert journal.has_gap("t1")
    assert [record.levelno for record in caplog.records] == [logging.ERROR, logging.INFO]
    with pytest.raises(JournalError, match="does not carry the whole state"):
        await journal.submit(entry(3))
    assert (await journal.submit(whole(4))).position == 2


async def test_events_of_a_lost_entry_never_leave(journal: JournalFile, path: Path) -> None:
    await _fill(journal, path)
    await journal.submit(whole(3))
    waiting = [event.payload for event in await journal.outbox.next_batch(0, 100)]
    assert waiting == [b"t1 1 0", b"t1 1 1", b"t1 3 0", b"t1 3 1"]


async def test_the_outbox_goes_on_after_the_file_was_opened_anew(
    journal: JournalFile, path: Path
) -> None:
    seen = (await journal.outbox.next_batch(0, 100))[-1].position
    await journal.outbox.acknowledge([seen])
    await _fill(journal, path)
    await journal.probe()
    await journal.submit(whole(3))
    rest = await journal.outbox.next_batch(seen, 100)
    assert [event.payload for event in rest] == [b"t1 3 0", b"t1 3 1"]
    assert journal.outbox.depth == 3


async def test_another_file_in_its_place_is_not_written(
    journal: JournalFile, path: Path, tmp_path: Path
) -> None:
    other = await JournalFile.open(tmp_path / "other.sqlite", boot())
    await other.close()
    _move(path, tmp_path / "away.sqlite")
    (tmp_path / "other.sqlite").rename(path)
    await journal.probe()
    with pytest.raises(JournalError, match="not the file that was written before"):
        await journal.submit(whole(2))
    assert not journal.healthy
    assert list(JournalReader(path).records()) == []


async def test_a_file_that_went_away_is_not_begun_anew(
    journal: JournalFile, path: Path, tmp_path: Path
) -> None:
    _move(path, tmp_path / "away.sqlite")
    await journal.probe()
    with pytest.raises(JournalError, match="unable to open"):
        await journal.submit(whole(2))
    assert not path.exists()
    _move(tmp_path / "away.sqlite", path)
    await journal.probe()
    assert (await journal.submit(whole(2))).position == 2


def _move(journal: Path, to: Path) -> None:
    for part in ("", "-wal", "-shm"):
        Path(f"{journal}{part}").rename(f"{to}{part}")


async def test_a_damaged_file_is_left_as_it_is(path: Path) -> None:
    path.write_bytes(b"The wall of the east seat is short of one tile. " * 100)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="file is not a database"):
        await JournalFile.open(path, boot())
    assert path.read_bytes() == before


async def test_a_journal_can_be_opened_after_an_opening_that_failed(path: Path) -> None:
    path.write_bytes(b"no journal" * 1000)
    with pytest.raises(JournalError):
        await JournalFile.open(path, boot())
    path.unlink()
    await (await JournalFile.open(path, boot())).close()


async def test_a_database_of_another_program_is_left_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as foreign:
        foreign.execute("CREATE TABLE recipes(name TEXT)")
    with pytest.raises(JournalError, match="a database of another program, left as it is"):
        await JournalFile.open(path, boot())


async def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"nowhere/journal\.sqlite"):
        await JournalFile.open(tmp_path / "nowhere" / "journal.sqlite", boot())


def _open_as_nobody(path: Path, told: Connection) -> None:
    """Open a journal as a user who may only read it; runs in a process of its own."""
    import asyncio  # noqa: PLC0415

    if os.geteuid() == 0:
        os.setuid(NOBODY)
    try:
        asyncio.run(JournalFile.open(path, boot()))
    except JournalError as error:
        told.send(str(error))


@pytest.mark.parametrize("lock_mode", [0o444, 0o666], ids=["folder", "file"])
async def test_a_journal_that_cannot_be_written_says_so(lock_mode: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        await (await JournalFile.open(path, boot())).close()
        Path(f"{path}.lock").chmod(lock_mode)
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        heard, told = get_context("forkserver").Pipe(duplex=False)
        reader = get_context("forkserver").Process(target=_open_as_nobody, args=(path, told))
        reader.start()
        reader.join(30)
        Path(folder).chmod(0o755)
        assert heard.poll()
        assert str(path) in heard.recv()
        assert JournalReader(path).verify() is None
