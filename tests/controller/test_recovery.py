"""From the journal back to the table: the same state, whatever happened and wherever it was cut."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from controller.journal import Entry, Record, Snapshot
from controller.journal_absent import NoJournal
from controller.journal_file import JournalFile
from controller.recovery import recover
from controller.table_core import TableState, fresh, step
from controller.table_memory import EFFECTS, MEMORY, STIMULUS, TableMemory, nothing
from mqtt.payloads_of_rulings import AlertPayload
from scoring.alert import AlertStatus
from scoring.effects import AlertRaised, RulingMade
from scoring.ledger import ledger
from table.alert_commands import Acknowledge, AddNote, Confirm, EnterFoul, Reverse, Undo
from table.commands import Command, DrawHand, Ordered, Stop
from table.errors import JournalError
from table.events import Call, ClaimPressed, DealEnded, DiscardPressed, LinkUp, Observed, Restarted
from table.fouls import FoulKind
from table.moment import Interval
from table.seat import Seat
from tests.controller.kept_table import BOOT, NOON, START, Kept, Table, let
from tests.controller.live_table import RULES
from tests.controller.notebook import Notebook, record
from tests.controller.strategies import Evening, evenings, told
from timing.phases import Over

LATE = ClaimPressed(Seat.THREE, Call.PUNG)


def still(memory: TableMemory) -> TableMemory:
    """Leave out when a table was looked at last; a look alone is not written down."""
    state = memory.state
    untimed = TableState(
        replace(state.hand, last=None),
        replace(state.machine, last=None),
        replace(state.docket, last=None),
    )
    return replace(memory, state=untimed)


@given(evenings(), st.sets(st.integers(0, 40)))
def test_replaying_what_was_written_gives_the_same_state(
    evening: Evening, snapshots: set[int]
) -> None:
    state = fresh("t1")
    for place, turn in enumerate(told(evening)):
        stimulus = STIMULUS.decode(STIMULUS.encode(turn.stimulus), "here")
        taken = step(evening.rules, state, stimulus, turn.now)
        assert taken == turn.taken
        assert EFFECTS.decode(EFFECTS.encode(taken.effects), "here") == taken.effects
        state = taken.state
        if place in snapshots:
            memory = replace(nothing("t1"), state=state, seq=place)
            state = MEMORY.decode(MEMORY.encode(memory), "here").state


@settings(max_examples=8)
@given(evenings())
def test_a_table_is_recovered_from_a_real_journal(evening: Evening) -> None:
    async def live() -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "journal.sqlite"
            journal = await JournalFile.open(path, BOOT)
            table = Table(evening.rules, journal)
            for now, stimulus in evening.happenings:
                table.happens(now, stimulus)
            assert all(await asyncio.gather(*(kept for _, kept in table.turns)))
            await journal.close()
            again = await JournalFile.open(path, BOOT)
            event(f"snapshot: {again.latest_snapshot('t1') is not None}")
            recovered = recover(again, evening.rules, "t1")
            await again.close()
            assert still(recovered) == still(table.memory)

    told(evening)
    asyncio.run(live())


@given(
    evenings(),
    st.lists(
        st.sampled_from(["go on", "go on", "write", "write", "fill the disk", "settle", "settle"]),
        min_size=1,
        max_size=12,
    ),
)
def test_wherever_the_disk_was_full_record_and_table_agree_on_every_ruling(
    evening: Evening, rhythm: list[str]
) -> None:
    async def live() -> None:
        journal = Notebook()
        table = Table(evening.rules, journal)
        turns = table.turns
        for (now, stimulus), deed in zip(evening.happenings, cycle(rhythm)):
            if isinstance(stimulus, Restarted):
                await let("settle", journal)
                journal.crash()
                table = Table(evening.rules, journal, turns)
            table.happens(now, stimulus)
            await let(deed, journal)
        for _ in range(2):  # the first one may still be refused behind a gap
            await let("write", journal)
            await let("settle", journal)
            table.happens(evening.end, Ordered(Stop(), "staff"))
        await let("write", journal)
        await let("settle", journal)
        recovered = recover(journal, evening.rules, "t1")
        assert still(recovered).state == still(table.memory).state
        assert recovered.seq == table.record.seq
        assert recovered.evidence == table.record.kept.evidence
        _compare(turns, recovered)

    told(evening)
    asyncio.run(live())


def _compare(turns: list[Kept], recovered: TableMemory) -> None:
    """Find everything again that was called durable."""
    alerts = recovered.state.docket.alerts
    for turn, kept in turns:
        durable = kept.done() and kept.result()
        event(f"durable: {durable}")
        for effect in turn.taken.effects if durable else ():
            if isinstance(effect, RulingMade):
                ruled = effect.alert.rulings
                assert alerts[effect.alert.id].rulings[: len(ruled)] == ruled
            if isinstance(effect, AlertRaised):
                assert effect.alert.id in recovered.raised


async def test_a_ruling_that_was_refused_is_not_written_down_by_the_end_of_its_hand() -> None:
    journal = Notebook()
    table = Table(RULES, journal)
    for after, happened in ((0, DealEnded()), (5, DiscardPressed(Seat.ONE)), (9, LATE)):
        now = START + timedelta(seconds=after)
        table.happens(now, Observed(happened, Interval.exactly(now)))
    await let("write", journal)
    await let("settle", journal)
    now = START + timedelta(seconds=10)
    table.happens(now, Ordered(Confirm("t1-1-f1", 1), "referee-1"))
    await let("fill the disk", journal)
    table.happens(now, Ordered(DrawHand(), "referee-1"))
    await let("write", journal)
    await let("settle", journal)
    table.happens(now, Ordered(Stop(), "staff"))
    await let("write", journal)
    await let("settle", journal)
    recovered = recover(journal, RULES, "t1").state
    assert recovered.docket.undecided == ("t1-1-f1",)
    assert recovered == table.record.state
    assert isinstance(recovered.hand.phase, Over)


async def test_a_restart_on_a_full_disk_plays_on_and_keeps_nothing_for_a_referee() -> None:
    journal = Notebook()
    before = Table(RULES, journal)
    for after, happened in ((1000, DealEnded()), (1005, DiscardPressed(Seat.ONE)), (1009, LATE)):
        now = START + timedelta(seconds=after)
        before.happens(now, Observed(happened, Interval.exactly(now)))
    before.happens(START + timedelta(seconds=1010), Ordered(Acknowledge("t1-1-f1", 1), "referee-1"))
    await let("write", journal)
    await let("settle", journal)
    again = Table(RULES, journal)  # the machine booted: its moments begin at 0 again
    again.happens(START, Restarted("the machine booted"))
    await let("fill the disk", journal)
    await let("settle", journal)
    again.happens(START + timedelta(seconds=1), LinkUp(holds=False, draws=False))
    alert = again.record.state.docket.alerts["t1-1-f1"]
    assert (alert.status, alert.lease_ends) == (AlertStatus.OPEN, None)
    (shown,) = again.press.alerts()
    assert isinstance(shown, AlertPayload)
    assert (shown.status, shown.revision) == (AlertStatus.OPEN, alert.revision)


RULINGS: tuple[Command, ...] = (
    Confirm("t1-1-f1", 1),
    Undo("t1-1-f1", 2),
    Confirm("t1-1-f1", 3),
    EnterFoul(FoulKind.WRONG_MELD, Seat.TWO, "two different tiles"),
    Confirm("t1-1-r1", 1),
    Reverse("t1-1-f1", 4, "wrong seat"),
    AddNote("t1-1-f1", "seat 3 was asked"),
)
"""At a table that has seen a late pung: one slip, one reversal and one dead hand."""


@pytest.mark.parametrize("lived", range(len(RULINGS) + 1))
async def test_wherever_the_daemon_is_killed_rulings_ledger_and_dead_hands_are_as_they_were(
    tmp_path: Path, lived: int
) -> None:
    journal = await JournalFile.open(tmp_path / "j", BOOT)
    table = Table(RULES, journal)
    for after, happened in ((0, DealEnded()), (5, DiscardPressed(Seat.ONE)), (9, LATE)):
        now = START + timedelta(seconds=after)
        table.happens(now, Observed(happened, Interval.exactly(now)))
    for place, command in enumerate(RULINGS[:lived]):
        table.happens(START + timedelta(seconds=10 + place), Ordered(command, "referee-1"))
    assert all(await asyncio.gather(*(kept for _, kept in table.turns)))
    await journal.close()
    again = await JournalFile.open(tmp_path / "j", BOOT)
    recovered = recover(again, RULES, "t1")
    await again.close()
    before, after_it = table.record.kept, recovered
    assert after_it.state.docket == before.state.docket
    assert ledger(after_it.state.docket) == ledger(before.state.docket)
    assert after_it.state.hand.restrictions == before.state.hand.restrictions
    assert after_it.evidence == before.evidence
    dead = lived > RULINGS.index(Confirm("t1-1-r1", 1))
    assert after_it.state.hand.restrictions[Seat.TWO].no_hu is dead
    undone = lived == RULINGS.index(Undo("t1-1-f1", 2)) + 1
    status = after_it.state.docket.alerts["t1-1-f1"].status
    assert (status is AlertStatus.ACKNOWLEDGED) is undone


def test_a_table_the_journal_does_not_know_is_fresh() -> None:
    assert recover(NoJournal("none"), RULES, "t1") == nothing("t1")


@pytest.mark.parametrize(
    ("snapshot", "stimulus", "place"),
    [
        (None, '{"type":"TileEaten"}', "record 1"),
        (b'{"state":null}', "", "snapshot of table t1 at 1"),
    ],
)
def test_what_this_version_cannot_read_is_named_with_its_place(
    snapshot: bytes | None, stimulus: str, place: str
) -> None:
    class Foreign(NoJournal):
        def records(self, table: str | None = None, after: int = 0) -> Iterator[Record]:
            assert (table, after) == ("t1", 0)
            return iter([record(Entry("t1", START, NOON, stimulus, "[]", 1), 1)])

        def latest_snapshot(self, table: str) -> Snapshot | None:
            return None if snapshot is None else Snapshot(table, 1, 1, snapshot)

    with pytest.raises(JournalError, match=place):
        recover(Foreign("none"), RULES, "t1")
