"""The machine of one table: its phases, its faults, and which orders reach its motors."""

from dataclasses import replace
from typing import TypeAlias, assert_never

from table.commands import SetLift
from table.events import LinkDown, LinkUp, Observed, Restarted, Woken
from table.moment import Moment
from timing.machine_cycle import overdue, told_overdue
from timing.machine_dice import DiceEntry, entered
from timing.machine_lift import said
from timing.machine_orders import MotorOrder, obey
from timing.machine_phases import Cycling, Empty, Faulty, Machine, MachinePhase, Raised, Ready, Step
from timing.machine_reports import believe, connected, disconnected
from timing.machine_rules import MachineRules

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

MachineStimulus: TypeAlias = (
    Observed | MotorOrder | DiceEntry | SetLift | LinkUp | LinkDown | Restarted | Woken
)


def fresh() -> Machine:
    """Return a machine of which nothing is known."""
    return Machine()


def step(rules: MachineRules, state: Machine, stimulus: MachineStimulus, now: Moment) -> Step:
    """Let time pass to `now`, then apply the stimulus.

    Total: what the machine reports is always believed, only orders are refused. After `Restarted`
    moments start anew, so no time passes to it and `now` may be lower than before.

    Raises:
        ValueError: `now` lies before the last moment handled, which is a bug of the caller.
    """
    if isinstance(stimulus, Restarted):
        passed = Step(state)
    elif state.last is not None and now < state.last:
        message = f"the machine was at {state.last.micros} µs, {now.micros} µs is earlier"
        raise ValueError(message)
    else:
        passed = _pass_to(rules, state, now)
    answered = passed.then(lambda machine: _answer(rules, machine, stimulus, now))
    return Step(replace(answered.state, last=now), answered.effects)


def wake_at(rules: MachineRules, state: Machine) -> Moment | None:
    """Return the moment at which a running cycle becomes too long."""
    return overdue(rules, state)


def _pass_to(rules: MachineRules, machine: Machine, now: Moment) -> Step:
    passed = Step(machine)
    while (due := overdue(rules, passed.state)) is not None and due <= now:
        passed = passed.then(told_overdue)
    return passed


def _answer(rules: MachineRules, machine: Machine, stimulus: MachineStimulus, now: Moment) -> Step:
    match stimulus:
        case Observed():
            return believe(rules, machine, stimulus)
        case MotorOrder() | DiceEntry() | SetLift():
            return _heed(machine, stimulus)
        case LinkUp():
            return connected(machine, stimulus, now)
        case LinkDown(cause=cause) | Restarted(cause=cause):
            return disconnected(machine, cause)
        case Woken():
            return Step(machine)
    assert_never(stimulus)


def _heed(machine: Machine, ordered: MotorOrder | DiceEntry | SetLift) -> Step:
    match ordered:
        case MotorOrder():
            return obey(machine, ordered)
        case DiceEntry():
            return entered(machine, ordered)
        case SetLift():
            return said(machine, ordered)
    assert_never(ordered)
