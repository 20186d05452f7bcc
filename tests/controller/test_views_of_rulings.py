"""What alerts and ledger say, field by field; and whatever happens at a table can be shown."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import event, given

from controller.evidence import Evidence
from controller.journal_absent import NoJournal
from controller.node import Node
from controller.table_core import TableRules
from controller.table_memory import TableMemory
from controller.views import Reading, Shown, snapshot, timers
from controller.views_of_rulings import (
    alert_payload,
    enterable,
    ledger_payload,
    powers_payload,
    titles,
)
from mqtt.parts import (
    ClosedLine,
    IntervalFields,
    LedgerLine,
    NoteFields,
    PaymentFields,
    PowersFields,
    RulingFields,
    SanctionFields,
)
from mqtt.payloads import TableSnapshot, Timers
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from scoring.alert import AlertStatus
from table.alert_commands import (
    Acknowledge,
    AddNote,
    Confirm,
    EnterFoul,
    Modify,
    Reverse,
    TakeUp,
    Waive,
)
from table.commands import SeatPlayers
from table.events import (
    Call,
    ClaimPressed,
    DealEnded,
    DiscardPressed,
)
from table.fouls import FoulKind
from table.moment import Moment, Quality
from table.sanctions import Measure, SanctionKind, points
from table.seat import BySeat, Seat
from tests.controller.live_table import ROOT, RULES, HeardPress
from tests.controller.pure_table import Table, moment
from tests.controller.strategies import Evening, evenings, told
from tests.harness.virtual_clock import VirtualClock
from tests.scoring import cases
from tests.timing.books import MCR, MCR_WALL

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
WARNED = SanctionFields(kind=SanctionKind.WARNING)
TEN = SanctionFields(kind=SanctionKind.POINTS, points=10)
SHOUTED = RulingFields(person="referee-1", sanction=TEN, reason="shouted", deed="modified")
LIMIT_3 = "mcr-2014 art. 6 (碰牌)"


def reading(at: float = 60, seq: int = 17) -> Reading:
    return Reading(moment(at), as_of_ms=round(at * 1000), time=NOON, seq=seq)


def node() -> Node:
    """Return a node whose clock began at 0 and shows noon at 0."""
    clock = VirtualClock(utc=NOON)
    return Node("node-1", ROOT, clock, Moment(0), NoJournal("none"), HeardPress())


def memory_of(table: Table) -> TableMemory:
    """Return what is kept of a table whose alerts came up and were ruled on at one time each."""
    alerts = table.state.docket.alerts
    raised = dict.fromkeys(alerts, str(NOON + timedelta(seconds=9)))
    records: dict[str, tuple[int, ...]] = dict.fromkeys(alerts, (41, 43))
    ruled = dict.fromkeys(alerts, str(NOON))
    called = {call.seat: str(NOON) for call in table.state.hand.calls}
    return TableMemory(table.state, 17, raised, ruled, Evidence((), records), called)


def alert_of(table: Table, alert: str = "t1-1-f1") -> AlertPayload:
    memory = memory_of(table)
    return alert_payload(table.state.docket.alerts[alert], memory, table.rules.fouls, node())


def pressed(at: int) -> IntervalFields:
    return IntervalFields(
        earliest_us=at * 1_000_000, latest_us=at * 1_000_000, quality=Quality.DEVICE
    )


FOULED = AlertPayload(
    alert="t1-1-f1",
    revision=1,
    status=AlertStatus.OPEN,
    table="t1",
    hand="t1-1",
    kind=FoulKind.LATE_PUNG,
    seat=Seat.THREE,
    player="t1-3",
    players={seat: f"t1-{seat}" for seat in Seat},
    measured_least_us=4_000_000,
    measured_most_us=4_000_000,
    limit_us=3_000_000,
    excess_us=1_000_000,
    started=pressed(5),
    ended=pressed(9),
    limit_rule=LIMIT_3,
    proposal=WARNED.model_copy(update={"rule": "mcr-2014 art. 11 (违例 5, 罚分 2)"}),
    choices=(
        *("warning", "5", "10", "20", "30", "40", "50", "60"),
        *("disqualified", "no-hu", "out-for-session"),
    ),
    step=1,
    presumed=False,
    records=(41, 43),
    raised=NOON + timedelta(seconds=9),
    time=NOON,
)


def test_an_open_alert_says_what_was_measured_and_what_is_proposed() -> None:
    table = Table()
    table.late_pung()
    assert alert_of(table) == FOULED


def test_an_acknowledged_alert_says_for_whom_it_is_kept_and_how_long() -> None:
    table = Table()
    table.late_pung()
    table.order(10, Acknowledge("t1-1-f1", 1))
    assert alert_of(table) == FOULED.model_copy(
        update={
            "revision": 2,
            "status": AlertStatus.ACKNOWLEDGED,
            "holder": "referee-1",
            "lease_ends_ms": 70_000,
        }
    )


def test_a_presumed_start_is_said() -> None:
    table = Table()
    table.sees(0, DealEnded())
    table.sees(4, DiscardPressed(Seat.ONE))
    table.sees(21, DiscardPressed(Seat.TWO))
    alert = alert_of(table)
    assert (alert.presumed, alert.measured_least_us) == (True, 14_000_000)


def test_what_was_ruled_stays_with_an_alert_that_must_be_looked_at_again() -> None:
    table = Table()
    table.late_pung()
    table.order(10, Confirm("t1-1-f1", 1))
    table.sees(11, DiscardPressed(Seat.TWO))
    table.sees(15, ClaimPressed(Seat.THREE, Call.PUNG))
    table.sees(18, DiscardPressed(Seat.THREE))
    table.order(19, Modify("t1-1-f2", 1, points(10), "shouted"))
    table.order(20, Reverse("t1-1-f1", 2, "wrong player"))
    alert = alert_of(table, "t1-1-f2")
    assert (alert.marked, alert.step) == (True, 1)
    assert alert.proposal.kind is SanctionKind.WARNING
    assert alert.rulings == (SHOUTED,)


def test_a_foul_that_was_entered_says_by_whom_and_what_of_it() -> None:
    table = Table(TableRules(MCR, cases.MCR, MCR_WALL))
    table.sees(0, DealEnded())
    table.order(5, EnterFoul(FoulKind.FALSE_HU, Seat.TWO, "7 fan"))
    table.order(6, AddNote("t1-1-r1", "counted twice"))
    alert = alert_of(table, "t1-1-r1")
    assert (alert.entered_by, alert.remark, alert.holder) == ("referee-1", "7 fan", "referee-1")
    assert (alert.measured_least_us, alert.limit_us, alert.started) == (None, None, None)
    assert alert.notes == (NoteFields(person="referee-1", text="counted twice"),)
    assert alert.proposal == SanctionFields(
        kind=SanctionKind.PAY_EACH,
        points=10,
        measures=(Measure.NO_HU,),
        rule="mcr-2014 art. 11 (错和)",
    )


def test_what_is_only_recorded_says_so_and_who_objected() -> None:
    table = Table(TableRules(MCR, cases.CLAIMING, MCR_WALL))
    table.sees(0, DealEnded())
    table.sees(21, DiscardPressed(Seat.ONE))
    assert alert_of(table).status is AlertStatus.UNCLAIMED
    table.order(22, TakeUp("t1-1-f1", 1, Seat.TWO))
    assert (alert_of(table).status, alert_of(table).objector) == (AlertStatus.OPEN, Seat.TWO)


def test_whatever_can_be_entered_stands_with_its_article() -> None:
    fouls = enterable(cases.WSOM)
    assert fouls[FoulKind.SILENT_CALL] == "wsom-2010"
    assert FoulKind.OVERTIME_SUM not in fouls  # it follows from rulings


def test_the_powers_of_a_referee_are_told_part_by_part() -> None:
    assert powers_payload(cases.JINGJI.powers) == PowersFields(
        warning=True,
        each=(10, 20, 30, 40, 50),
        player=(10, 20, 30, 40, 50),
        measures=(Measure.MECHANICAL, Measure.NO_HU, Measure.OUT_FOR_SESSION),
        rule="jingji-2012 ch. 4 art. 1",
    )


def ledger_of(table: Table) -> LedgerPayload:
    return ledger_payload(memory_of(table), reading())


def test_alert_and_ledger_say_every_field_themselves() -> None:
    table = Table()
    table.late_pung()
    alert = alert_of(table)
    assert alert.model_fields_set == set(AlertPayload.model_fields)
    table.order(10, Confirm(alert.alert, alert.revision))
    ledger = ledger_of(table)
    assert ledger.model_fields_set == set(LedgerPayload.model_fields)
    assert ledger.lines[0].model_fields_set == set(LedgerLine.model_fields)


def test_the_ledger_has_a_line_for_each_ruling_that_stands() -> None:
    table = Table()
    table.late_pung()
    table.order(10, Modify("t1-1-f1", 1, points(10), "shouted"))
    assert ledger_of(table) == LedgerPayload(
        table="t1",
        seq=17,
        time=NOON,
        totals={"t1-3": -10},
        lines=(
            LedgerLine(
                alert="t1-1-f1",
                revision=2,
                hand="t1-1",
                kind=FoulKind.LATE_PUNG,
                player="t1-3",
                seat=Seat.THREE,
                step=1,
                sanction=TEN,
                person="referee-1",
                reason="shouted",
                ruled=NOON,
                rulings=(SHOUTED,),
                records=(41, 43),
            ),
        ),
        payments=(PaymentFields(payer="t1-3", payee=None, points=10, alert="t1-1-f1"),),
    )


def test_who_is_paid_is_told_for_each_of_the_others() -> None:
    table = Table(TableRules(MCR, cases.MCR, MCR_WALL))
    table.order(0, SeatPlayers(BySeat("ann", "bo", "cy", "di")))
    table.sees(0, DealEnded())
    table.order(5, EnterFoul(FoulKind.FALSE_HU, Seat.TWO))
    table.order(6, Confirm("t1-1-r1", 1))
    kept = ledger_of(table)
    assert kept.totals == {"bo": -30, "ann": 10, "cy": 10, "di": 10}
    assert {(one.payer, one.payee, one.points) for one in kept.payments} == {
        ("bo", "ann", 10),
        ("bo", "cy", 10),
        ("bo", "di", 10),
    }


def test_a_reversed_ruling_leaves_the_ledger() -> None:
    table = Table()
    table.late_pung()
    table.order(10, Confirm("t1-1-f1", 1))
    assert [one.sanction for one in ledger_of(table).lines] == [WARNED]
    table.order(11, Reverse("t1-1-f1", 2, "wrong player"))
    empty = ledger_of(table)
    assert (empty.lines, empty.totals) == ((), {})


def test_what_was_waived_or_reversed_is_told_apart_from_the_ledger_until_it_stands_again() -> None:
    table = Table()
    table.late_pung()
    table.sees(11, DiscardPressed(Seat.TWO))
    table.sees(15, ClaimPressed(Seat.THREE, Call.PUNG))
    table.sees(18, DiscardPressed(Seat.THREE))
    table.order(19, Waive("t1-1-f2", 1, "nobody heard it"))
    table.order(20, Confirm("t1-1-f1", 1))
    table.order(21, Reverse("t1-1-f1", 2, "wrong player"))
    waived = RulingFields(person="referee-1", reason="nobody heard it", deed="waived")
    confirmed = RulingFields(person="referee-1", sanction=WARNED, deed="confirmed")
    reversed_ = RulingFields(person="referee-1", reason="wrong player", deed="reversed")
    first = ClosedLine(
        alert="t1-1-f1",
        revision=3,
        hand="t1-1",
        kind=FoulKind.LATE_PUNG,
        player="t1-3",
        seat=Seat.THREE,
        status=AlertStatus.REVERSED,
        ruled=NOON,
        rulings=(confirmed, reversed_),
    )
    second = {"alert": "t1-1-f2", "revision": 2, "status": AlertStatus.WAIVED, "rulings": (waived,)}
    assert ledger_of(table).closed == (first, first.model_copy(update=second))
    table.order(22, Reverse("t1-1-f1", 3, "it was that player"))
    kept = ledger_of(table)
    assert [line.alert for line in kept.closed] == ["t1-1-f2"]
    assert [line.alert for line in kept.lines] == ["t1-1-f1"]


def test_of_what_costs_nothing_the_newest_forty_are_told_in_the_order_decided() -> None:
    table = Table(TableRules(MCR, cases.MCR, MCR_WALL))
    table.sees(0, DealEnded())
    for number in range(1, 43):
        table.order(number, EnterFoul(FoulKind.WRONG_MELD, Seat.TWO))
        table.order(number, Waive(f"t1-1-r{number}", 1, "seen"))
    ruled = {f"t1-1-r{number}": str(NOON - timedelta(seconds=number)) for number in range(1, 43)}
    kept = ledger_payload(replace(memory_of(table), ruled=ruled), reading())
    assert [line.alert for line in kept.closed] == [
        f"t1-1-r{number}" for number in range(40, 0, -1)
    ]


def test_a_book_tells_what_it_calls_a_foul() -> None:
    assert titles(RULES.fouls)[FoulKind.LATE_PUNG] == "Pung or kong called late"
    assert titles(cases.MCR) == {}  # ladders without a name of their own


@given(evenings())
def test_whatever_happens_at_a_table_can_be_shown(evening: Evening) -> None:
    for turn in told(evening):
        state, taken = turn.taken.state, Reading(turn.now, 0, NOON, 1)
        memory = memory_of(Table(evening.rules, state))
        whole = snapshot(Shown("Table 1", evening.rules), memory, taken, linked=True)
        assert TableSnapshot.model_validate_json(whole.encode()) == whole
        clocks = timers(evening.rules, state, taken)
        assert Timers.model_validate_json(clocks.encode()) == clocks
        running = [seat for seat, face in clocks.seats.items() if face is not None]
        assert running in ([], [whole.on_turn])
        assert (clocks.window is not None) is whole.window_open
        table = Table(evening.rules, state)
        for alert in state.docket.alerts:
            said = alert_of(table, alert)
            assert AlertPayload.model_validate_json(said.encode()) == said
        kept = ledger_of(table)
        assert LedgerPayload.model_validate_json(kept.encode()) == kept
        event(f"{whole.hand_phase}, machine {whole.machine_phase}")
