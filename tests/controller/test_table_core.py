"""Hand, machine and docket in step with each other: what each happening means to the other two."""

import pytest

from controller.table_core import Stimulus, wake_at
from scoring.alert import AlertStatus
from scoring.effects import AlertChanged, AlertLapsed, AlertRaised, RulingMade
from table.alert_commands import Acknowledge, Confirm
from table.answers import Code, Refused
from table.commands import (
    Command,
    DrawHand,
    Lift,
    Ordered,
    Precondition,
    RollDice,
    SeatPlayers,
    SetLamp,
    Shuffle,
    SoundBuzzer,
    StartHand,
    Stop,
    VoidHand,
)
from table.events import (
    Call,
    ClaimPressed,
    CycleStarted,
    DealEnded,
    DiscardPressed,
    Fault,
    FaultRaised,
    LinkDown,
    Observed,
    Restarted,
    TableRebooted,
    WallRaised,
    WallReady,
    Woken,
)
from table.fouls import FoulSeen
from table.moment import MILLISECOND, Interval, Moment, Quality
from table.sanctions import WARNING, points
from table.seat import BySeat, Seat
from tests.controller.pure_table import RULES, Table, moment, only
from timing.effects import HandEnded, HandStarted, OverLimit, StepLost, WindowClosed
from timing.machine_effects import FaultReported, MachineChanged, SendToTable
from timing.phases import Arranging, Unsynced


def test_a_foul_is_followed_at_once_by_its_alert_for_the_player_of_the_seat() -> None:
    table = Table()
    table.order(0, SeatPlayers(BySeat("ann", "bo", "cy", "di")))
    effects = table.late_pung(1)
    foul, raised = only(effects, FoulSeen), only(effects, AlertRaised)
    assert effects.index(raised) == effects.index(foul) + 1
    assert (raised.alert.foul, raised.alert.player) == (foul, "cy")
    assert raised.alert.proposal == WARNING  # mcr-2014 art. 11 (违例 5)


def test_a_second_late_pung_of_a_player_in_a_hand_is_proposed_five_points() -> None:
    table = Table()
    table.late_pung()
    table.order(13, Confirm("t1-1-f1", 1))
    table.sees(20, DiscardPressed(Seat.TWO))
    effects = table.sees(24, ClaimPressed(Seat.THREE, Call.PUNG))
    assert only(effects, AlertRaised).alert.proposal == points(5)  # mcr-2014 art. 11 (罚分 2)


def test_a_foul_nobody_took_lapses_right_after_the_next_hand_began() -> None:
    table = Table()
    table.late_pung()
    effects = table.sees(40, DealEnded())
    began, gone = only(effects, HandStarted), only(effects, AlertLapsed)
    assert effects.index(gone) == effects.index(began) + 1
    assert gone.alert.status is AlertStatus.LAPSED


def test_a_wall_raised_begins_the_next_hand_and_changes_the_machine() -> None:
    effects = Table().sees(0, WallRaised())
    assert only(effects, HandStarted).hand == "t1-1"
    assert only(effects, MachineChanged).phase == "raised"


def test_what_the_machine_reports_is_no_news_for_the_hand() -> None:
    table = Table()
    table.sees(0, DealEnded())
    before = table.state.hand.phase
    for event in (CycleStarted(), WallReady(), FaultRaised(Fault.TILE_JAM)):
        table.sees(1, event)
    assert table.state.hand.phase == before
    assert table.state.machine.faults == (Fault.TILE_JAM,)


@pytest.mark.parametrize("command", [Shuffle(), Lift()])
def test_walls_are_left_alone_while_a_hand_is_played(command: Command) -> None:
    table = Table()
    table.sees(0, WallReady())
    table.sees(1, DealEnded())
    assert only(table.order(2, command), Refused).code is Code.HAND_RUNNING
    assert table.order(2, RollDice()) == (SendToTable(RollDice()),)
    assert table.order(2, Stop()) == (SendToTable(Stop()),)
    table.order(3, VoidHand("wrong tiles"))
    assert only(table.order(4, Lift()), SendToTable).command == Lift()


def test_an_ordered_signal_passes_through_and_changes_nothing() -> None:
    table = Table()
    for signal in (SoundBuzzer(Seat.TWO, 300 * MILLISECOND), SetLamp(Seat.ONE, lit=True)):
        before = table.state.hand.phase, table.state.machine.phase
        assert table.order(1, signal) == (signal,)
        assert (table.state.hand.phase, table.state.machine.phase) == before


def test_an_order_for_a_hand_that_is_over_is_stale_and_names_both() -> None:
    table = Table()
    table.order(0, StartHand())
    refused = only(table.order(1, VoidHand("wrong tiles"), Precondition("t1-7")), Refused)
    assert refused == Refused(Code.STALE, "the order is for hand t1-7, the table's is t1-1")


def test_an_order_for_a_hand_before_any_was_dealt_is_stale() -> None:
    refused = only(Table().order(0, StartHand(), Precondition("t1-1")), Refused)
    assert refused.reason == "the order is for hand t1-1, the table's is not dealt yet"


def test_an_order_that_rests_on_another_state_of_the_machine_is_stale() -> None:
    table = Table()
    table.sees(0, CycleStarted())
    refused = only(table.order(1, Shuffle(), Precondition(machine_seq=0)), Refused)
    assert refused.code is Code.STALE
    assert refused.reason == "the order rests on machine state 0, the machine has moved on to 1"


def test_an_order_that_rests_on_what_still_is_is_carried_out() -> None:
    table = Table()
    assert only(table.order(0, StartHand(), Precondition("", 0)), HandStarted).hand == "t1-1"


def test_time_passes_even_where_an_order_is_stale() -> None:
    table = Table()
    table.sees(0, DealEnded())
    effects = table.order(20, DrawHand(), Precondition("t1-9"))
    assert only(effects, OverLimit).seat is Seat.ONE
    assert isinstance(effects[-1], Refused)


def test_what_falls_due_in_one_step_is_told_in_order_of_time() -> None:
    table = Table()
    table.late_pung()
    table.sees(20, CycleStarted())
    table.sees(25, DiscardPressed(Seat.TWO))
    table.order(26, Acknowledge("t1-1-f1", 1))
    effects = table.happens(100, Woken())
    told = [
        type(one)
        for one in effects
        if isinstance(one, WindowClosed | OverLimit | FaultReported | AlertChanged)
    ]
    # the window at 28 s, the limit at 38 s, the cycle too long at 80 s, the lease at 86 s
    assert told == [WindowClosed, OverLimit, FaultReported, AlertChanged]


def test_a_table_is_woken_first_for_what_comes_first() -> None:
    table = Table()
    assert wake_at(RULES, table.state) is None
    table.sees(0, CycleStarted())
    assert wake_at(RULES, table.state) == moment(60)
    table.late_pung(1)
    table.order(14, Acknowledge("t1-1-f1", 1))
    assert wake_at(RULES, table.state) == moment(17)  # the lamp, 3 s before a limit from 10 s


def test_what_was_told_late_asks_to_be_woken_at_once_and_not_in_the_past() -> None:
    table = Table()
    table.sees(1, DealEnded(), late=60)
    assert wake_at(RULES, table.state) == moment(61)
    assert only(table.happens(61, Woken()), OverLimit).seat is Seat.ONE


def test_a_ruling_at_the_end_of_the_lease_comes_after_it() -> None:
    table = Table()
    table.late_pung()
    table.order(13, Acknowledge("t1-1-f1", 1))
    effects = table.happens(73, Ordered(Confirm("t1-1-f1", 3), "referee-2"))
    released, made = only(effects, AlertChanged), only(effects, RulingMade)
    assert effects.index(released) < effects.index(made)
    assert released.alert.status is AlertStatus.OPEN


@pytest.mark.parametrize(
    "lost",
    [
        LinkDown("cut"),
        Restarted("crash"),
        Observed(TableRebooted(), Interval.exactly(Moment(0), Quality.POLLED)),
    ],
)
def test_lost_step_stops_the_clocks_and_leaves_the_alerts(lost: Stimulus) -> None:
    table = Table()
    table.late_pung()
    effects = table.happens(13, lost)
    assert isinstance(effects[-1], StepLost)
    assert isinstance(table.state.hand.phase, Unsynced)
    assert table.state.docket.undecided == ("t1-1-f1",)
    assert wake_at(RULES, table.state) is None


def test_a_restart_begins_its_moments_anew_and_keeps_nothing_for_a_referee() -> None:
    table = Table()
    table.late_pung(1000)
    table.order(1013, Acknowledge("t1-1-f1", 1))
    effects = table.happens(0, Restarted("the machine booted"))
    assert only(effects, AlertChanged).alert.status is AlertStatus.OPEN
    table.sees(1, DiscardPressed(Seat.TWO))
    assert table.state.hand.on_turn is Seat.THREE


def test_between_hands_a_restart_loses_nothing() -> None:
    table = Table()
    assert table.happens(0, Restarted("update")) == ()
    table.order(1, StartHand())
    assert isinstance(table.state.hand.phase, Arranging)
    assert isinstance(table.order(2, VoidHand("wrong tiles"))[-1], HandEnded)


@pytest.mark.parametrize("stimulus", [Woken(), Ordered(StartHand(), "referee-1"), LinkDown("cut")])
def test_a_moment_before_the_last_one_is_a_bug_of_the_caller(stimulus: Stimulus) -> None:
    table = Table()
    table.happens(5, Woken())
    with pytest.raises(ValueError, match="earlier"):
        table.happens(4.999, stimulus)
