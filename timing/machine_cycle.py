"""The cycle that shuffles and stacks the next wall: what it takes, and when it takes too long."""

from dataclasses import replace
from datetime import timedelta

from table.events import CyclePaused, CycleResumed, Fault
from table.faults import Severity
from table.moment import Interval, Moment
from timing.intervals import since
from timing.machine_effects import (
    CycleMeasured,
    CycleReopened,
    CycleWentOn,
    FaultGone,
    FaultReported,
    MachineEffect,
)
from timing.machine_faults import added, ours, without
from timing.machine_phases import Cycling, Faulty, Machine, Ready, SoundPhase, Step
from timing.machine_rules import MachineRules
from timing.machine_steps import changed, moved


def overdue(rules: MachineRules, machine: Machine) -> Moment | None:
    """Return when the running cycle becomes slow, or once it is, when it counts as failed.

    Under a fault of the machine's own nothing is timed: it says itself that it does not get on.
    """
    match machine.phase:
        case Cycling(since=began, slow=slow) if began is not None:
            return began + (rules.failed if slow else rules.slow)
        case _:
            return None


def told_overdue(machine: Machine) -> Step:
    """Tell what the running cycle has become: slow is a notice, failed is a fault."""
    if not isinstance(machine.phase, Cycling):
        return Step(machine)
    if machine.phase.slow:
        return added(machine, ours(Fault.CYCLE_FAILED))
    slow = replace(machine, phase=replace(machine.phase, slow=True))
    return Step(slow, (FaultReported(Fault.SLOW_CYCLE, 0, Severity.NOTICE),))


def enter(
    rules: MachineRules, machine: Machine, phase: SoundPhase, when: Interval, cause: str = ""
) -> Step:
    """Enter a phase, which ends a cycle that ran; under a fault it is the one to come back to."""
    cycle = machine.beneath
    ended = without(machine, Fault.CYCLE_FAILED) if isinstance(cycle, Cycling) else machine
    effects = _over(rules, machine, cycle, phase, when) if isinstance(cycle, Cycling) else ()
    return changed(Step(beneath(ended, phase), effects), machine, cause)


def beneath(machine: Machine, phase: SoundPhase) -> Machine:
    """Return the machine in another phase, its faults apart."""
    if isinstance(machine.phase, Faulty):
        return replace(machine, phase=replace(machine.phase, beneath=phase))
    return replace(machine, phase=phase)


def given_up(machine: Machine, after: SoundPhase) -> Step:
    """Forget what was told of a cycle that is found to be over, or to be another one."""
    cycle = machine.beneath
    if not isinstance(cycle, Cycling) or after is cycle:
        return Step(machine)
    return Step(without(machine, Fault.CYCLE_FAILED), _taken_back(machine, cycle))


def paused_or_resumed(machine: Machine, event: CyclePaused | CycleResumed, when: Interval) -> Step:
    """Take that a running cycle was paused and the table opened, or that it goes on."""
    opened = isinstance(event, CyclePaused)
    cycle = machine.beneath
    if isinstance(cycle, Cycling) and cycle.reopened is opened:
        return Step(machine)
    back = _taken_back(machine, cycle) if isinstance(cycle, Cycling) else ()
    ran = without(machine, Fault.CYCLE_FAILED)
    phase = Cycling(None if opened else when.latest, reopened=opened)
    told = CycleReopened() if opened else CycleWentOn()
    entered = changed(Step(beneath(ran, phase), (*back, told)), machine)
    return entered if entered.state.seq != machine.seq else moved(entered)


def disturbed(machine: Machine) -> Machine:
    """Note that a fault came while the cycle ran."""
    cycle = machine.beneath
    return (
        beneath(machine, replace(cycle, disturbed=True)) if isinstance(cycle, Cycling) else machine
    )


def untimed(machine: Machine) -> Machine:
    """Forget when a cycle began: from here on nobody can say how long it takes."""
    cycle = machine.beneath
    if not isinstance(cycle, Cycling):
        return machine
    return beneath(machine, replace(cycle, since=None, started=None))


def _over(
    rules: MachineRules, machine: Machine, cycle: Cycling, after: SoundPhase, when: Interval
) -> tuple[MachineEffect, ...]:
    back = _taken_back(machine, cycle)
    if not isinstance(after, Ready) or cycle.started is None:
        return back
    taken = since(cycle.started, when)
    return (*back, CycleMeasured(taken, rules.expected, cycle.disturbed))


def _taken_back(machine: Machine, cycle: Cycling) -> tuple[MachineEffect, ...]:
    """Take back what was told of a cycle that took too long."""
    failed = Fault.CYCLE_FAILED in machine.faults
    told = ((Fault.SLOW_CYCLE, cycle.slow), (Fault.CYCLE_FAILED, failed))
    return tuple(FaultGone(fault) for fault, was in told if was)


def ran_for(machine: Machine, now: Moment) -> timedelta | None:
    """Return how long the present cycle runs; None where none does or nobody can say."""
    match machine.beneath:
        case Cycling(since=began) if began is not None:
            return now - began
        case _:
            return None
