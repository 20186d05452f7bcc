"""The machine's condition as its events change it, between two whole reports."""

from dataclasses import replace
from typing import TypeAlias

from table.events import (
    Condition,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    LiftSensed,
    MachineEvent,
    MachineStopped,
    WallRaised,
    WallReady,
)

_OfTheCycle: TypeAlias = CycleStarted | CyclePaused | CycleResumed | WallReady | MachineStopped


def after(condition: Condition, event: MachineEvent) -> Condition:
    """Return the condition as an event leaves it."""
    match event:
        case FaultRaised() | FaultCleared():
            return _faulty(condition, event)
        case LiftSensed(position=position):
            return replace(condition, lift=position)
        case DiceRolled():
            return condition
        case WallRaised():
            return replace(condition, wall_ready=False, wall_raised=True)
        case _:
            return _cycled(condition, event)


def _cycled(condition: Condition, event: _OfTheCycle) -> Condition:
    match event:
        case CycleStarted() | CyclePaused() | CycleResumed():
            paused = isinstance(event, CyclePaused)
            return replace(condition, cycling=True, wall_ready=False, reopened=paused)
        case WallReady():
            return replace(condition, cycling=False, wall_ready=True, reopened=False)
        case MachineStopped():
            return replace(condition, cycling=False, reopened=False)


def _faulty(condition: Condition, event: FaultRaised | FaultCleared) -> Condition:
    """Note a fault; of unknown ones each code is one of its own."""
    named, codes = {event.fault}, {event.code} if event.fault is Fault.UNKNOWN else set[int]()
    if isinstance(event, FaultRaised):
        faults, unknown = condition.faults | named, condition.unknown | codes
        return replace(condition, faults=faults, unknown=unknown)
    unknown = condition.unknown - codes if event.code else frozenset[int]()
    kept = event.fault is Fault.UNKNOWN and unknown
    faults = condition.faults if kept else condition.faults - named
    return replace(condition, faults=faults, unknown=unknown if codes else condition.unknown)
