import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from controller.journal_file import JournalFile
from controller.outbox import KEPT_IN_MEMORY
from mqtt.outbox import Outbox, OutgoingEvent
from tests.controller.journal_entries import boot, entry


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
async def journal(path: Path) -> AsyncIterator[JournalFile]:
    opened = await JournalFile.open(path, boot())
    yield opened
    await opened.close()


async def _all(outbox: Outbox, limit: int = 100) -> list[OutgoingEvent]:
    """Read everything that waits, as a publisher does after connecting."""
    waiting: list[OutgoingEvent] = []
    while batch := await outbox.next_batch(waiting[-1].position if waiting else 0, limit):
        waiting += batch
    return waiting


def _texts(events: Sequence[OutgoingEvent]) -> list[str]:
    return [event.payload.decode() for event in events]


def _written(entries: int) -> list[str]:
    return [f"t1 {number} {place}" for number in range(entries) for place in (0, 1)]


async def test_events_wait_in_the_order_in_which_they_became_durable(journal: JournalFile) -> None:
    await asyncio.gather(*[journal.submit(entry(number)) for number in range(1, 4)])
    events = await _all(journal.outbox)
    assert _texts(events) == ["t1 1 0", "t1 1 1", "t1 2 0", "t1 2 1", "t1 3 0", "t1 3 1"]
    assert {(event.table, event.kind) for event in events} == {("t1", "step-lost")}
    positions = [event.position for event in events]
    assert positions == sorted(set(positions))


async def test_the_publisher_is_called_once_an_entry_is_durable(journal: JournalFile) -> None:
    receipt = journal.submit(entry(1))
    assert not journal.outbox.filled.is_set()
    await receipt
    assert journal.outbox.filled.is_set()
    assert len(await journal.outbox.next_batch(0, 100)) == 2


async def test_a_batch_is_no_longer_than_asked_for(journal: JournalFile) -> None:
    await asyncio.gather(*[journal.submit(entry(number)) for number in range(20)])
    assert len(await journal.outbox.next_batch(0, 7)) == 7
    assert len(await _all(journal.outbox, limit=7)) == 40


async def test_acknowledged_events_are_gone_at_once_and_for_ever(path: Path) -> None:
    journal = await JournalFile.open(path, boot())
    await asyncio.gather(*[journal.submit(entry(number)) for number in range(1, 4)])
    first, _, third, *_ = await _all(journal.outbox)
    await journal.outbox.acknowledge([third.position, first.position])
    rest = ["t1 1 1", "t1 2 1", "t1 3 0", "t1 3 1"]
    assert _texts(await _all(journal.outbox)) == rest
    assert journal.outbox.depth == 4
    await journal.close()
    journal = await JournalFile.open(path, boot())
    assert journal.outbox.filled.is_set()
    assert journal.outbox.depth == 4
    assert _texts(await _all(journal.outbox)) == rest
    await journal.close()


async def test_places_are_never_used_twice(path: Path) -> None:
    seen: set[int] = set()
    for _ in range(3):
        journal = await JournalFile.open(path, boot())
        await journal.submit(entry(1))
        positions = [event.position for event in await _all(journal.outbox)]
        assert not seen.intersection(positions)
        seen.update(positions)
        await journal.outbox.acknowledge(positions)
        await journal.close()


async def test_a_publisher_that_reconnects_reads_what_is_left_from_the_start(path: Path) -> None:
    journal = await JournalFile.open(path, boot())
    await journal.submit(entry(1))
    await journal.close()
    journal = await JournalFile.open(path, boot())
    await journal.submit(entry(2))
    old, *_ = await _all(journal.outbox)
    await journal.outbox.acknowledge([old.position])
    assert _texts(await _all(journal.outbox)) == ["t1 1 1", "t1 2 0", "t1 2 1"]
    await journal.close()


async def test_a_long_outage_fills_the_file_and_not_the_memory(journal: JournalFile) -> None:
    entries = KEPT_IN_MEMORY
    await asyncio.gather(*[journal.submit(entry(number)) for number in range(entries)])
    assert journal.outbox.depth == 2 * entries
    events = await _all(journal.outbox, limit=300)
    assert _texts(events) == [
        f"t1 {number} {place}" for number in range(entries) for place in (0, 1)
    ]
    for event in events:
        await journal.outbox.acknowledge([event.position])
    assert journal.outbox.depth == 0
    assert await _all(journal.outbox) == []


async def test_a_publisher_keeps_up_with_a_journal_that_is_being_written(
    journal: JournalFile,
) -> None:
    outbox: Outbox = journal.outbox
    published: list[str] = []

    async def publish() -> None:
        after = 0
        while len(published) < 2 * 600:
            await outbox.filled.wait()
            outbox.filled.clear()
            while batch := await outbox.next_batch(after, 16):
                published.extend(_texts(batch))
                after = batch[-1].position
                await outbox.acknowledge([event.position for event in batch])

    publisher = asyncio.create_task(publish())
    for number in range(600):
        receipt = journal.submit(entry(number))
        if number % 7 == 0:
            await receipt
    async with asyncio.timeout(30):
        await publisher
    assert published == _written(600)
    assert journal.outbox.depth == 0
