"""What alerts and ledger say, field by field; and whatever happens at a table can be shown."""

from datetime import UTC, datetime, timedelta

from hypothesis import event, given

from controller.journal_absent import NoJournal
from controller.node import Node
from controller.table_core import TableState
from controller.table_memory import TableMemory
from controller.views import Reading, alert_payload, ledger_payload, snapshot, timers
from mqtt.parts import LedgerLine, RulingFields, SanctionFields
from mqtt.payloads import AlertPayload, LedgerPayload, TableSnapshot, Timers
from scoring.alert import AlertStatus
from table.commands import (
    Acknowledge,
    Confirm,
    Modify,
    Reverse,
)
from table.events import (
    Call,
    ClaimPressed,
    DealEnded,
    DiscardPressed,
)
from table.fouls import FoulKind
from table.moment import Moment
from table.sanctions import SanctionKind, points
from table.seat import Seat
from tests.controller.live_table import ROOT, HeardPress
from tests.controller.pure_table import Table, moment
from tests.controller.strategies import Evening, evenings, told
from tests.harness.virtual_clock import VirtualClock

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
WARNED = SanctionFields(kind=SanctionKind.WARNING)
TEN = SanctionFields(kind=SanctionKind.POINTS, points=10)
LIMIT_3 = "mcr-2014 art. 6 (碰牌)"


def reading(at: float = 60, seq: int = 17) -> Reading:
    return Reading(moment(at), as_of_ms=round(at * 1000), time=NOON, seq=seq)


def node() -> Node:
    """Return a node whose clock began at 0 and shows noon at 0."""
    clock = VirtualClock(utc=NOON)
    return Node("node-1", ROOT, clock, Moment(0), NoJournal("none"), HeardPress())


def alert_of(table: Table) -> AlertPayload:
    alert = table.state.docket.alerts["t1-1-f1"]
    return alert_payload(alert, "t1", NOON + timedelta(seconds=9), node())


FOULED = AlertPayload(
    alert="t1-1-f1",
    revision=1,
    status=AlertStatus.OPEN,
    table="t1",
    hand="t1-1",
    kind=FoulKind.LATE_PUNG,
    seat=Seat.THREE,
    player="t1-3",
    measured_least_us=4_000_000,
    measured_most_us=4_000_000,
    limit_us=3_000_000,
    limit_rule=LIMIT_3,
    proposal=WARNED.model_copy(update={"rule": "mcr-2014 art. 11 (违例 5, 罚分 2)"}),
    step=1,
    presumed=False,
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
    alert = alert_payload(table.state.docket.alerts["t1-1-f2"], "t1", NOON, node())
    assert (alert.marked, alert.step) == (True, 1)
    assert alert.proposal.kind is SanctionKind.WARNING
    assert alert.rulings == (RulingFields(person="referee-1", sanction=TEN, reason="shouted"),)


def ledger_of(state: TableState) -> LedgerPayload:
    """Return the ledger; every alert was ruled on at noon."""
    ruled = dict.fromkeys(state.docket.alerts, str(NOON))
    return ledger_payload(TableMemory(state, 17, {}, ruled), reading())


def test_the_ledger_has_a_line_for_each_ruling_that_stands() -> None:
    table = Table()
    table.late_pung()
    table.order(10, Modify("t1-1-f1", 1, points(10), "shouted"))
    assert ledger_of(table.state) == LedgerPayload(
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
                rulings=(RulingFields(person="referee-1", sanction=TEN, reason="shouted"),),
            ),
        ),
    )


def test_a_reversed_ruling_leaves_the_ledger() -> None:
    table = Table()
    table.late_pung()
    table.order(10, Confirm("t1-1-f1", 1))
    assert [one.sanction for one in ledger_of(table.state).lines] == [WARNED]
    table.order(11, Reverse("t1-1-f1", 2, "wrong player"))
    empty = ledger_of(table.state)
    assert (empty.lines, empty.totals) == ((), {})


@given(evenings())
def test_whatever_happens_at_a_table_can_be_shown(evening: Evening) -> None:
    for turn in told(evening):
        state, taken = turn.taken.state, Reading(turn.now, 0, NOON, 1)
        whole = snapshot("Table 1", state, taken, linked=True)
        assert TableSnapshot.model_validate_json(whole.encode()) == whole
        clocks = timers(evening.rules, state, taken)
        assert Timers.model_validate_json(clocks.encode()) == clocks
        running = [seat for seat, face in clocks.seats.items() if face is not None]
        assert running in ([], [whole.on_turn])
        assert (clocks.window is not None) is whole.window_open
        for alert in state.docket.alerts.values():
            said = alert_payload(alert, "t1", NOON, node())
            assert AlertPayload.model_validate_json(said.encode()) == said
        kept = ledger_of(state)
        assert LedgerPayload.model_validate_json(kept.encode()) == kept
        event(f"{whole.hand_phase}, machine {whole.machine_phase}")
