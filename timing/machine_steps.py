"""A step of the machine put together: what motor orders rest on is counted as it changes."""

from dataclasses import replace

from timing.machine_effects import MachineChanged
from timing.machine_phases import Machine, Step


def changed(step: Step, before: Machine, cause: str = "") -> Step:
    """Count and tell a change of phase, if it is one."""
    if step.state.phase_name == before.phase_name:
        return step
    told = MachineChanged(step.state.phase_name, cause)
    return moved(Step(step.state, (*step.effects, told)))


def moved(step: Step) -> Step:
    """Count a change."""
    return Step(replace(step.state, seq=step.state.seq + 1), step.effects)
