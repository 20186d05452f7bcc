"""kill -9 at any moment: what was promised is there, and nothing is half there."""

import sqlite3
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest

from controller.journal_file import JournalFile
from controller.journal_plan import outgoing_position
from controller.journal_reader import JournalReader
from tests.controller.journal_entries import boot
from tests.controller.journal_victim import EVENTS, write_until_killed

KILLS = 100
_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload(["pytest", "tests.controller.journal_victim"])


def _kill_while_writing(path: Path, seed: int) -> list[tuple[int, str]]:
    """Let a process write, kill it after some promises, and return all that it told."""
    heard, told = _PROCESSES.Pipe(duplex=False)
    victim = _PROCESSES.Process(target=write_until_killed, args=(path, seed, told))
    victim.start()
    told.close()
    promised = [heard.recv() for _ in range(Random(seed).randrange(60))]
    victim.kill()
    victim.join()
    try:
        while True:
            promised.append(heard.recv())
    except (EOFError, OSError):  # the pipe's end, or a message that the kill cut
        heard.close()
    victim.close()
    return promised


def _outbox_of(path: Path, position: int) -> int:
    with closing(sqlite3.connect(path)) as connection:
        (count,) = connection.execute(
            "SELECT count(*) FROM outbox WHERE id BETWEEN ? AND ?",
            (outgoing_position(position, 0), outgoing_position(position + 1, 0) - 1),
        ).fetchone()
    return int(count)


@pytest.mark.parametrize("decade", range(KILLS // 10))
def test_after_a_kill_every_promise_is_kept_and_the_chain_is_whole(
    tmp_path: Path, decade: int
) -> None:
    path = tmp_path / "journal.sqlite"
    for kill in range(10):
        promised = _kill_while_writing(path, decade * 10 + kill)
        reader = JournalReader(path)
        assert reader.verify() is None
        records = list(reader.records())
        assert [record.position for record in records] == list(range(1, len(records) + 1))
        heads = {record.position: record.head for record in records}
        assert all(heads[position] == head for position, head in promised)
        assert not records or _outbox_of(path, len(records)) in {0, EVENTS}


async def test_what_was_durable_and_not_acknowledged_leaves_after_the_kill(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    promised = _kill_while_writing(path, 7)
    journal = await JournalFile.open(path, boot())
    waiting: list[str] = []
    after = 0
    while batch := await journal.outbox.next_batch(after, 50):
        waiting += [event.payload.decode() for event in batch]
        after = batch[-1].position
    assert len(waiting) == journal.outbox.depth > 0
    last = promised[-1][0]
    names = [record.table for record in journal.records(after=last - 1)]
    assert any(text.startswith(f"{names[0]} ") for text in waiting)
    assert journal.session > 1
    await journal.close()
