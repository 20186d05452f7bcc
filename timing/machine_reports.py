"""What a table's machine reports of itself, and how it is found on connect."""

from dataclasses import replace
from typing import assert_never

from table.answers import Ignored
from table.events import (
    Condition,
    CycleStarted,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    MachineStopped,
    TableEvent,
    TableRebooted,
    WallRaised,
    WallReady,
)
from table.moment import Interval, Moment
from timing.machine_dice import rolled
from timing.machine_effects import FaultGone, FaultReported, MachineChanged, MachineEffect
from timing.machine_phases import Cycling, Empty, Faulty, Machine, Raised, Ready, SoundPhase, Step


def believe(machine: Machine, event: TableEvent, when: Interval) -> Step:
    """Take what the machine reports of itself; it is always believed."""
    match event:
        case CycleStarted() | WallReady():
            return _enter(machine, _after(event, when))
        case WallRaised():
            return _enter(replace(machine, throws=()), _after(event, when))
        case MachineStopped() | TableRebooted():
            return _cut(machine, event)
        case FaultRaised() | FaultCleared():
            return _fault(machine, event)
        case DiceRolled(values=values):
            return rolled(machine, values)
        case _:
            return Step(machine)


def _after(event: CycleStarted | WallReady | WallRaised, when: Interval) -> SoundPhase:
    match event:
        case CycleStarted():
            return Cycling(when.latest)
        case WallReady():
            return Ready()
        case WallRaised():
            return Raised()
    assert_never(event)


def _enter(machine: Machine, phase: SoundPhase, cause: str = "") -> Step:
    """Enter a phase; under a fault it is the one to come back to."""
    before = machine.phase
    if isinstance(before, Faulty):
        done = _slow_over(before.beneath)
        return Step(replace(machine, phase=replace(before, beneath=phase)), done)
    entered = Step(replace(machine, phase=phase), _slow_over(before))
    return _changed(entered, machine, cause)


def _changed(step: Step, before: Machine, cause: str) -> Step:
    """Count and tell a change of phase, if it is one."""
    if step.state.phase_name == before.phase_name:
        return step
    counted = replace(step.state, seq=before.seq + 1)
    return Step(counted, (*step.effects, MachineChanged(counted.phase_name, cause)))


def _slow_over(phase: SoundPhase) -> tuple[MachineEffect, ...]:
    """Take back what was told of a slow cycle that is over now."""
    if isinstance(phase, Cycling) and phase.slow:
        return (FaultGone(Fault.SLOW_CYCLE),)
    return ()


def _cut(machine: Machine, event: MachineStopped | TableRebooted) -> Step:
    """Take a stop: it cuts a cycle, and a wall that stands stays."""
    rebooted = isinstance(event, TableRebooted)
    beneath = machine.phase.beneath if isinstance(machine.phase, Faulty) else machine.phase
    if isinstance(beneath, Cycling):
        return _enter(machine, Empty(), "the table's box started anew" if rebooted else "stopped")
    return Step(machine, () if rebooted else (Ignored("no cycle was running"),))


def _fault(machine: Machine, event: FaultRaised | FaultCleared) -> Step:
    standing, fault = machine.faults, event.fault
    if isinstance(event, FaultRaised):
        if fault in standing:
            return Step(machine, (Ignored(f"the fault {fault} stands already"),))
        return _with_faults(machine, (*standing, fault), FaultReported(fault, event.code))
    if fault not in standing:
        return Step(machine, (Ignored(f"the fault {fault} does not stand"),))
    rest = tuple(each for each in standing if each is not fault)
    return _with_faults(machine, rest, FaultGone(fault))


def _with_faults(machine: Machine, faults: tuple[Fault, ...], *effects: MachineEffect) -> Step:
    beneath = machine.phase.beneath if isinstance(machine.phase, Faulty) else machine.phase
    phase = Faulty(faults, beneath) if faults else beneath
    cause = ", ".join(faults)
    return _changed(Step(replace(machine, phase=phase), effects), machine, cause)


def found(machine: Machine, condition: Condition, now: Moment) -> Step:
    """Believe the machine as it is found on connect."""
    standing = machine.faults
    faults = (
        *(fault for fault in standing if fault in condition.faults),
        *sorted(condition.faults.difference(standing)),
    )
    reported = tuple(FaultReported(fault, 0) for fault in faults if fault not in standing)
    gone = tuple(FaultGone(fault) for fault in standing if fault not in faults)
    beneath = machine.phase.beneath if isinstance(machine.phase, Faulty) else machine.phase
    sound = _as_found(beneath, condition, now)
    over = () if isinstance(sound, Cycling) else _slow_over(beneath)
    phase = Faulty(faults, sound) if faults else sound
    raised = isinstance(sound, Raised) and not isinstance(beneath, Raised)
    throws = () if raised else machine.throws
    found = Step(replace(machine, phase=phase, throws=throws), (*over, *reported, *gone))
    return _changed(found, machine, ", ".join(faults) or "found so")


def _as_found(before: SoundPhase, condition: Condition, now: Moment) -> SoundPhase:
    """Return the phase a condition shows; the next wall says more than the one in play."""
    if condition.cycling:
        timed = isinstance(before, Cycling) and before.since is not None
        return before if timed else Cycling(now)
    if condition.wall_ready:
        return Ready()
    return Raised() if condition.wall_raised else Empty()


def untimed(machine: Machine) -> Machine:
    """Forget when a cycle began: from here on nobody can say how long it takes."""
    match machine.phase:
        case Cycling(slow=slow):
            return replace(machine, phase=Cycling(None, slow))
        case Faulty(beneath=Cycling(slow=slow)) as faulty:
            return replace(machine, phase=replace(faulty, beneath=Cycling(None, slow)))
        case _:
            return machine
