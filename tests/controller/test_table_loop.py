"""One table, live: what leaves at once, what waits for the journal, what is answered."""

from datetime import datetime
from pathlib import Path

import pytest

from controller.journal_absent import NoJournal
from controller.journal_reader import JournalReader
from controller.recovery import recover
from drivers.port import Answer, Outcome
from mqtt.payloads import TableSnapshot, Timers
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.reply_codes import ReplyCode
from table.alert_commands import Confirm, Reverse, Undo
from table.answers import Code
from table.commands import AnswerCall, Precondition, Shuffle, SoundBuzzer, StartHand, Stop, VoidHand
from table.events import Call, ClaimPressed, DealEnded, DiscardPressed, RefereeCalled, TileDrawn
from table.fouls import FoulKind
from table.sanctions import SanctionKind
from table.seat import Seat
from tests.controller.journal_entries import full_disk
from tests.controller.live_table import ROOT, RULES, LiveTable, journal_at, running
from tests.harness.virtual_clock import VirtualClock


async def late_pung(table: LiveTable) -> None:
    """Seat 3 calls pung 3.5 s after the dealer's discard (mcr-2014 art. 6: within 3 s)."""
    await table.happen(DealEnded())
    await table.happen(DiscardPressed(Seat.ONE), after=5)
    await table.happen(ClaimPressed(Seat.THREE, Call.PUNG), after=3.5)


async def test_a_late_pung_reaches_the_referee_once_it_is_durable(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await late_pung(table)
        await table.press.until(lambda: bool(table.press.alerts()))
        (alert,) = table.press.alerts()
        assert isinstance(alert, AlertPayload)
        assert (alert.kind, alert.seat, alert.step) == (FoulKind.LATE_PUNG, Seat.THREE, 1)
        assert alert.proposal.kind is SanctionKind.WARNING
        assert (alert.measured_least_us, alert.measured_most_us) == (3_499_000, 3_501_000)
        assert journal.position > 0
        kinds = [event.kind for event in await journal.outbox.next_batch(0, 100)]
        assert kinds.count("alert-raised") == 1


async def test_a_confirmed_alert_leaves_the_alerts_for_the_ledger(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await late_pung(table)
        await table.press.until(lambda: bool(table.press.alerts()))
        reply = await table.order(Confirm("t1-1-f1", 1), "c-1")
        assert (reply.status, reply.code) == ("done", "")
        assert table.press.alerts() == []
        ledger = table.press.retained[ROOT.ledger("t1")]
        assert isinstance(ledger, LedgerPayload)
        assert [line.person for line in ledger.lines] == ["Referee A"]


async def test_an_alert_names_the_records_it_rests_on_and_so_does_its_ruling(
    tmp_path: Path,
) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await late_pung(table)
        await table.press.until(lambda: bool(table.press.alerts()))
        (alert,) = table.press.alerts()
        assert isinstance(alert, AlertPayload)
        await table.order(Confirm("t1-1-f1", 1), "c-1")
        ledger = table.press.retained[ROOT.ledger("t1")]
        assert isinstance(ledger, LedgerPayload)
        (line,) = ledger.lines
        named = [record for record in journal.records("t1") if record.position in line.records]
        told = ("DiscardPressed", "ClaimPressed", "Confirm")
        assert [word in one.stimulus for word, one in zip(told, named, strict=True)] == [True] * 3
        assert line.records[:2] == alert.records


async def test_a_slip_that_is_undone_is_before_its_referee_again(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await late_pung(table)
        await table.press.until(lambda: bool(table.press.alerts()))
        await table.order(Confirm("t1-1-f1", 1), "c-1")
        assert (await table.order(Undo("t1-1-f1", 2), "c-2")).status == "done"
        (alert,) = table.press.alerts()
        assert isinstance(alert, AlertPayload)
        assert (alert.status, alert.holder) == ("acknowledged", "Referee A")
        ledger = table.press.retained[ROOT.ledger("t1")]
        assert isinstance(ledger, LedgerPayload)
        assert ledger.lines == ()


async def test_the_second_referee_learns_what_was_decided(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await late_pung(table)
        await table.press.until(lambda: bool(table.press.alerts()))
        await table.order(Confirm("t1-1-f1", 1), "c-1")
        reply = await table.order(Confirm("t1-1-f1", 1), "c-2")
        assert (reply.status, reply.code) == ("rejected", Code.STALE)
        assert "Referee A" in reply.reason


async def test_a_repeated_command_gets_the_same_reply_and_is_executed_once(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        first = await table.order(StartHand(), "c-1")
        again = await table.order(StartHand(), "c-1")
        assert first == again
        assert table.record.state.hand.deals == 1


async def test_a_repeated_command_is_known_after_a_restart(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        first = await table.order(StartHand(), "c-1")
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        assert await table.order(StartHand(), "c-1") == first
        assert table.record.state.hand.deals == 1


async def test_the_buzzer_sounds_at_the_limit_and_not_before(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await table.happen(DealEnded())
        await table.happen(DiscardPressed(Seat.ONE), after=5)
        await table.happen(TileDrawn(Seat.TWO), after=3)
        await clock.advance(RULES.time.turn.span - RULES.time.turn.span.resolution)
        assert not any(isinstance(command, SoundBuzzer) for command in table.sent)
        await clock.advance(RULES.time.turn.span.resolution)
        assert SoundBuzzer(Seat.TWO, RULES.time.beep) in table.sent


async def test_displays_leave_at_once() -> None:
    async with running(NoJournal("the disk is full")) as table:
        await table.happen(DealEnded())
        seen = table.press.retained[ROOT.state("t1")]
        clocks = table.press.retained[ROOT.timers("t1")]
        assert isinstance(seen, TableSnapshot)
        assert isinstance(clocks, Timers)
        assert (seen.hand_phase, seen.on_turn) == ("arranging", Seat.ONE)
        face = clocks.seats[Seat.ONE]
        assert face is not None
        assert face.total_ms == 20_000  # mcr-2014 art. 5 (赛前 6)


async def test_without_a_journal_tables_play_on_and_nothing_is_proposed() -> None:
    async with running(NoJournal("the disk is full")) as table:
        await late_pung(table)
        await table.happen(DiscardPressed(Seat.TWO), after=2)
        assert table.record.state.hand.on_turn is Seat.THREE
        assert table.press.alerts() == []
        assert table.record.state.docket.alerts == {}
        reply = await table.order(Confirm("t1-1-f1", 1), "c-1")
        assert (reply.status, reply.code) == ("failed", ReplyCode.NOT_RECORDED)
        assert "the disk is full" in reply.reason


async def test_a_disk_that_was_full_for_a_time_costs_the_time_only(tmp_path: Path) -> None:
    clock, path = VirtualClock(), tmp_path / "j"
    async with journal_at(path, clock) as journal, running(journal, clock) as table:
        assert (await table.order(StartHand(), "c-1")).status == "done"
        with full_disk(Path(f"{path}-wal").stat().st_size):
            await late_pung(table)
            reply = await table.order(VoidHand("wrong tiles"), "c-2")
            assert reply.code == ReplyCode.NOT_RECORDED
            assert table.press.alerts() == []
        await journal.probe()
        await table.happen(DiscardPressed(Seat.TWO), after=1)
        assert (await table.order(StartHand(), "c-3")).status == "done"
        assert JournalReader(path).verify() is None
        recovered = recover(journal, RULES, "t1")
        assert recovered.state == table.record.state


async def test_an_order_that_rests_on_an_old_state_is_refused(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        reply = await table.order(Shuffle(), "c-1", Precondition(machine_seq=7))
        assert (reply.status, reply.code) == ("rejected", Code.STALE)
        assert table.sent == []


async def test_a_motor_order_is_accepted_and_its_end_told_later(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        assert (await table.order(Shuffle(), "c-1")).status == "accepted"
        await table.press.until(lambda: len(table.press.replies) == 2)
        assert table.press.replies[-1].status == "done"
        assert table.sent == [Shuffle()]


async def test_a_motor_order_again_gets_its_end_and_moves_nothing(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await table.order(Shuffle(), "c-1")
        await table.press.until(lambda: len(table.press.replies) == 2)
        end = table.press.replies[-1]
        assert await table.order(Shuffle(), "c-1") == end
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as again:
        assert await again.order(Shuffle(), "c-1") == end
        assert table.sent + again.sent == [Shuffle()]


async def test_what_cannot_be_written_down_moves_nothing_but_a_stop_is_carried_out() -> None:
    async with running(NoJournal("the disk is full")) as table:
        assert (await table.order(Shuffle(), "c-1")).code == ReplyCode.NOT_RECORDED
        assert (await table.order(Stop(), "c-2")).code == ReplyCode.NOT_RECORDED
        await table.press.until(lambda: len(table.press.replies) == 3)
        assert (table.press.replies[-1].id, table.press.replies[-1].status) == ("c-2", "done")
        assert table.sent == [Stop()]


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Outcome.REFUSED, ReplyCode.TABLE_REFUSED),
        (Outcome.ABSENT, ReplyCode.NOT_CONNECTED),
        (Outcome.FAILED, ReplyCode.TABLE_FAILED),
        (Outcome.UNCERTAIN, ReplyCode.UNCERTAIN),
    ],
)
async def test_whoever_orders_is_told_what_became_of_it(
    tmp_path: Path, outcome: Outcome, code: ReplyCode
) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        table.answer = Answer(outcome, "as the table says")
        await table.order(Stop(), "c-1")
        await table.press.until(lambda: len(table.press.replies) == 2)
        last = table.press.replies[-1]
        assert (last.status, last.code) == ("failed", code)
        assert last.reason == "as the table says"


async def test_a_table_is_recovered_as_it_was_kept(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await late_pung(table)
        await table.press.until(lambda: bool(table.press.alerts()))
        await table.order(Confirm("t1-1-f1", 1), "c-1")
        assert recover(journal, RULES, "t1").state == table.record.state


def waiting(table: LiveTable) -> list[tuple[int, datetime]]:
    seen = table.press.retained[ROOT.state("t1")]
    assert isinstance(seen, TableSnapshot)
    return [(call.seat.value, call.time) for call in seen.calls]


async def test_who_waits_for_the_referee_waits_after_a_restart_since_the_same_time(
    tmp_path: Path,
) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        for seat in (Seat.THREE, Seat.ONE):
            await table.happen(RefereeCalled(seat), after=5)
        await table.happen(RefereeCalled(Seat.THREE), after=5)
        before = waiting(table)
    assert [seat for seat, _ in before] == [3, 1]
    later = VirtualClock(utc=clock.utc().replace(hour=13))
    async with journal_at(tmp_path / "j", later) as journal, running(journal, later) as table:
        assert waiting(table) == before
        assert (await table.order(AnswerCall(Seat.THREE), "c-1")).status == "done"
        assert waiting(table) == before[1:]
        again = await table.order(AnswerCall(Seat.THREE), "c-2")
        assert (again.status, again.code) == ("rejected", Code.WRONG_PHASE)
    async with journal_at(tmp_path / "j", later) as journal, running(journal, later) as table:
        assert waiting(table) == before[1:]


async def test_without_a_journal_a_seat_can_call_the_referee() -> None:
    async with running(NoJournal("the disk is full")) as table:
        await table.happen(RefereeCalled(Seat.TWO))
        await table.happen(DealEnded(), after=5)
        assert [seat for seat, _ in waiting(table)] == [2]


async def test_a_ruling_to_be_looked_at_again_is_before_the_referee_after_a_restart(
    tmp_path: Path,
) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await late_pung(table)
        await table.happen(DiscardPressed(Seat.TWO), after=2)
        await table.happen(ClaimPressed(Seat.THREE, Call.PUNG), after=3.5)
        await table.press.until(lambda: len(table.press.alerts()) == 2)
        await table.order(Confirm("t1-1-f1", 1), "c-1")
        await table.order(Confirm("t1-1-f2", 2), "c-2")
        await table.order(Reverse("t1-1-f1", 2, "wrong player"), "c-3")
        await table.press.until(lambda: len(table.press.alerts()) == 1)
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        table.record.show_decisions()
        (alert,) = table.press.alerts()
        assert isinstance(alert, AlertPayload)
        assert (alert.alert, alert.marked, alert.step) == ("t1-1-f2", True, 1)
