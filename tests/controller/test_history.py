"""What is replayed is what was sent: the same messages, whatever happened, wherever it was cut."""

import asyncio
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import accumulate, cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from controller.history import History, Page, Stretch
from controller.journal import Entry, Journal
from controller.journal_file import JournalFile
from controller.numbering import Numbers
from controller.recovery import recover
from controller.table_core import Stimulus, fresh, step
from controller.table_memory import EFFECTS, STIMULUS
from mqtt.catalogue import EVENTS
from mqtt.events import Audience, kind_of
from mqtt.orders import ReplyPayload
from mqtt.payloads import EventEnvelope
from table.answers import Ignored
from table.errors import JournalError
from table.events import LinkDown, Restarted
from table.moment import Moment
from tests.controller.journal_entries import entry
from tests.controller.kept_table import BOOT, NOON, START, Table, let
from tests.controller.live_table import ROOT, RULES
from tests.controller.notebook import Notebook
from tests.controller.strategies import Evening, evenings, told
from timing.effects import StepLost

ENOUGH = 100_000
rhythms = st.lists(
    st.sampled_from(["go on", "go on", "write", "write", "fill the disk", "settle", "settle"]),
    min_size=1,
    max_size=12,
)
bounds = st.integers(0, 60)


def history(journal: Journal) -> History:
    return History(journal, ROOT, "node-1")


def replayed(
    journal: Journal,
    audience: Audience = Audience.OFFICIALS,
    after: int = 0,
    before: int = ENOUGH,
) -> list[EventEnvelope]:
    """Read a stretch to its end, page after page."""
    found: list[EventEnvelope] = []
    while after < before - 1:
        page = history(journal).page(Stretch("t1", audience, after, before))
        assert page.reached > after
        found += page.events
        after = page.reached
    return found


def kind(message: EventEnvelope) -> str:
    return message.type.removeprefix("tablewarden.")


def public(message: EventEnvelope) -> bool:
    return kind(message) in EVENTS and EVENTS[kind(message)][1] is Audience.EVERYONE


def check_numbers(messages: list[EventEnvelope]) -> None:
    """Count as a reader does who sees everything from the first event on."""
    newest = 0
    for place, message in enumerate(messages, start=1):
        assert (message.tableseq, message.previous) == (place, newest)
        assert message.id == f"t1-{message.epoch}-{place}"
        newest = place if public(message) else newest


def check_replays(journal: Journal, sent: list[bytes], after: int, before: int) -> None:
    """Compare what was sent with what is replayed, whole and in part, for both audiences."""
    live = [EventEnvelope.model_validate_json(payload) for payload in sent]
    check_numbers(live)
    assert [one.encode() for one in replayed(journal)] == sent
    wanted = [one for one in live if after < one.tableseq < before]
    assert replayed(journal, Audience.OFFICIALS, after, before) == wanted
    heard = replayed(journal, Audience.EVERYONE, after, before)
    assert heard == [one for one in wanted if public(one)]
    event(f"some are for officials: {len(heard) < len(wanted)}")
    assert history(journal).newest("t1") == len(sent)


@given(evenings(), rhythms, bounds, bounds)
def test_wherever_the_disk_was_full_what_was_sent_is_replayed(
    evening: Evening, rhythm: list[str], after: int, before: int
) -> None:
    async def live() -> None:
        journal = Notebook()
        table = Table(evening.rules, journal)
        for (now, stimulus), deed in zip(evening.happenings, cycle(rhythm)):
            if isinstance(stimulus, Restarted):
                await let("settle", journal)
                journal.crash()
                table = Table(evening.rules, journal, table.turns)
            table.happens(now, stimulus)
            await let(deed, journal)
        await let("write", journal)
        await let("settle", journal)
        check_replays(journal, journal.sent, after, before)

    told(evening)
    asyncio.run(live())


@settings(max_examples=8)
@given(evenings(), bounds, bounds)
def test_what_was_sent_is_replayed_from_a_file_over_restarts_and_a_migration(
    evening: Evening, after: int, before: int
) -> None:
    async def live() -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "journal.sqlite"
            journal = await JournalFile.open(path, BOOT)
            table = Table(evening.rules, journal)
            for now, stimulus in evening.happenings:
                if isinstance(stimulus, Restarted):
                    await asyncio.gather(*(kept for _, kept in table.turns))
                    await journal.close()
                    age(path)
                    journal = await JournalFile.open(path, BOOT)
                    table = Table(evening.rules, journal)
                table.happens(now, stimulus)
            assert all(await asyncio.gather(*(kept for _, kept in table.turns)))
            sent = [one.payload for one in await journal.outbox.next_batch(0, ENOUGH)]
            check_replays(journal, sent, after, before)
            await journal.close()

    told(evening)
    asyncio.run(live())


def age(path: Path) -> None:
    """Have a journal be of the first version of its tables again."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TABLE let_go")
        connection.execute("PRAGMA user_version = 1")


@given(evenings(), st.integers(0, 20), bounds)
def test_a_record_from_before_is_replayed_with_its_refusals_and_numbers(
    evening: Evening, upgraded: int, after: int
) -> None:
    """Before version 1.2 a refused order was an event, and none named the one before it."""

    async def live() -> None:
        journal = Notebook()
        former, later = evening.happenings[:upgraded], evening.happenings[upgraded:]
        kinds = await write_as_before(journal, evening, former)
        table = Table(evening.rules, journal)
        table.happens(evening.end, Restarted("the daemon was upgraded"))
        for _, stimulus in later:
            table.happens(evening.end, stimulus)
        await let("write", journal)
        await let("settle", journal)
        found = replayed(journal)
        check_numbers(found)
        assert [kind(one) for one in found[: len(kinds)]] == kinds
        assert [one.encode() for one in found[len(kinds) :]] == journal.sent
        assert replayed(journal, after=after) == found[after:]
        event(f"refused before: {'refused' in kinds}")
        assert recover(journal, evening.rules, "t1").numbers == table.record.kept.numbers

    asyncio.run(live())


async def write_as_before(
    journal: Notebook, evening: Evening, happenings: list[tuple[Moment, Stimulus]]
) -> list[str]:
    """Write happenings as version 1.1 did, and return the kinds of its events."""
    kinds: list[str] = []
    entries: list[Entry] = []
    state = fresh("t1")
    for now, stimulus in happenings:
        taken = step(evening.rules, state, stimulus, now)
        state = taken.state
        names = [kind_of(type(effect)) for effect in taken.effects]
        kinds += [one for one in names if one in EVENTS or one == "refused"]
        effects = EFFECTS.encode(taken.effects)
        entries.append(Entry("t1", now, NOON, STIMULUS.encode(stimulus), effects, len(kinds)))
    await written(journal, entries)
    return kinds


async def written(journal: Notebook, entries: list[Entry]) -> None:
    receipts = [journal.submit(one) for one in entries]
    journal.write()
    await asyncio.gather(*receipts)


LOST = StepLost("cut")
LONG = "麻" * 30_000
"""So long in UTF-8 that it fills a page."""


async def kept(effects: list[str]) -> Notebook:
    """Return a journal of records with so many events each as their effects have."""
    journal = Notebook()
    ends = accumulate(len(json.loads(text)) for text in effects)
    await written(journal, [cut(text, end) for text, end in zip(effects, ends, strict=True)])
    return journal


def cut(effects: str, seq: int) -> Entry:
    return Entry("t1", START, NOON, STIMULUS.encode(LinkDown("cut")), effects, seq)


async def test_a_page_has_a_hundred_events_and_the_next_one_goes_on_within_a_record() -> None:
    journal = await kept([EFFECTS.encode((LOST,) * 30)] * 10)
    pages = [history(journal).page(Stretch("t1", Audience.EVERYONE, 0, 301))]
    while pages[-1].reached < 300:
        after = pages[-1].reached
        pages.append(history(journal).page(Stretch("t1", Audience.EVERYONE, after, 301)))
    assert [len(page.events) for page in pages] == [100, 100, 100]
    numbers = [one.tableseq for page in pages for one in page.events]
    assert numbers == list(range(1, 301))


async def test_a_page_is_no_longer_than_a_reply_may_be() -> None:
    long = StepLost("断" * 300)
    journal = await kept([EFFECTS.encode((long,) * 90)] * 2)
    found: list[EventEnvelope] = []
    after = 0
    while after < 180:
        page = history(journal).page(Stretch("t1", Audience.EVERYONE, after, 181))
        reply = ReplyPayload(id="c" * 64, status="accepted", events=page.events, time=NOON)
        assert len(reply.encode()) <= 64 * 1024
        assert len(page.events) > 1
        found += page.events
        after = page.reached
    assert [one.tableseq for one in found] == list(range(1, 181))


async def test_an_event_that_is_longer_than_a_page_has_one_of_its_own() -> None:
    journal = await kept([EFFECTS.encode((LOST, StepLost(LONG), LOST))])
    page = history(journal).page(Stretch("t1", Audience.EVERYONE, 0, 4))
    assert [one.tableseq for one in page.events] == [1]
    page = history(journal).page(Stretch("t1", Audience.EVERYONE, 1, 4))
    assert [one.tableseq for one in page.events] == [2]
    page = history(journal).page(Stretch("t1", Audience.EVERYONE, 2, 4))
    assert [one.tableseq for one in page.events] == [3]


async def test_a_stretch_without_events_for_the_reader_is_looked_through_at_once() -> None:
    journal = await kept([EFFECTS.encode((Ignored("late"),) * 120)] * 3)
    page = history(journal).page(Stretch("t1", Audience.EVERYONE, 0, 361))
    assert page == Page((), 360)


async def test_what_this_version_cannot_read_is_named_after_what_it_can() -> None:
    eaten = '[{"type":"TileEaten"},{"type":"TileEaten"}]'
    journal = await kept([EFFECTS.encode((LOST,)), eaten, EFFECTS.encode((LOST,))])
    stretch = Stretch("t1", Audience.EVERYONE, 0, 5)
    page = history(journal).page(stretch)
    assert ([one.tableseq for one in page.events], page.reached) == ([1], 1)
    said = "events 2 to 3 of table t1 cannot be read again, ask for those after 3: record 2"
    with pytest.raises(JournalError, match=said):
        history(journal).page(replace(stretch, after=1))
    (last,) = history(journal).page(replace(stretch, after=3)).events
    assert (last.tableseq, last.previous) == (4, 1)


async def test_a_damaged_record_does_not_keep_a_table_from_starting() -> None:
    journal = await kept([EFFECTS.encode((LOST,)), "[]"])
    await written(journal, [cut("[", 3)])
    assert recover(journal, RULES, "t1").numbers == Numbers(3, 1)


async def test_the_place_of_a_number_is_found_among_the_records_of_other_tables(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.sqlite"
    journal = await JournalFile.open(path, BOOT)
    tables = ["t1", "t2", "t1", "t2", "t2", "t1", "t1", "t2", "t1"]
    for place, table in enumerate(tables, start=1):
        await journal.submit(replace(entry(place), table=table, seq=place - place % 2, events=()))
    own = [(one.position, one.seq) for one in journal.records("t1")]
    assert own == [(1, 0), (3, 2), (6, 6), (7, 6), (9, 8)]
    for seq in range(10):
        expected = max(position for position, newest in own if newest <= seq)
        assert journal.place_of("t1", seq) == expected
    assert journal.place_of("t3", 5) == 0
    assert [one.position for one in journal.records_back("t1", 6)] == [6, 3, 1]
    await journal.close()
