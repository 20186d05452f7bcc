"""The machine beside the hand: walls, faults, and which orders reach the motors."""

from dataclasses import dataclass, field, replace

import pytest

from table.abilities import Abilities
from table.answers import Code, Ignored, Refused
from table.commands import Lift, MotorCommand, PauseCycle, ResumeCycle, RollDice, Shuffle, Stop
from table.events import (
    Condition,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DiceRolled,
    DiscardPressed,
    Fault,
    FaultCleared,
    FaultRaised,
    LinkDown,
    LinkUp,
    MachineFound,
    MachineStopped,
    Observed,
    Restarted,
    TableEvent,
    TableRebooted,
    WallRaised,
    WallReady,
    Woken,
)
from table.faults import Severity
from table.moment import MILLISECOND, DeviceStamp, Elapsed
from table.seat import Seat
from tests.timing.books import seconds
from tests.timing.play import exactly, moment
from timing.machine import Cycling, Machine, MachineStimulus, MotorOrder, fresh, step, wake_at
from timing.machine_effects import (
    CycleMeasured,
    CycleReopened,
    CycleWentOn,
    DiceThrown,
    FaultGone,
    FaultRepeated,
    FaultReported,
    MachineChanged,
    MachineEffect,
    SendToTable,
)
from timing.machine_rules import MachineRules

RULES = MachineRules(expected=seconds(30), slow=seconds(60), failed=seconds(120))

JAM = FaultRaised(Fault.TILE_JAM, 17)
UNJAM = FaultCleared(Fault.TILE_JAM)


@dataclass
class Iron:
    """A machine in virtual time."""

    state: Machine = field(default_factory=fresh)

    def happens(self, at: float, stimulus: MachineStimulus) -> tuple[MachineEffect, ...]:
        done = step(RULES, self.state, stimulus, moment(at))
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
SLOW = FaultReported(Fault.SLOW_CYCLE, 0, Severity.NOTICE)
FAILED = FaultReported(Fault.CYCLE_FAILED, 0, Severity.STANDSTILL)


def lasting(span: float) -> Elapsed:
    return Elapsed(seconds(span), seconds(span))


def test_the_next_wall_is_stacked_while_one_is_in_play() -> None:
    iron = after(*RAISED)
    assert iron.reports(1, CycleStarted()) == (MachineChanged("cycling"),)
    assert iron.reports(2, WallReady()) == (
        CycleMeasured(lasting(1), seconds(30), disturbed=False),
        MachineChanged("ready"),
    )
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


def test_after_a_reboot_a_cycle_is_taken_to_run_still_and_is_timed_no_more() -> None:
    iron = after(*CYCLING)
    assert iron.reports(1, TableRebooted()) == ()
    assert (iron.state.phase_name, wake_at(RULES, iron.state)) == ("cycling", None)
    assert after(*RAISED).reports(1, TableRebooted()) == ()


def test_a_cycle_that_a_reboot_ended_is_over_when_the_table_says_how_it_stands() -> None:
    iron = after(*CYCLING)
    iron.reports(1, TableRebooted())
    still = Condition(cycling=False, wall_ready=False, wall_raised=False)
    assert iron.reports(1, MachineFound(still)) == (MachineChanged("empty", "found so"),)
    assert iron.reports(2, MachineFound(still)) == ()


def test_a_cycle_that_outlived_a_reboot_is_timed_from_there() -> None:
    iron = after(*CYCLING)
    iron.reports(1, TableRebooted())
    running = Condition(cycling=True, wall_ready=False, wall_raised=False)
    assert iron.reports(5, MachineFound(running)) == ()
    assert wake_at(RULES, iron.state) == moment(65)


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
        FaultReported(Fault.TILE_JAM, 17, Severity.STANDSTILL),
        MachineChanged("fault", "tile-jam"),
    )
    assert iron.reports(2, UNJAM) == (FaultGone(Fault.TILE_JAM, 17), MachineChanged("ready"))
    assert iron.state.faults == ()


def test_a_second_fault_keeps_the_phase_until_both_are_gone() -> None:
    iron = after(*READY, JAM)
    hot = FaultReported(Fault.OVERHEAT, 0, Severity.STANDSTILL)
    assert iron.reports(1, FaultRaised(Fault.OVERHEAT)) == (hot,)
    assert iron.reports(2, UNJAM) == (FaultGone(Fault.TILE_JAM, 17),)
    assert iron.state.phase_name == "fault"


def test_a_fault_that_is_reported_again_is_counted_and_cleared_once() -> None:
    iron = after(*READY, JAM)
    assert iron.reports(1, JAM) == (FaultRepeated(Fault.TILE_JAM, 17, 2),)
    assert iron.reports(1, JAM) == (FaultRepeated(Fault.TILE_JAM, 17, 3),)
    iron.reports(2, UNJAM)
    assert iron.reports(3, UNJAM) == (Ignored("the fault tile-jam does not stand"),)


def test_what_happens_under_a_fault_shows_when_it_is_gone() -> None:
    iron = after(*FAULTY)
    assert iron.reports(1, MachineStopped()) == ()
    assert iron.reports(2, UNJAM)[-1] == MachineChanged("empty")


def test_a_cycle_that_takes_too_long_is_told_once_and_taken_back() -> None:
    iron = after(*CYCLING)
    assert wake_at(RULES, iron.state) == moment(60)
    assert iron.happens(59.9, Woken()) == ()
    assert iron.happens(60, Woken()) == (SLOW,)
    assert iron.state.phase_name == "cycling"
    assert iron.happens(90, Woken()) == ()
    assert iron.reports(91, WallReady()) == (
        FaultGone(Fault.SLOW_CYCLE),
        CycleMeasured(lasting(91), seconds(30), disturbed=False),
        MachineChanged("ready"),
    )


def test_a_cycle_that_never_ends_is_a_fault_until_the_wall_is_ready() -> None:
    iron = after(*CYCLING)
    iron.happens(60, Woken())
    assert wake_at(RULES, iron.state) == moment(120)
    assert iron.happens(120, Woken()) == (FAILED, MachineChanged("fault", "cycle-failed"))
    assert wake_at(RULES, iron.state) is None
    assert iron.order(121, Shuffle())[0].code is Code.FAULT  # type: ignore[union-attr] # refused
    assert iron.reports(150, WallReady()) == (
        FaultGone(Fault.SLOW_CYCLE),
        FaultGone(Fault.CYCLE_FAILED),
        CycleMeasured(lasting(150), seconds(30), disturbed=False),
        MachineChanged("ready"),
    )
    assert iron.state.faults == ()


def test_a_daemon_that_slept_tells_both_in_their_order() -> None:
    iron = after(*CYCLING)
    told = iron.happens(500, Woken())
    assert told == (SLOW, FAILED, MachineChanged("fault", "cycle-failed"))


def test_a_failed_cycle_that_is_stopped_is_a_fault_no_more() -> None:
    iron = after(*CYCLING)
    iron.happens(200, Woken())
    assert iron.reports(201, MachineStopped()) == (
        FaultGone(Fault.SLOW_CYCLE),
        FaultGone(Fault.CYCLE_FAILED),
        MachineChanged("empty", "stopped"),
    )


def test_a_cycle_with_a_fault_in_it_says_nothing_about_the_machine() -> None:
    iron = after(*CYCLING)
    iron.reports(5, JAM)
    iron.reports(15, UNJAM)
    assert iron.reports(40, WallReady())[0] == CycleMeasured(
        lasting(40), seconds(30), disturbed=True
    )


def test_a_cycle_is_measured_in_device_time_where_it_can_be() -> None:
    iron = Iron()
    began = replace(exactly(0), stamp=DeviceStamp("box", seconds(100), MILLISECOND))
    ended = replace(exactly(31), stamp=DeviceStamp("box", seconds(130), MILLISECOND))
    iron.happens(0, Observed(CycleStarted(), began))
    (measured, _) = iron.happens(31, Observed(WallReady(), ended))
    assert isinstance(measured, CycleMeasured)
    assert measured.taken == Elapsed(seconds(30) - MILLISECOND, seconds(30) + MILLISECOND)


@pytest.mark.parametrize("lost", [LinkDown("cut"), Restarted("restart"), CycleStarted()])
def test_a_cycle_of_which_something_was_not_seen_is_not_measured(
    lost: LinkDown | Restarted | CycleStarted,
) -> None:
    iron = after(*CYCLING)
    if isinstance(lost, CycleStarted):
        found(iron, 5, Condition(cycling=True, wall_ready=False, wall_raised=False))
        iron.reports(6, lost)
    else:
        iron.happens(5, lost)
    told = iron.reports(30, WallReady())
    measured = [one for one in told if isinstance(one, CycleMeasured)]
    assert [one.taken for one in measured] == ([lasting(24)] if lost == CycleStarted() else [])


# Unknown faults


def test_unknown_faults_are_told_apart_by_their_own_codes() -> None:
    iron = after(*READY, FaultRaised(Fault.UNKNOWN, 300, "E7 belt", 1))
    iron.reports(1, FaultRaised(Fault.UNKNOWN, 301))
    assert [(one.code, one.text, one.severity) for one in iron.state.standing] == [
        (300, "E7 belt", 1),
        (301, "", 2),
    ]
    assert iron.state.faults == (Fault.UNKNOWN,)
    assert iron.reports(2, FaultCleared(Fault.UNKNOWN, 300)) == (FaultGone(Fault.UNKNOWN, 300),)
    assert iron.reports(3, FaultCleared(Fault.UNKNOWN))[0] == FaultGone(Fault.UNKNOWN, 301)


@pytest.mark.parametrize("severity", [-1, 0, 5, 9999])
def test_a_severity_that_there_is_none_of_is_graded_as_ours(severity: int) -> None:
    iron = after(FaultRaised(Fault.OVERHEAT, severity=severity))
    assert iron.state.standing[0].severity is Severity.STANDSTILL


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
    assert wake_at(RULES, iron.state) is None


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
    assert wake_at(RULES, iron.state) == moment(65)


def test_a_cycle_known_already_keeps_its_time() -> None:
    iron = after(*CYCLING)
    cycling = Condition(cycling=True, wall_ready=False, wall_raised=False)
    assert found(iron, 5, cycling) == ()
    assert wake_at(RULES, iron.state) == moment(60)


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
        FaultReported(Fault.DICE_FAIL, 0, Severity.HINDRANCE),
        FaultReported(Fault.OVERHEAT, 0, Severity.STANDSTILL),
        FaultGone(Fault.TILE_JAM, 17),
    )
    assert iron.state.faults == (Fault.DICE_FAIL, Fault.OVERHEAT)


def test_faults_that_are_gone_on_connect_are_told() -> None:
    iron = after(*READY, JAM)
    ready = Condition(cycling=False, wall_ready=True, wall_raised=False)
    assert found(iron, 1, ready) == (
        FaultGone(Fault.TILE_JAM, 17),
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


# A cycle that is paused and the table opened

ABLE = LinkUp(holds=True, draws=False, abilities=Abilities(reopen=True))


def test_a_cycle_is_paused_and_goes_on_and_is_neither_measured_nor_slow_meanwhile() -> None:
    iron = Iron()
    iron.happens(0, ABLE)
    iron.reports(0, CycleStarted())
    assert iron.order(5, PauseCycle()) == (SendToTable(PauseCycle()),)
    assert iron.reports(6, CyclePaused()) == (CycleReopened(),)
    assert (iron.state.phase_name, iron.state.seq) == ("cycling", 2)
    assert wake_at(RULES, iron.state) is None
    assert iron.order(7, ResumeCycle()) == (SendToTable(ResumeCycle()),)
    assert iron.reports(90, CycleResumed()) == (CycleWentOn(),)
    assert wake_at(RULES, iron.state) == moment(150)
    assert iron.reports(100, WallReady()) == (MachineChanged("ready"),)


def test_a_slow_cycle_that_is_paused_is_slow_no_more() -> None:
    iron = after(*CYCLING)
    iron.happens(60, Woken())
    assert iron.reports(61, CyclePaused()) == (FaultGone(Fault.SLOW_CYCLE), CycleReopened())


@pytest.mark.parametrize(
    ("events", "command", "reason"),
    [
        (EMPTY, PauseCycle(), "no cycle runs that could be paused"),
        (READY, PauseCycle(), "no cycle runs that could be paused"),
        ((*CYCLING, CyclePaused()), PauseCycle(), "no cycle runs that could be paused"),
        (CYCLING, ResumeCycle(), "no cycle is paused"),
        (RAISED, ResumeCycle(), "no cycle is paused"),
    ],
)
def test_only_a_running_cycle_is_paused_and_only_a_paused_one_goes_on(
    events: tuple[TableEvent, ...], command: MotorCommand, reason: str
) -> None:
    iron = after(*events)
    iron.happens(0, ABLE)
    assert iron.order(1, command) == (Refused(Code.WRONG_PHASE, reason),)


def test_a_paused_cycle_is_found_on_connect() -> None:
    iron = Iron()
    found(iron, 1, Condition(cycling=True, wall_ready=False, wall_raised=True, reopened=True))
    assert iron.state.phase == Cycling(None, reopened=True)


# What a table has no part for


@pytest.mark.parametrize(
    ("command", "abilities"),
    [
        (Shuffle(), Abilities(shuffle=False)),
        (Lift(), Abilities(lift=False)),
        (RollDice(), Abilities(dice_roll=False)),
        (PauseCycle(), Abilities()),
        (ResumeCycle(), Abilities()),
    ],
)
def test_what_the_table_has_no_part_for_is_refused(
    command: MotorCommand, abilities: Abilities
) -> None:
    iron = after(*CYCLING)
    iron.happens(1, LinkUp(holds=True, draws=False, abilities=abilities))
    (refused,) = iron.order(2, command)
    assert isinstance(refused, Refused)
    assert refused.code is Code.NOT_ABLE
