import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from controller.journal import Journal, Origin, Receipt
from controller.journal_absent import NoJournal
from controller.journal_file import JournalFile
from controller.journal_reader import JournalReader
from table.errors import JournalError
from tests.controller.journal_entries import NOON, boot, command, entry, whole


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


FIRST = int(NOON.timestamp())
"""The session of the first start."""


@pytest.fixture
async def journal(path: Path) -> AsyncIterator[JournalFile]:
    opened = await JournalFile.open(path, boot())
    yield opened
    await opened.close()


async def test_what_was_submitted_is_read_back_as_it_was(journal: JournalFile) -> None:
    ordered = replace(entry(1), origin=Origin("board", "r-west", "cmd-1"))
    receipt = await journal.submit(ordered)
    (record,) = journal.records()
    assert (record.position, record.session, record.head) == (1, FIRST, receipt.head)
    assert (record.table, record.moment, record.utc) == ("t1", ordered.moment, ordered.utc)
    assert (record.stimulus, record.effects) == (ordered.stimulus, ordered.effects)
    assert (record.seq, record.origin) == (1, ordered.origin)


async def test_positions_follow_the_order_of_submission(journal: JournalFile) -> None:
    receipts = await asyncio.gather(*[journal.submit(entry(number)) for number in range(500)])
    assert [receipt.position for receipt in receipts] == list(range(1, 501))
    assert [record.seq for record in journal.records()] == list(range(500))


async def test_head_and_position_are_those_of_the_last_receipt(journal: JournalFile) -> None:
    empty = journal.head
    receipt = await journal.submit(entry(1))
    assert journal.head != empty
    assert Receipt(journal.position, journal.head) == receipt


async def test_what_gathers_during_a_commit_shares_the_next_one(
    journal: JournalFile, path: Path
) -> None:
    await journal.submit(entry(0, events=0))
    before = _pages_written(path)
    await asyncio.gather(*[journal.submit(entry(number, events=0)) for number in range(200)])
    assert _pages_written(path) - before < 100


def _pages_written(path: Path) -> int:
    return Path(f"{path}-wal").stat().st_size // 4096


async def test_records_of_one_table_are_read_behind_a_position(journal: JournalFile) -> None:
    for number in range(6):
        await journal.submit(entry(number, f"t{number % 2}"))
    assert [record.position for record in journal.records("t1", after=2)] == [4, 6]


async def test_a_clock_that_was_set_back_does_not_make_a_session_look_old(path: Path) -> None:
    for utc, session in ((NOON, FIRST), (NOON - timedelta(days=9), FIRST + 1)):
        journal = await JournalFile.open(path, boot(utc))
        assert journal.session == session
        await journal.close()
    journal = await JournalFile.open(path, boot(NOON + timedelta(hours=1)))
    assert journal.session == FIRST + 3600
    await journal.close()


async def test_a_journal_goes_on_where_the_last_run_stopped(path: Path) -> None:
    for run in range(3):
        journal = await JournalFile.open(path, boot())
        assert journal.session == FIRST + run
        assert journal.position == run * 2
        await asyncio.gather(journal.submit(entry(1)), journal.submit(entry(2)))
        await journal.close()
    assert [record.session for record in JournalReader(path).records()] == [
        FIRST + run for run in range(3) for _ in range(2)
    ]
    assert JournalReader(path).verify() is None


async def test_a_journal_is_named_by_its_beginning_for_ever(path: Path) -> None:
    for later in (timedelta(0), timedelta(days=3)):
        journal = await JournalFile.open(path, boot(NOON + later))
        assert journal.epoch == NOON.timestamp()
        await journal.close()


async def test_closing_writes_what_was_submitted(path: Path) -> None:
    journal = await JournalFile.open(path, boot())
    submitted = [journal.submit(entry(number)) for number in range(50)]
    await journal.close()
    assert all(receipt.done() for receipt in submitted)
    assert len(list(JournalReader(path).records())) == 50


async def test_a_closed_journal_takes_nothing(path: Path) -> None:
    journal = await JournalFile.open(path, boot())
    await journal.close()
    with pytest.raises(JournalError, match="closed"):
        await journal.submit(entry(1))


async def test_a_submitter_who_stopped_waiting_holds_nobody_up(journal: JournalFile) -> None:
    left, stayed = journal.submit(entry(1)), journal.submit(entry(2))
    left.cancel()
    assert (await stayed).position == 2


async def test_a_second_daemon_is_refused(journal: JournalFile, path: Path) -> None:
    await journal.submit(entry(1))
    with pytest.raises(JournalError, match="another tablewarden is writing it"):
        await JournalFile.open(path, boot())
    assert (await journal.submit(entry(2))).position == 2


async def test_text_that_no_file_can_keep_is_refused_alone(journal: JournalFile) -> None:
    bad = replace(entry(2, "t2"), origin=Origin("board", "\ud800"))
    good = [journal.submit(entry(1)), journal.submit(entry(3))]
    with pytest.raises(JournalError, match="table t2: not recorded"):
        await journal.submit(bad)
    assert [(await receipt).position for receipt in good] == [1, 2]
    assert journal.healthy
    assert journal.has_gap("t2")
    assert not journal.has_gap("t1")


async def test_after_a_lost_entry_only_the_whole_state_goes_on(journal: JournalFile) -> None:
    with pytest.raises(JournalError):
        await journal.submit(replace(entry(1), effects="\ud800"))
    with pytest.raises(JournalError, match="does not carry the whole state"):
        await journal.submit(entry(2))
    assert (await journal.submit(whole(3))).position == 1
    assert not journal.has_gap("t1")
    assert (await journal.submit(entry(4))).position == 2


async def test_the_newest_whole_state_is_where_replay_begins(journal: JournalFile) -> None:
    assert journal.latest_snapshot("t1") is None
    for number in (1, 2, 3):
        await journal.submit(whole(number))
        await journal.submit(entry(10 + number))
    await journal.submit(whole(9, "t2"))
    snapshot = journal.latest_snapshot("t1")
    assert snapshot is not None
    assert (snapshot.position, snapshot.seq, snapshot.state) == (5, 3, b"state 3")


async def test_the_same_command_gets_the_same_reply(journal: JournalFile) -> None:
    asked = command(1, b"done")
    assert asked.origin is not None
    assert journal.replied(asked.origin) is None
    receipt = journal.submit(asked)
    during = journal.replied(asked.origin)
    assert during is not None
    assert not during.done()
    await receipt
    after = journal.replied(asked.origin)
    assert after is not None
    assert (await during, await after) == (b"done", b"done")


async def test_one_id_of_two_logins_is_two_commands(journal: JournalFile) -> None:
    await journal.submit(command(1, b"done"))
    assert journal.replied(Origin("scoreboard", "", "cmd-1")) is None


async def test_a_later_reply_of_a_command_replaces_the_first(path: Path) -> None:
    journal = await JournalFile.open(path, boot())
    for text in (b"accepted", b"done"):
        await journal.submit(command(1, text))
    await journal.close()
    assert await _reply(path, timedelta(0)) == b"done"


async def test_a_reply_outlives_the_daemon_for_ten_minutes(path: Path) -> None:
    journal = await JournalFile.open(path, boot())
    await journal.submit(command(1, b"done"))
    await journal.close()
    assert await _reply(path, timedelta(minutes=10)) == b"done"
    assert await _reply(path, timedelta(minutes=10, microseconds=1)) is None


async def test_old_replies_are_forgotten(path: Path) -> None:
    journal = await JournalFile.open(path, boot())
    await journal.submit(command(1, b"done"))
    await journal.submit(command(2, b"done", timedelta(minutes=11)))
    old = journal.replied(Origin("board", "", "cmd-1"))
    await journal.close()
    assert old is None
    assert await _reply(path, timedelta(0)) is None


async def test_a_reply_that_was_lost_leaves_the_one_before(journal: JournalFile) -> None:
    await journal.submit(command(1, b"accepted"))
    origin = Origin("board", "r-west", "cmd-1")
    lost = journal.submit(replace(command(1, b"done"), effects="\ud800"))
    asked = journal.replied(origin)
    assert asked is not None
    with pytest.raises(JournalError):
        await lost
    with pytest.raises(JournalError):
        await asked
    standing = journal.replied(origin)
    assert standing is not None
    assert await standing == b"accepted"


async def test_a_command_whose_entry_was_lost_is_new_again(journal: JournalFile) -> None:
    with pytest.raises(JournalError):
        await journal.submit(replace(command(1, b"done"), effects="\ud800"))
    assert journal.replied(Origin("board", "r-west", "cmd-1")) is None


async def _reply(path: Path, later: timedelta) -> bytes | None:
    journal = await JournalFile.open(path, boot(NOON + later))
    answer = journal.replied(Origin("board", "", "cmd-1"))
    text = None if answer is None else await answer
    await journal.close()
    return text


async def test_without_a_journal_nothing_is_kept_and_everything_says_so() -> None:
    journal: Journal = NoJournal("journal /x: disk I/O error")
    with pytest.raises(JournalError, match="not recorded: journal /x: disk I/O error"):
        await journal.submit(entry(1))
    assert not journal.healthy
    assert journal.has_gap("t1")
    assert journal.replied(Origin("board", "", "cmd-1")) is None
    assert list(journal.records()) == []
    assert journal.latest_snapshot("t1") is None
    assert list(await journal.outbox.next_batch(0, 10)) == []
    await journal.probe()
    await journal.close()


def test_the_file_obeys_the_protocol(journal: JournalFile) -> None:
    obeying: Journal = journal
    assert obeying.healthy
