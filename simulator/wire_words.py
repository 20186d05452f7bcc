"""Table words as the numbers that a box puts on the wire (docs/table-link.md, section 3)."""

from dataclasses import replace

from drivers.table_link import codes
from drivers.table_link.messages import Edge, Machine
from simulator.device_time import DeviceTime
from simulator.machine import Hindrance, Motion
from table.abilities import LiftAt
from table.events import (
    Call,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DealEnded,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    LiftSensed,
    MachineEvent,
    MachineStopped,
    TileDrawn,
    WallRaised,
    WallReady,
)
from table.happening import Input
from table.moment import Moment

MAKERS_OWN_FAULT = 256
"""The first fault code that means what its maker likes."""

INPUTS = {Input.DISCARD: codes.Input.DISCARD, Input.CLAIM: codes.Input.CLAIM}
MOTIONS = {
    codes.Verb.SHUFFLE: Motion.CYCLE,
    codes.Verb.LIFT: Motion.LIFT,
    codes.Verb.DICE: Motion.DICE,
}
HAPPENINGS: dict[type[MachineEvent], codes.Happening] = {
    CycleStarted: codes.Happening.CYCLE_STARTED,
    WallReady: codes.Happening.WALL_READY,
    WallRaised: codes.Happening.WALL_RAISED,
    MachineStopped: codes.Happening.STOPPED,
    DiceRolled: codes.Happening.DICE_ROLLED,
    FaultRaised: codes.Happening.FAULT_RAISED,
    FaultCleared: codes.Happening.FAULT_CLEARED,
    CyclePaused: codes.Happening.CYCLE_PAUSED,
    CycleResumed: codes.Happening.CYCLE_RESUMED,
    LiftSensed: codes.Happening.LIFT_RAISED,
}
REFUSALS = {
    Hindrance.BUSY: codes.Refusal.BUSY,
    Hindrance.INTERLOCK: codes.Refusal.INTERLOCK,
    Hindrance.FAULT: codes.Refusal.FAULT,
}


def call_kind(call: Call | None) -> codes.CallKind:
    """Return the number of what a claim input names."""
    return codes.CallKind[call.name] if call else codes.CallKind.UNNAMED


def fault_code(fault: Fault, code: int = 0) -> int:
    """Return the number of a fault; one that has no number of ours keeps its maker's."""
    if fault is Fault.UNKNOWN:
        return max(code, MAKERS_OWN_FAULT)
    return codes.FaultCode[fault.name]


def sensed(event: TileDrawn | DealEnded, at: Moment, time: DeviceTime) -> Edge:
    """Return what a box says when one of its sensors sees something."""
    ms = time.ms(at)
    if isinstance(event, TileDrawn):
        return Edge(time.boot, ms, ms, event.seat, codes.Input.DRAW, codes.Change.DOWN)
    return Edge(time.boot, ms, ms, 0, codes.Input.DEAL_END, codes.Change.DOWN)


def machine_message(event: MachineEvent, at: Moment, time: DeviceTime) -> Machine:
    """Return what a box says when the machine did something."""
    plain = Machine(time.boot, time.ms(at), HAPPENINGS[type(event)])
    match event:
        case DiceRolled(values) if values:
            return replace(plain, dice=values)
        case FaultRaised(fault, code):
            return replace(plain, fault=fault_code(fault, code))
        case FaultCleared(fault, code):
            return replace(plain, fault=fault_code(fault, code))
        case LiftSensed(LiftAt.LOWERED):
            return replace(plain, happening=codes.Happening.LIFT_LOWERED)
        case _:
            return plain
