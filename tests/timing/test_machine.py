"""The machine beside the hand: walls, faults, and which orders reach the motors."""

from dataclasses import dataclass, field

import pytest

from table.answers import Code, Ignored, Refused
from table.commands import Lift, MotorCommand, RollDice, Shuffle, Stop
from table.events import (
    Condition,
    CycleStarted,
    DiceRolled,
    DiscardPressed,
    Fault,
    FaultCleared,
    FaultRaised,
    LinkDown,
    LinkUp,
    MachineStopped,
    Observed,
    Restarted,
    TableEvent,
    TableRebooted,
    WallRaised,
    WallReady,
    Woken,
)
from table.seat import Seat
from tests.timing.books import MCR
from tests.timing.play import exactly, moment
from timing.machine import Machine, MachineStimulus, MotorOrder, fresh, step, wake_at
from timing.machine_effects import (
    DiceThrown,
    FaultGone,
    FaultReported,
    MachineChanged,
    MachineEffect,
    SendToTable,
)

JAM = FaultRaised(Fault.TILE_JAM, 17)
UNJAM = FaultCleared(Fault.TILE_JAM)


@dataclass
class Iron:
    """A machine in virtual time."""

    state: Machine = field(default_factory=fresh)

    def happens(self, at: float, stimulus: MachineStimulus) -> tuple[MachineEffect, ...]:
        done = step(MCR, self.state, stimulus, moment(at))
        self.state = done.state
        return done.effects

    def reports(self, at: float, event: TableEvent) -> tuple[MachineEffect, ...]:
        return self.happens(at, Observed(event, exactly(at)))

    def order(
        self, at: float, command: MotorCommand, *, hand_running: bool = False
    ) -> tuple[MachineEffect, ...]:
        return self.happens(at, MotorOrder(command, hand_running))


def after(*events: TableEvent) -> Iron:
    iron = Iron()
    for event in events:
        iron.reports(0, event)
    return iron


EMPTY: tuple[TableEvent, ...] = ()
CYCLING = (CycleStarted(),)
READY = (CycleStarted(), WallReady())
RAISED = (CycleStarted(), WallReady(), WallRaised())
FAULTY = (CycleStarted(), JAM)


def test_the_next_wall_is_stacked_while_one_is_in_play() -> None:
    iron = after(*RAISED)
    assert iron.reports(1, CycleStarted()) == (MachineChanged("cycling"),)
    assert iron.reports(2, WallReady()) == (MachineChanged("ready"),)
    assert iron.reports(3, WallRaised()) == (MachineChanged("raised"),)
    assert iron.state.seq == 6


def test_a_report_that_changes_no_phase_is_not_counted() -> None:
    iron = after(*READY)
    assert iron.reports(1, WallReady()) == ()
    assert iron.state.seq == 2


def test_a_stopped_cycle_leaves_no_wall() -> None:
    iron = after(*CYCLING)
    assert iron.reports(1, MachineStopped()) == (MachineChanged("empty", "stopped"),)
    assert iron.reports(2, MachineStopped()) == (Ignored("no cycle was running"),)


def test_a_reboot_cuts_a_cycle_and_leaves_a_standing_wall() -> None:
    assert after(*CYCLING).reports(1, TableRebooted()) == (
        MachineChanged("empty", "the table's box started anew"),
    )
    assert after(*RAISED).reports(1, TableRebooted()) == ()


def test_dice_are_told_whether_read_or_not() -> None:
    assert Iron().reports(1, DiceRolled((2, 5))) == (DiceThrown((2, 5)),)
    assert Iron().reports(1, DiceRolled()) == (DiceThrown(None),)


def test_dice_are_known_until_the_next_wall_is_raised() -> None:
    iron = after(WallRaised(), DiceRolled((2, 5)))
    assert iron.state.dice == (2, 5)
    iron.reports(1, CycleStarted())
    assert iron.state.dice == (2, 5)
    iron.reports(2, WallRaised())
    assert iron.state.dice is None


def test_what_seats_say_does_not_concern_the_machine() -> None:
    assert after(*READY).reports(1, DiscardPressed(Seat.ONE)) == ()


def test_a_fault_stands_until_it_is_cleared_and_the_phase_beneath_comes_back() -> None:
    iron = after(*READY)
    assert iron.reports(1, JAM) == (
        FaultReported(Fault.TILE_JAM, 17),
        MachineChanged("fault", "tile-jam"),
    )
    assert iron.reports(2, UNJAM) == (FaultGone(Fault.TILE_JAM), MachineChanged("ready"))
    assert iron.state.faults == ()


def test_a_second_fault_keeps_the_phase_until_both_are_gone() -> None:
    iron = after(*READY, JAM)
    hot = FaultReported(Fault.OVERHEAT, 0)
    assert iron.reports(1, FaultRaised(Fault.OVERHEAT)) == (hot,)
    assert iron.reports(2, UNJAM) == (FaultGone(Fault.TILE_JAM),)
    assert iron.state.phase_name == "fault"


def test_a_fault_is_told_once_and_cleared_once() -> None:
    iron = after(*READY, JAM)
    assert iron.reports(1, JAM) == (Ignored("the fault tile-jam stands already"),)
    iron.reports(2, UNJAM)
    assert iron.reports(3, UNJAM) == (Ignored("the fault tile-jam does not stand"),)


def test_what_happens_under_a_fault_shows_when_it_is_gone() -> None:
    iron = after(*FAULTY)
    assert iron.reports(1, MachineStopped()) == ()
    assert iron.reports(2, UNJAM)[-1] == MachineChanged("empty")


def test_a_cycle_that_takes_too_long_is_told_once_and_taken_back() -> None:
    iron = after(*CYCLING)
    assert wake_at(MCR, iron.state) == moment(60)
    assert iron.happens(59.9, Woken()) == ()
    assert iron.happens(60, Woken()) == (FaultReported(Fault.SLOW_CYCLE, 0),)
    assert wake_at(MCR, iron.state) is None
    assert iron.happens(90, Woken()) == ()
    assert iron.reports(91, WallReady()) == (
        FaultGone(Fault.SLOW_CYCLE),
        MachineChanged("ready"),
    )


def test_a_slow_cycle_under_a_fault_is_taken_back_too() -> None:
    iron = after(*CYCLING)
    iron.happens(60, Woken())
    iron.reports(61, JAM)
    assert iron.reports(62, MachineStopped()) == (FaultGone(Fault.SLOW_CYCLE),)


@pytest.mark.parametrize("stimulus", [LinkDown("cut"), Restarted("restart")])
@pytest.mark.parametrize("events", [CYCLING, FAULTY])
def test_after_an_outage_nobody_says_how_long_a_cycle_takes(
    stimulus: LinkDown | Restarted, events: tuple[TableEvent, ...]
) -> None:
    iron = after(*events)
    iron.happens(1, stimulus)
    iron.reports(2, UNJAM)
    assert iron.state.phase_name == "cycling"
    assert wake_at(MCR, iron.state) is None


def test_an_outage_leaves_a_standing_wall() -> None:
    iron = after(*RAISED)
    iron.happens(1, LinkDown("cut"))
    assert iron.happens(2, LinkUp(holds=True, draws=False)) == ()
    assert iron.state.phase_name == "raised"


def test_after_a_restart_moments_start_anew() -> None:
    iron = after(*CYCLING)
    iron.happens(50, Woken())
    iron.happens(1, Restarted("restart"))
    assert iron.happens(2, Woken()) == ()


def test_a_moment_before_the_last_one_is_a_bug() -> None:
    iron = Iron()
    iron.happens(5, Woken())
    with pytest.raises(ValueError, match="was at 5000000 µs, 4000000 µs is earlier"):
        iron.happens(4, Woken())


# Found on connect


def found(iron: Iron, at: float, condition: Condition) -> tuple[MachineEffect, ...]:
    return iron.happens(at, LinkUp(holds=True, draws=False, condition=condition))


@pytest.mark.parametrize(
    ("cycling", "wall_ready", "wall_raised", "phase"),
    [
        (True, False, True, "cycling"),
        (False, True, True, "ready"),
        (False, False, True, "raised"),
        (False, False, False, "empty"),
    ],
)
def test_the_machine_is_believed_as_it_is_found(
    *, cycling: bool, wall_ready: bool, wall_raised: bool, phase: str
) -> None:
    iron = Iron()
    found(iron, 1, Condition(cycling, wall_ready, wall_raised))
    assert iron.state.phase_name == phase


def test_a_cycle_found_on_connect_is_timed_from_there() -> None:
    iron = Iron()
    found(iron, 5, Condition(cycling=True, wall_ready=False, wall_raised=False))
    assert wake_at(MCR, iron.state) == moment(65)


def test_a_cycle_known_already_keeps_its_time() -> None:
    iron = after(*CYCLING)
    cycling = Condition(cycling=True, wall_ready=False, wall_raised=False)
    assert found(iron, 5, cycling) == ()
    assert wake_at(MCR, iron.state) == moment(60)


def test_a_cycle_that_ended_during_an_outage_is_no_longer_slow() -> None:
    iron = after(*CYCLING)
    iron.happens(60, Woken())
    assert found(iron, 70, Condition(cycling=False, wall_ready=True, wall_raised=False)) == (
        FaultGone(Fault.SLOW_CYCLE),
        MachineChanged("ready", "found so"),
    )


def test_faults_found_on_connect_replace_those_that_stood() -> None:
    iron = after(*READY, JAM)
    hot = Condition(
        cycling=False,
        wall_ready=True,
        wall_raised=False,
        faults=frozenset({Fault.OVERHEAT, Fault.DICE_FAIL}),
    )
    assert found(iron, 1, hot) == (
        FaultReported(Fault.DICE_FAIL, 0),
        FaultReported(Fault.OVERHEAT, 0),
        FaultGone(Fault.TILE_JAM),
    )
    assert iron.state.faults == (Fault.DICE_FAIL, Fault.OVERHEAT)


def test_faults_that_are_gone_on_connect_are_told() -> None:
    iron = after(*READY, JAM)
    ready = Condition(cycling=False, wall_ready=True, wall_raised=False)
    assert found(iron, 1, ready) == (
        FaultGone(Fault.TILE_JAM),
        MachineChanged("ready", "found so"),
    )


# Orders

IN_PHASE = {
    "empty": EMPTY,
    "cycling": CYCLING,
    "ready": READY,
    "raised": RAISED,
    "fault": FAULTY,
}
ANSWERS: dict[str, dict[MotorCommand, Code | None]] = {
    "empty": {Shuffle(): None, Lift(): Code.WRONG_PHASE, RollDice(): None},
    "cycling": {Shuffle(): Code.WRONG_PHASE, Lift(): Code.WRONG_PHASE, RollDice(): None},
    "ready": {Shuffle(): Code.WRONG_PHASE, Lift(): None, RollDice(): None},
    "raised": {Shuffle(): None, Lift(): Code.WRONG_PHASE, RollDice(): None},
    "fault": {Shuffle(): Code.FAULT, Lift(): Code.FAULT, RollDice(): Code.FAULT},
}


@pytest.mark.parametrize("command", [Shuffle(), Lift(), RollDice()])
@pytest.mark.parametrize("phase", IN_PHASE)
def test_an_order_reaches_the_motors_in_its_phases_only(phase: str, command: MotorCommand) -> None:
    (answer,) = after(*IN_PHASE[phase]).order(1, command)
    wanted = ANSWERS[phase][command]
    if wanted is None:
        assert answer == SendToTable(command)
    else:
        assert isinstance(answer, Refused)
        assert answer.code is wanted


@pytest.mark.parametrize("command", [Shuffle(), Lift()])
@pytest.mark.parametrize("phase", IN_PHASE)
def test_during_a_hand_the_motors_stay_off(phase: str, command: MotorCommand) -> None:
    (answer,) = after(*IN_PHASE[phase]).order(1, command, hand_running=True)
    assert isinstance(answer, Refused)
    assert answer.code is Code.HAND_RUNNING


def test_dice_may_be_thrown_during_a_hand() -> None:
    assert after(*RAISED).order(1, RollDice(), hand_running=True) == (SendToTable(RollDice()),)


@pytest.mark.parametrize("hand_running", [False, True])
@pytest.mark.parametrize("phase", IN_PHASE)
def test_stop_always_passes(phase: str, *, hand_running: bool) -> None:
    iron = after(*IN_PHASE[phase])
    assert iron.order(1, Stop(), hand_running=hand_running) == (SendToTable(Stop()),)


def test_a_refusal_says_what_stands_in_the_way() -> None:
    (answer,) = after(*FAULTY).order(1, Lift())
    assert answer == Refused(Code.FAULT, "the machine has a fault: tile-jam")
