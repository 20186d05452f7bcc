"""The machine's condition as its events change it, between two whole reports."""

from dataclasses import replace

from table.events import (
    Condition,
    CycleStarted,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    MachineEvent,
    MachineStopped,
    WallRaised,
    WallReady,
)


def after(condition: Condition, event: MachineEvent) -> Condition:
    """Return the condition as an event leaves it."""
    match event:
        case CycleStarted():
            return replace(condition, cycling=True, wall_ready=False)
        case WallReady():
            return replace(condition, cycling=False, wall_ready=True)
        case WallRaised():
            return replace(condition, wall_ready=False, wall_raised=True)
        case MachineStopped():
            return replace(condition, cycling=False)
        case FaultRaised() | FaultCleared():
            return replace(condition, faults=_faults(condition.faults, event))
        case DiceRolled():
            return condition


def _faults(standing: frozenset[Fault], event: FaultRaised | FaultCleared) -> frozenset[Fault]:
    if isinstance(event, FaultRaised):
        return standing | {event.fault}
    return standing - {event.fault}
