"""The numbers that stand on the wire; `docs/table-link.md` lists them, `dialect` gives their sense.

A number that is not listed here is legal on the wire: it comes from a newer box and is counted.
"""

from enum import IntEnum, IntFlag


class Kind(IntEnum):
    """What a frame carries: the low six bits of its first byte."""

    ASK = 1
    HELLO = 2
    STATE = 3
    SYNC = 4
    SYNC_ECHO = 5
    EDGE = 6
    MACHINE = 7
    LOST = 8
    ACK = 9
    REWIND = 10
    COMMAND = 11
    PROGRESS = 12
    RESULT = 13
    NACK = 14
    HEARTBEAT = 15


class Flag(IntFlag):
    """Bits of the header's flags byte."""

    NONE = 0
    NEEDS_ACK = 1
    """The frame is an event: `seq` counts and the sender keeps it until it is acknowledged."""
    REPLAY = 2
    """The event is sent again, or had to wait for a host."""
    URGENT = 4
    """On a shared line: come back to me first."""


class Question(IntEnum):
    """What a host can ask for."""

    HELLO = 1
    STATE = 2


class Ability(IntFlag):
    """What the box can do or sense."""

    NONE = 0
    SHUFFLE = 1 << 0
    LIFT = 1 << 1
    DICE_ROLL = 1 << 2
    DICE_RESULT = 1 << 3
    DISCARD_INPUT = 1 << 4
    CLAIM_INPUT = 1 << 5
    HOLD = 1 << 6
    """Reports releases and holds, not only presses."""
    DRAW = 1 << 7
    DEAL_END = 1 << 8
    LAMP = 1 << 9
    BUZZER = 1 << 10
    LIFT_TOGGLES = 1 << 11
    """`lift` pushes one key that raises and lowers."""
    REOPEN = 1 << 12
    """A running cycle can be paused and the table opened."""


class Input(IntEnum):
    """The inputs of a seat, or of the whole table where the seat is 0."""

    DISCARD = 1
    CLAIM = 2
    DRAW = 3
    DEAL_END = 4


class Change(IntEnum):
    """What an input did."""

    DOWN = 1
    UP = 2
    HELD = 3
    """It has been down for the hold time and still is."""


class CallKind(IntEnum):
    """What a claim input names, where it names anything."""

    UNNAMED = 0
    CHOW = 1
    PUNG = 2
    KONG = 3
    FLOWER = 4


class Happening(IntEnum):
    """What the machine did."""

    CYCLE_STARTED = 1
    WALL_READY = 2
    WALL_RAISED = 3
    STOPPED = 4
    DICE_ROLLED = 5
    FAULT_RAISED = 6
    FAULT_CLEARED = 7
    CYCLE_PAUSED = 8
    """The table is open in mid-cycle."""
    CYCLE_RESUMED = 9
    LIFT_RAISED = 10
    """A sensor sees the lift up."""
    LIFT_LOWERED = 11


class FaultCode(IntEnum):
    """Faults every maker has; from 0x0100 on a maker counts its own."""

    TILE_JAM = 1
    TILE_MISSING = 2
    COUNT_MISMATCH = 3
    LIFT_STUCK = 4
    SENSOR_DIRTY = 5
    OVERHEAT = 6
    SLOW_CYCLE = 7
    PANEL_DEAD = 8
    DICE_FAIL = 9
    POWER_LOST = 10
    CYCLE_FAILED = 11


class MachineBit(IntFlag):
    """The machine in one byte, as in STATE and HEARTBEAT."""

    NONE = 0
    CYCLING = 1
    WALL_READY = 2
    WALL_RAISED = 4
    FAULTY = 8
    ARMED = 16
    """The box serves a host: it sends events and carries out commands."""
    REOPENED = 32
    """The cycle is paused and the table is open; CYCLING stays set."""
    LIFT_UP = 64
    """A sensor sees the lift up; without such a sensor neither bit is ever set."""
    LIFT_DOWN = 128


class Verb(IntEnum):
    """What a box can be told."""

    SHUFFLE = 1
    LIFT = 2
    DICE = 3
    STOP = 4
    BUZZER = 5
    """`seat`, `value` is the length in ms; the box ends the tone."""
    LAMP = 6
    """`seat`, `value` is 0 or 1."""
    REOPEN = 7
    RESUME = 8


class Stage(IntEnum):
    """How far a command is."""

    ACCEPTED = 1
    RUNNING = 2


class Ending(IntEnum):
    """How a command ended."""

    DONE = 1
    FAILED = 2
    """It was begun and could not be finished."""
    STOPPED = 3
    """A stop came first."""


class Refusal(IntEnum):
    """Why a box does not carry out a command; nothing moved."""

    UNKNOWN = 1
    BAD_VALUE = 2
    BUSY = 3
    INTERLOCK = 4
    FAULT = 5
    NOT_ARMED = 6
