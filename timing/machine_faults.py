"""The faults of a machine: as it raises, repeats and clears them, and as they are found."""

from dataclasses import replace

from table.answers import Ignored
from table.events import Condition, Fault, FaultCleared, FaultRaised
from table.faults import Severity, nature
from timing.machine_effects import FaultGone, FaultRepeated, FaultReported, MachineEffect
from timing.machine_phases import Faulty, Machine, SoundPhase, StandingFault, Step
from timing.machine_steps import changed

OURS = frozenset({Fault.CYCLE_FAILED})
"""What our own clock says of a machine, and no machine takes back."""


def raised(machine: Machine, event: FaultRaised) -> Step:
    """Take a fault that the machine reports, for the first time or again."""
    new = _standing(event)
    known = _find(machine, new.fault, new.code)
    if known is None:
        return _with(machine, (*machine.standing, new), reported(new))
    again = replace(new, times=known.times + 1)
    standing = tuple(again if one is known else one for one in machine.standing)
    return _with(machine, standing, FaultRepeated(again.fault, again.code, again.times))


def cleared(machine: Machine, event: FaultCleared) -> Step:
    """Take a fault back that the machine says is gone."""
    gone = [one for one in machine.standing if _is_cleared(one, event)]
    if not gone:
        return Step(machine, (Ignored(f"the fault {event.fault} does not stand"),))
    rest = tuple(one for one in machine.standing if one not in gone)
    return _with(machine, rest, *(FaultGone(one.fault, one.code) for one in gone))


def found(machine: Machine, sound: SoundPhase, condition: Condition) -> Step:
    """Take the phase and the faults with which a machine is found; the order known is kept."""
    wanted = [(fault, 0) for fault in sorted(condition.faults - {Fault.UNKNOWN})]
    codes = condition.unknown or ({0} if Fault.UNKNOWN in condition.faults else set())
    wanted += [(Fault.UNKNOWN, code) for code in sorted(codes)]
    kept = tuple(
        one
        for one in machine.standing
        if one.fault in OURS or any(_is(one, fault, code) for fault, code in wanted)
    )
    new = tuple(
        _standing(FaultRaised(fault, code))
        for fault, code in wanted
        if _find(machine, fault, code) is None
    )
    gone = tuple(FaultGone(one.fault, one.code) for one in machine.standing if one not in kept)
    phase = Faulty((*kept, *new), sound) if kept or new else sound
    return Step(replace(machine, phase=phase), (*map(reported, new), *gone))


def reported(new: StandingFault) -> FaultReported:
    """Return what is told of a fault that came."""
    return FaultReported(new.fault, new.code, new.severity, new.text, new.unfair)


def ours(fault: Fault) -> StandingFault:
    """Return a fault that our own clock found."""
    return StandingFault(fault, severity=nature(fault).severity)


def added(machine: Machine, new: StandingFault) -> Step:
    """Let a fault stand that our own clock found."""
    return _with(machine, (*machine.standing, new), reported(new))


def without(machine: Machine, fault: Fault) -> Machine:
    """Return the machine without a kind of fault; whoever asks tells the change of phase."""
    rest = tuple(one for one in machine.standing if one.fault is not fault)
    return replace(machine, phase=Faulty(rest, machine.beneath) if rest else machine.beneath)


def _standing(event: FaultRaised) -> StandingFault:
    graded = event.severity in tuple(Severity)
    severity = Severity(event.severity) if graded else nature(event.fault).severity
    return StandingFault(event.fault, event.code, severity, event.text)


def _with(machine: Machine, standing: tuple[StandingFault, ...], *effects: MachineEffect) -> Step:
    phase = Faulty(standing, machine.beneath) if standing else machine.beneath
    cause = ", ".join(dict.fromkeys(one.fault for one in standing))
    return changed(Step(replace(machine, phase=phase), effects), machine, cause)


def _find(machine: Machine, fault: Fault, code: int) -> StandingFault | None:
    return next((one for one in machine.standing if _is(one, fault, code)), None)


def _is(one: StandingFault, fault: Fault, code: int) -> bool:
    """Say whether it is that fault; only those that we have no word for are told apart by code."""
    return one.fault is fault and (fault is not Fault.UNKNOWN or one.code == code)


def _is_cleared(one: StandingFault, event: FaultCleared) -> bool:
    return _is(one, event.fault, event.code or one.code)
