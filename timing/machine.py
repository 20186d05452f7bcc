"""The machine of one table: its phases, its faults, and which orders reach its motors."""

from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from table.answers import Code, Refused
from table.commands import Lift, MotorCommand, RollDice, Shuffle, Stop
from table.events import Fault, LinkDown, LinkUp, Observed, Restarted, Woken
from table.moment import Moment
from timing.machine_dice import DiceEntry, entered
from timing.machine_effects import FaultReported, SendToTable
from timing.machine_phases import Cycling, Empty, Faulty, Machine, MachinePhase, Raised, Ready, Step
from timing.machine_reports import believe, found, untimed
from timing.rules import TimeRules

__all__ = [
    "Cycling",
    "DiceEntry",
    "Empty",
    "Faulty",
    "Machine",
    "MachinePhase",
    "MachineStimulus",
    "MotorOrder",
    "Raised",
    "Ready",
    "Step",
    "fresh",
    "step",
    "wake_at",
]

_SAID = {
    "empty": "no wall is stacked",
    "cycling": "the machine is at work",
    "ready": "the next wall is stacked",
    "raised": "the wall is raised already",
}


@dataclass(frozen=True, slots=True)
class MotorOrder:
    """An order for the motors, with what the hand says about it."""

    command: MotorCommand
    hand_running: bool


MachineStimulus: TypeAlias = (
    Observed | MotorOrder | DiceEntry | LinkUp | LinkDown | Restarted | Woken
)


def fresh() -> Machine:
    """Return a machine of which nothing is known."""
    return Machine()


def step(rules: TimeRules, state: Machine, stimulus: MachineStimulus, now: Moment) -> Step:
    """Let time pass to `now`, then apply the stimulus.

    Total: what the machine reports is always believed, only orders are refused. After `Restarted`
    moments start anew, so no time passes to it and `now` may be lower than before.

    Raises:
        ValueError: `now` lies before the last moment handled, which is a bug of the caller.
    """
    if isinstance(stimulus, Restarted):
        return Step(replace(untimed(state), last=now))
    if state.last is not None and now < state.last:
        message = f"the machine was at {state.last.micros} µs, {now.micros} µs is earlier"
        raise ValueError(message)
    passed = _pass_to(rules, state, now)
    answered = _answer(passed.state, stimulus, now)
    return Step(replace(answered.state, last=now), passed.effects + answered.effects)


def wake_at(rules: TimeRules, state: Machine) -> Moment | None:
    """Return the moment at which a running cycle becomes too long."""
    match state.phase:
        case Cycling(since=since, slow=False) if since is not None:
            return since + rules.slow_cycle
        case _:
            return None


def _pass_to(rules: TimeRules, machine: Machine, now: Moment) -> Step:
    due = wake_at(rules, machine)
    if due is None or now < due or not isinstance(machine.phase, Cycling):
        return Step(machine)
    told = replace(machine, phase=replace(machine.phase, slow=True))
    return Step(told, (FaultReported(Fault.SLOW_CYCLE, 0),))


def _answer(
    machine: Machine,
    stimulus: Observed | MotorOrder | DiceEntry | LinkUp | LinkDown | Woken,
    now: Moment,
) -> Step:
    match stimulus:
        case Observed(event=event, when=when):
            return believe(machine, event, when)
        case MotorOrder():
            return _obey(machine, stimulus)
        case DiceEntry():
            return entered(machine, stimulus)
        case LinkUp(condition=condition) if condition is not None:
            return found(machine, condition, now)
        case LinkDown():
            return Step(untimed(machine))
        case LinkUp() | Woken():
            return Step(machine)
    assert_never(stimulus)


def _obey(machine: Machine, order: MotorOrder) -> Step:
    refusal = _refusal(machine, order)
    return Step(machine, (refusal or SendToTable(order.command),))


def _refusal(machine: Machine, order: MotorOrder) -> Refused | None:
    command = order.command
    if isinstance(command, Stop):
        return None
    if order.hand_running and not isinstance(command, RollDice):
        return Refused(Code.HAND_RUNNING, "a hand is being played: the motors stay off")
    if machine.faults:
        return Refused(Code.FAULT, f"the machine has a fault: {', '.join(machine.faults)}")
    match command, machine.phase:
        case Shuffle(), Cycling() | Ready():
            return Refused(Code.WRONG_PHASE, f"nothing to shuffle: {_SAID[machine.phase_name]}")
        case Lift(), Empty() | Cycling() | Raised():
            return Refused(Code.WRONG_PHASE, f"no wall to lift: {_SAID[machine.phase_name]}")
        case _:
            return None
