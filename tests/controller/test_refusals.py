"""Orders that the table refuses: answered and journalled, and nothing else happens."""

from pathlib import Path

from controller.journal_reader import JournalReader
from controller.journal_report import shown
from mqtt.orders import ReplyPayload
from mqtt.parts import Payload
from table.alert_commands import Waive
from table.answers import Code
from table.commands import Command, Pause, Precondition, Shuffle, StartHand, WithdrawHu
from table.events import Call, ClaimPressed, DealEnded, DiscardPressed
from table.seat import Seat
from tests.controller.live_table import RULES, LiveTable, journal_at, running
from tests.harness.virtual_clock import VirtualClock

STALE = Precondition(hand="t1-9")
REFUSED: dict[str, tuple[Command, Precondition, Code]] = {
    "r-1": (Pause(), STALE, Code.STALE),
    "r-2": (WithdrawHu(), Precondition(), Code.WRONG_PHASE),
    "r-3": (Shuffle(), Precondition(), Code.HAND_RUNNING),
    "r-4": (Waive("t1-1-f9", 1, "elbow"), Precondition(), Code.UNKNOWN_ALERT),
}


async def _playing(table: LiveTable) -> None:
    await table.happen(DealEnded())
    await table.happen(DiscardPressed(Seat.ONE), after=5)
    await table.happen(ClaimPressed(Seat.THREE, Call.PUNG), after=3.5)
    await table.press.until(lambda: bool(table.press.alerts()))


async def _out(table: LiveTable) -> tuple[dict[str, Payload], int, int]:
    """Return what the world was told so far."""
    waiting = await table.journal.outbox.next_batch(0, 1000)
    return dict(table.press.retained), len(waiting), table.record.seq


async def test_a_refusal_is_no_event_and_shows_nothing_anew(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await _playing(table)
        before = await _out(table)
        for id_, (command, precondition, code) in REFUSED.items():
            reply = await table.order(command, id_, precondition)
            assert (reply.status, reply.code, reply.seq) == ("rejected", code, before[2])
            assert reply.reason
        assert await _out(table) == before


async def test_a_refusal_is_in_the_journal_with_who_ordered_what_and_why_not(
    tmp_path: Path,
) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await _playing(table)
        reply = await table.order(Pause(), "r-1", STALE)
        last = list(journal.records("t1"))[-1]
    told = list(shown(JournalReader(tmp_path / "j"), [last.position]))
    assert told[0].endswith("table t1, ordered by Referee A through board, command r-1")
    assert f"    refused (stale): {reply.reason}" in told


async def test_what_was_due_when_an_order_was_refused_is_no_doing_of_the_order(
    tmp_path: Path,
) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        await table.happen(DealEnded())
        await table.happen(DiscardPressed(Seat.ONE), after=5)
        clock.leap(RULES.time.turn.span * 2)
        await table.order(Pause(), "r-1", STALE)
        timely, refused = list(journal.records("t1"))[-2:]
        assert '"type":"WindowClosed"' in timely.effects
        assert (timely.stimulus, timely.origin) == ('{"type":"Woken"}', None)
        assert refused.effects.startswith('[{"type":"Refused"')
        assert refused.seq == timely.seq == table.record.seq


async def _twice(table: LiveTable, command: Command, other: Command) -> list[ReplyPayload]:
    first = await table.order(command, "r-1", STALE)
    return [first, await table.order(other, "r-1")]


async def test_a_refused_order_sent_again_gets_the_same_answer_even_where_it_would_fit_now(
    tmp_path: Path,
) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        first, again = await _twice(table, StartHand(), StartHand())
        assert again == first
        assert table.record.state.hand.deals == 0
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        assert await table.order(StartHand(), "r-1") == first
        assert table.record.state.hand.deals == 0
