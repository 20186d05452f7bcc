"""A broker that is away too long: the oldest events are let go, in order, for good, and counted."""

import asyncio
import shutil
import tracemalloc
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from controller.journal_file import JournalFile
from controller.journal_writer import Writer
from mqtt.outbox import OutgoingEvent
from tests.controller.journal_entries import boot, entry

MOST = 10


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


async def opened(path: Path, most: int = MOST) -> JournalFile:
    return await JournalFile.open(path, boot(), most)


async def fill(journal: JournalFile, first: int, last: int) -> None:
    """Submit entries of two events each, as fast as the journal can take them."""
    await asyncio.gather(*[journal.submit(entry(number)) for number in range(first, last + 1)])


async def waiting(journal: JournalFile) -> list[OutgoingEvent]:
    return list(await journal.outbox.next_batch(0, 100_000))


def texts(events: list[OutgoingEvent]) -> list[str]:
    return [one.payload.decode() for one in events]


def written(first: int, last: int) -> list[str]:
    return [f"t1 {number} {place}" for number in range(first, last + 1) for place in (0, 1)]


async def take(journal: JournalFile, events: list[OutgoingEvent]) -> None:
    await journal.outbox.acknowledge([one.position for one in events])


async def test_beyond_the_bound_the_oldest_are_let_go_and_the_newest_wait_in_order(
    path: Path,
) -> None:
    journal = await opened(path)
    await fill(journal, 1, 5)
    assert not journal.alarms
    await fill(journal, 6, 20)
    assert texts(await waiting(journal)) == written(16, 20)
    assert journal.outbox.depth == MOST
    said = "the broker was away too long: 30 events were let go, replay brings them"
    assert journal.alarms == (said,)
    await journal.close()


async def test_one_commit_may_bring_more_events_than_may_wait(path: Path) -> None:
    journal = await opened(path, most=3)
    await journal.submit(entry(1, events=50))
    assert texts(await waiting(journal)) == ["t1 1 47", "t1 1 48", "t1 1 49"]
    assert journal.outbox.depth == 3
    await journal.close()


async def test_a_publisher_that_has_kept_up_is_handed_nothing_that_was_let_go(path: Path) -> None:
    journal = await opened(path, most=3)
    await journal.submit(entry(1, events=1))
    (first,) = await waiting(journal)
    await take(journal, [first])
    await journal.submit(entry(2, events=50))
    new = await journal.outbox.next_batch(first.position, 100)
    assert texts(list(new)) == ["t1 2 47", "t1 2 48", "t1 2 49"]
    await fill(journal, 3, 3)
    new = await journal.outbox.next_batch(first.position, 100)
    assert texts(list(new)) == ["t1 2 49", "t1 3 0", "t1 3 1"]
    await journal.close()


async def test_what_the_broker_takes_while_the_journal_writes_counts_at_once(path: Path) -> None:
    journal = await opened(path)
    await fill(journal, 1, 3)
    first, second, *_ = await waiting(journal)
    writing = journal.submit(entry(4))
    await take(journal, [first, second])
    await writing
    assert journal.outbox.depth == 6
    await journal.probe()
    assert journal.outbox.depth == len(await waiting(journal)) == 6
    await journal.close()


def test_the_writer_does_not_wait_to_forget_what_it_has_let_go(path: Path) -> None:
    writer = Writer(path, boot(), MOST)
    writer.commit([entry(number) for number in range(1, 4)])
    first, *_ = writer.waiting(0, 100)
    writer.commit([entry(number) for number in range(4, 10)])
    assert len(writer.waiting(0, 100, acknowledged=[first.position])) == MOST
    assert writer.status.waiting.depth == MOST
    writer.close()


async def test_what_was_let_go_stays_away_and_counted_after_a_kill(path: Path) -> None:
    journal = await opened(path)
    await fill(journal, 1, 20)
    killed = path.with_name("killed.sqlite")
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", f"{killed}{end}")
    await journal.close()
    again = await opened(killed)
    assert texts(await waiting(again)) == written(16, 20)
    assert again.outbox.depth == MOST
    assert "30 events" in again.outbox.alarm
    await again.close()


async def test_the_alarm_ends_when_the_broker_has_all_that_waited(path: Path) -> None:
    journal = await opened(path)
    await fill(journal, 1, 20)
    first, *rest = await waiting(journal)
    await take(journal, [first])
    await journal.probe()
    assert "30 events" in journal.outbox.alarm
    await take(journal, rest)
    await journal.probe()
    assert journal.alarms == ()
    await journal.close()
    again = await opened(path)
    assert again.alarms == ()
    await fill(again, 21, 26)
    assert "2 events" in again.outbox.alarm
    await again.close()


async def test_events_that_the_broker_takes_too_late_are_not_counted_twice(path: Path) -> None:
    journal = await opened(path)
    await fill(journal, 1, 5)
    on_the_way = await waiting(journal)
    await fill(journal, 6, 7)
    await take(journal, on_the_way)
    assert journal.outbox.depth == 4
    await journal.probe()
    assert journal.outbox.depth == len(await waiting(journal)) == 4
    await journal.close()


async def test_a_lower_bound_holds_from_the_next_event_on(path: Path) -> None:
    journal = await opened(path, most=100)
    await fill(journal, 1, 20)
    await journal.close()
    journal = await opened(path, most=4)
    assert journal.outbox.depth == 40
    await fill(journal, 21, 21)
    assert texts(await waiting(journal)) == written(20, 21)
    assert "38 events" in journal.outbox.alarm
    await journal.close()


async def test_a_full_outbox_takes_no_more_memory_for_more_events(path: Path) -> None:
    """What waits is in the file: ten times as much is no more in memory."""
    journal = await opened(path, most=4000)
    await fill(journal, 1, 500)
    tracemalloc.start()
    for first in range(501, 5500, 100):
        await fill(journal, first, first + 99)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert journal.outbox.depth == 4000
    assert used < 2_000_000
    await journal.close()


@dataclass
class Model:
    """What should wait, said as simply as can be."""

    waiting: list[str] = field(default_factory=list)
    let_go: int = 0

    def add(self, text: str) -> None:
        self.waiting.append(text)
        if len(self.waiting) > MOST:
            del self.waiting[0]
            self.let_go += 1


deeds = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(1, 8)),
        st.tuples(st.just("take"), st.integers(1, 12)),
        st.tuples(st.sampled_from(["probe", "restart"]), st.just(0)),
    ),
    max_size=15,
)


@settings(max_examples=25)
@given(deeds)
def test_whatever_comes_and_goes_the_newest_wait_and_the_count_is_right(
    todo: list[tuple[str, int]],
) -> None:
    async def live() -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "journal.sqlite"
            journal, model, number = await opened(path), Model(), 0
            for deed, count in todo:
                if deed == "add":
                    await fill(journal, number + 1, number + count)
                    for text in written(number + 1, number + count):
                        model.add(text)
                    number += count
                elif deed == "take":
                    await take(journal, list(await journal.outbox.next_batch(0, count)))
                    del model.waiting[:count]
                elif deed == "restart":
                    await journal.close()
                    journal = await opened(path)
                await journal.probe()
                model.let_go = model.let_go if model.waiting else 0
                assert texts(await waiting(journal)) == model.waiting
                assert journal.outbox.depth == len(model.waiting)
                told = f" {model.let_go} events" in journal.outbox.alarm
                assert told if model.let_go else not journal.outbox.alarm
            event(f"let go: {model.let_go > 0}")
            await journal.close()

    asyncio.run(live())


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 8)), min_size=1, max_size=12))
def test_however_writing_and_sending_overlap_nothing_is_counted_wrong_in_the_end(
    rhythm: list[tuple[int, int]],
) -> None:
    async def live() -> None:
        with TemporaryDirectory() as folder:
            journal, number = await opened(Path(folder) / "journal.sqlite"), 0
            promised = []
            taken = 0
            for more, sent in rhythm:
                submitted = range(number + 1, number + more + 1)
                promised += [journal.submit(entry(one)) for one in submitted]
                number += more
                batch = await journal.outbox.next_batch(taken, sent)
                await asyncio.sleep(0)
                await take(journal, list(batch))
                taken = batch[-1].position if batch else taken
            await asyncio.gather(*promised)
            await journal.probe()
            await journal.probe()
            left = await waiting(journal)
            assert journal.outbox.depth == len(left) <= MOST
            assert texts(left) == written(1, number)[len(written(1, number)) - len(left) :]
            await take(journal, left)
            await journal.probe()
            assert (journal.outbox.depth, journal.alarms) == (0, ())
            await journal.close()

    asyncio.run(live())
