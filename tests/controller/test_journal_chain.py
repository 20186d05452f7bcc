"""The chain shows a record that was changed, and anybody can check it from the export."""

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from controller.journal import Origin, Record
from controller.journal_chain import GENESIS, boot_head, record_head
from controller.journal_file import JournalFile
from controller.journal_reader import JournalReader
from table.errors import JournalError
from table.moment import Moment
from tests.controller.journal_entries import NOON, boot, command, entry, whole


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A journal of two runs with 40 records each, numbered like their positions."""
    path = tmp_path / "journal.sqlite"
    special = {7: command(7, b"done"), 10: whole(10)}
    for first in (1, 41):
        journal = await JournalFile.open(path, boot())
        for number in range(first, first + 40):
            await journal.submit(special.get(number, entry(number)))
        await journal.close()
    return path


def test_the_bytes_that_are_chained_are_those_of_the_description() -> None:
    record = Record(
        position=2,
        session=1,
        table="t1",
        moment=Moment(5),
        utc=NOON,
        stimulus='{"type":"LinkDown","cause":"断"}',
        effects="[]",
        seq=3,
        origin=Origin("board", "r-west", "cmd-1"),
        digest="",
        head="",
    )
    written = (
        '["record",2,1,"t1",5,1795953600000000,"{\\"type\\":\\"LinkDown\\",\\"cause\\":\\"断\\"}",'
        '"[]",3,"board","r-west","cmd-1",""]'
    )
    assert record_head(GENESIS, record) == sha256(bytes(32) + written.encode()).hexdigest()
    started = '["boot",1,"9f3c",5000000,1795953600000000,"0.1.0",0]'
    assert boot_head(GENESIS, 1, boot(), 0) == sha256(bytes(32) + started.encode()).hexdigest()


def test_an_untouched_journal_is_whole(path: Path) -> None:
    assert JournalReader(path).verify() is None


@pytest.mark.parametrize("changed", [b"X", b"\xff"], ids=["letter", "no-text"])
@pytest.mark.parametrize("number", [1, 23, 41, 80])
def test_a_changed_byte_is_found_at_its_position(path: Path, number: int, changed: bytes) -> None:
    content = path.read_bytes()
    place = content.index(f'断 {number}"'.encode())
    path.write_bytes(content[:place] + changed + content[place + 1 :])
    assert JournalReader(path).verify() == number


@pytest.mark.parametrize(
    ("statement", "position"),
    [
        ("UPDATE records SET effects = '[1]' WHERE position = 12", 12),
        ("UPDATE records SET moment = moment + 1 WHERE position = 45", 45),
        ("UPDATE records SET person = 'r-east' WHERE position = 7", 7),
        ("UPDATE records SET seq = 0 WHERE position = 80", 80),
        ("UPDATE records SET head = (SELECT max(head) FROM records) WHERE position = 5", 5),
        ("DELETE FROM records WHERE position = 30", 30),
        ("UPDATE boots SET utc = utc - 1 WHERE session = (SELECT max(session) FROM boots)", 41),
        ("UPDATE boots SET version = '9' WHERE session = (SELECT min(session) FROM boots)", 1),
        ("DELETE FROM boots WHERE session = (SELECT max(session) FROM boots)", 41),
        ("UPDATE snapshots SET state = x'00' WHERE position = 10", 10),
    ],
)  # fmt: skip
def test_a_changed_row_is_found_at_its_position(path: Path, statement: str, position: int) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)
    assert JournalReader(path).verify() == position


def test_two_records_that_changed_places_are_found(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for old, new in ((20, -1), (21, 20), (-1, 21)):
            connection.execute("UPDATE records SET position = ? WHERE position = ?", (new, old))
    assert JournalReader(path).verify() == 20


def test_the_export_suffices_to_check_the_chain(path: Path) -> None:
    head = bytes(32)
    lines = [json.loads(line) for line in JournalReader(path).export()]
    for line in lines:
        expected = line.pop("head")
        fields = json.dumps(list(line.values()), ensure_ascii=False, separators=(",", ":"))
        head = sha256(head + fields.encode()).digest()
        assert head.hex() == expected
    assert [line["kind"] for line in lines] == 2 * (["boot"] + 40 * ["record"])


def test_what_was_started_is_read_back(path: Path) -> None:
    first = next(JournalReader(path).links())
    assert first.head == boot_head(GENESIS, int(NOON.timestamp()), boot(), 0)


def test_reading_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="unable to open"):
        JournalReader(tmp_path / "none.sqlite").verify()
    assert not (tmp_path / "none.sqlite").exists()


def test_a_file_damaged_beyond_its_records_is_an_error(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes(len(content) - 4096))
    with pytest.raises(JournalError, match="malformed"):
        JournalReader(path).verify()


async def test_a_journal_is_read_while_it_is_written(path: Path) -> None:
    journal = await JournalFile.open(path, boot())
    await journal.submit(entry(1))
    reading = JournalReader(path).records()
    assert next(reading).position == 1
    assert (await journal.submit(entry(2))).position == 82
    assert sum(1 for _ in reading) == 80
    await journal.close()
