"""What the numbers on the wire mean at a table; the last lines that know them.

A number without a meaning gives None: the link counts it and does nothing.
"""

from datetime import timedelta

from drivers import gestures
from drivers.gestures import SeatInput, Senses
from drivers.port import Answer, Capability, Grade, Identity, Outcome
from drivers.table_link.codes import (
    Ability,
    CallKind,
    Change,
    Ending,
    FaultCode,
    Happening,
    Input,
    MachineBit,
    Refusal,
    Verb,
)
from drivers.table_link.messages import Command, Edge, Hello, Machine, Nack, Result, State
from table.abilities import LiftAt
from table.commands import (
    Lift,
    MotorCommand,
    PauseCycle,
    ResumeCycle,
    RollDice,
    SetLamp,
    Shuffle,
    SoundBuzzer,
    Stop,
    TableCommand,
)
from table.events import (
    Call,
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
from table.moment import MILLISECOND
from table.seat import Seat

_SEATS: dict[int, Seat] = {seat.value: seat for seat in Seat}
_INPUTS: dict[int, SeatInput] = {
    Input.DISCARD: SeatInput.DISCARD,
    Input.CLAIM: SeatInput.CLAIM,
    Input.DRAW: SeatInput.DRAW,
}
_CHANGES: dict[int, gestures.Change] = {
    Change.DOWN: gestures.Change.DOWN,
    Change.UP: gestures.Change.UP,
    Change.HELD: gestures.Change.HELD,
}
_CALLS: dict[int, Call | None] = {
    CallKind.UNNAMED: None,
    CallKind.CHOW: Call.CHOW,
    CallKind.PUNG: Call.PUNG,
    CallKind.KONG: Call.KONG,
    CallKind.FLOWER: Call.FLOWER,
}
_FAULTS: dict[int, Fault] = {
    FaultCode.TILE_JAM: Fault.TILE_JAM,
    FaultCode.TILE_MISSING: Fault.TILE_MISSING,
    FaultCode.COUNT_MISMATCH: Fault.COUNT_MISMATCH,
    FaultCode.LIFT_STUCK: Fault.LIFT_STUCK,
    FaultCode.SENSOR_DIRTY: Fault.SENSOR_DIRTY,
    FaultCode.OVERHEAT: Fault.OVERHEAT,
    FaultCode.SLOW_CYCLE: Fault.SLOW_CYCLE,
    FaultCode.PANEL_DEAD: Fault.PANEL_DEAD,
    FaultCode.DICE_FAIL: Fault.DICE_FAIL,
    FaultCode.POWER_LOST: Fault.POWER_LOST,
    FaultCode.CYCLE_FAILED: Fault.CYCLE_FAILED,
}
_PLAIN_HAPPENINGS: dict[int, MachineEvent] = {
    Happening.CYCLE_STARTED: CycleStarted(),
    Happening.WALL_READY: WallReady(),
    Happening.WALL_RAISED: WallRaised(),
    Happening.STOPPED: MachineStopped(),
    Happening.CYCLE_PAUSED: CyclePaused(),
    Happening.CYCLE_RESUMED: CycleResumed(),
    Happening.LIFT_RAISED: LiftSensed(LiftAt.RAISED),
    Happening.LIFT_LOWERED: LiftSensed(LiftAt.LOWERED),
}
_ABILITIES = {
    Ability.SHUFFLE: Capability.SHUFFLE,
    Ability.LIFT: Capability.LIFT,
    Ability.DICE_ROLL: Capability.DICE_ROLL,
    Ability.DICE_RESULT: Capability.DICE_RESULT,
    Ability.DISCARD_INPUT: Capability.DISCARD_INPUT,
    Ability.CLAIM_INPUT: Capability.CLAIM_INPUT,
    Ability.HOLD: Capability.HOLD_SENSE,
    Ability.DRAW: Capability.DRAW_SENSE,
    Ability.DEAL_END: Capability.DEAL_END_SENSE,
    Ability.LAMP: Capability.LAMP,
    Ability.BUZZER: Capability.BUZZER,
    Ability.LIFT_TOGGLES: Capability.LIFT_TOGGLE,
    Ability.REOPEN: Capability.REOPEN,
}
_MOTORS: dict[type[MotorCommand], Verb] = {
    Shuffle: Verb.SHUFFLE,
    Lift: Verb.LIFT,
    PauseCycle: Verb.REOPEN,
    ResumeCycle: Verb.RESUME,
    RollDice: Verb.DICE,
    Stop: Verb.STOP,
}


def identity(hello: Hello) -> Identity:
    """Return who the box says it is."""
    return Identity(hello.vendor, hello.model, hello.serial, hello.firmware, hello.certificate)


def clock_name(hello: Hello) -> str:
    """Return the name of the clock and the count of one boot, as in `DeviceStamp`."""
    return f"{hello.serial}/{hello.boot:08x}"


def capabilities(hello: Hello) -> dict[Capability, Grade]:
    """Return what the box says it can do; device time and wall ready every box has."""
    graded = {
        capability: Grade.NATIVE if hello.abilities & ability else Grade.ABSENT
        for ability, capability in _ABILITIES.items()
    }
    return graded | dict.fromkeys((Capability.DEVICE_TIME, Capability.WALL_READY), Grade.NATIVE)


def senses(hello: Hello) -> Senses:
    """Return what the box's inputs can tell."""
    return Senses(
        bool(hello.abilities & Ability.HOLD),
        timedelta(milliseconds=hello.debounce_ms),
        timedelta(milliseconds=hello.hold_ms),
    )


def fault(code: int) -> Fault:
    """Return our word for a fault code."""
    return _FAULTS.get(code, Fault.UNKNOWN)


def condition(state: State) -> Condition:
    """Return the machine as a STATE describes it."""
    return Condition(
        bool(state.machine & MachineBit.CYCLING),
        bool(state.machine & MachineBit.WALL_READY),
        bool(state.machine & MachineBit.WALL_RAISED),
        frozenset(map(fault, state.faults)),
        frozenset(code for code in state.faults if fault(code) is Fault.UNKNOWN),
        bool(state.machine & MachineBit.REOPENED),
        _lift(state.machine),
    )


def _lift(machine: int) -> LiftAt | None:
    """Return where a sensor sees the lift; both bits at once are no sensor's word."""
    match bool(machine & MachineBit.LIFT_UP), bool(machine & MachineBit.LIFT_DOWN):
        case True, False:
            return LiftAt.RAISED
        case False, True:
            return LiftAt.LOWERED
        case _:
            return None


def edge(heard: Edge, first: timedelta, at: timedelta) -> gestures.Edge | None:
    """Return the edge of a seat's input, given its device times; None where it names no seat's."""
    seat, place = _SEATS.get(heard.seat), _INPUTS.get(heard.input)
    change = _CHANGES.get(heard.change)
    if seat is None or place is None or change is None or heard.call not in _CALLS:
        return None
    return gestures.Edge(seat, place, change, first, at, _CALLS[heard.call])


def ends_deal(heard: Edge) -> bool:
    """Say whether the edge is the table's own signal that the deal is done; it has no seat."""
    return (heard.seat, heard.input, heard.change) == (0, Input.DEAL_END, Change.DOWN)


def machine_event(heard: Machine) -> MachineEvent | None:
    """Return what the machine did."""
    match heard.happening:
        case Happening.DICE_ROLLED:
            return DiceRolled(heard.dice or None)
        case Happening.FAULT_RAISED:
            return FaultRaised(fault(heard.fault), heard.fault)
        case Happening.FAULT_CLEARED:
            return FaultCleared(fault(heard.fault), heard.fault)
        case _:
            return _PLAIN_HAPPENINGS.get(heard.happening)


def order(command: TableCommand, number: int) -> Command:
    """Return the frame's message for a command under this id."""
    match command:
        case SoundBuzzer():
            # A tone too long for the field is too long for the box, which says so.
            length = min(command.length // MILLISECOND, 0xFFFF)
            return Command(number, Verb.BUZZER, command.seat, length)
        case SetLamp():
            return Command(number, Verb.LAMP, command.seat, int(command.lit))
        case motor:
            return Command(number, _MOTORS[type(motor)])


_REFUSALS: dict[int, str] = {
    Refusal.UNKNOWN: "the table does not know this command",
    Refusal.BAD_VALUE: "the table does not allow this value",
    Refusal.BUSY: "the table is busy",
    Refusal.INTERLOCK: "another movement forbids it",
    Refusal.FAULT: "the table has a fault",
    Refusal.NOT_ARMED: "the table is not armed",
}


def refused(nack: Nack) -> Answer:
    """Return the answer a NACK is."""
    reason = _REFUSALS.get(nack.refusal, f"the table gave reason {nack.refusal}")
    return Answer(Outcome.REFUSED, reason)


def over(result: Result) -> Answer:
    """Return the answer a RESULT is."""
    match result.ending:
        case Ending.DONE:
            return Answer(Outcome.DONE)
        case Ending.STOPPED:
            return Answer(Outcome.FAILED, "stopped")
        case Ending.FAILED:
            return Answer(Outcome.FAILED, f"{fault(result.fault)}, code {result.fault}")
        case _:
            return Answer(Outcome.UNCERTAIN, f"the table gave ending {result.ending}")
