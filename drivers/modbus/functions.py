"""What the signals of modules are for at a table, by the names that its configuration gives."""

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from drivers.gestures import SeatInput
from table.commands import (
    Lift,
    PauseCycle,
    ResumeCycle,
    RollDice,
    SetLamp,
    Shuffle,
    SoundBuzzer,
    TableCommand,
)
from table.events import Call, Fault
from table.seat import Seat


class Sign(StrEnum):
    """What is seen of the machine."""

    WALL_READY = "wall-ready"
    CYCLING = "cycling"
    WALL_RAISED = "wall-raised"
    CYCLE_PAUSED = "cycle-paused"
    """The table is open while a cycle waits."""
    LIFT_UP = "lift-up"
    LIFT_DOWN = "lift-down"


class Motor(StrEnum):
    """What a pulse may set in motion."""

    SHUFFLE = "shuffle"
    LIFT = "lift"
    DICE = "dice"
    PAUSE = "pause"
    """Opens the table in a cycle: on most tables both keys at once, by a contact across each."""
    RESUME = "resume"
    """Closes it again: on most tables one of the two keys, so it may be that of another motor."""


class Part(Enum):
    """What a terminal of a module is to the table."""

    PRESSED = auto()
    SEEN = auto()
    MOTOR = auto()
    LAMP = auto()
    BUZZER = auto()


DEAL_END = "deal-end"
OF_A_PAUSE = (Motor.PAUSE, Motor.RESUME, Sign.CYCLE_PAUSED, Sign.WALL_READY)
"""A cycle that ended and one that waits both go dark; only with these can they be told apart."""
SEAT_KINDS = (*SeatInput, *Call, "lamp", "buzzer")
"""What all seats have or none: one who cannot press as the others can is charged for it, and so is
one who is not warned as they are."""


@dataclass(frozen=True, slots=True)
class SeatSignal:
    """What a seat presses, or where it is seen to draw."""

    seat: Seat
    input: SeatInput
    call: Call | None = None


def seat_signal(name: str) -> SeatSignal | None:
    """Return what a function of a seat is, for example of `discard-1` or `pung-3`."""
    return _SEAT_SIGNALS.get(name)


def fault_sign(name: str) -> Fault | None:
    """Return the fault that an input shows, for example `fault-tile-jam`."""
    return _FAULTS.get(name)


def part_of(name: str) -> Part | None:
    """Return what a function is for; None for a name that is none."""
    return _PARTS.get(name)


def functions() -> tuple[str, ...]:
    """Return the names of all functions."""
    return tuple(_PARTS)


def output_of(command: TableCommand) -> str | None:
    """Return the name of the output that a command pulses or switches; None without one."""
    match command:
        case SoundBuzzer(seat=seat):
            return f"buzzer-{seat}"
        case SetLamp(seat=seat):
            return f"lamp-{seat}"
        case _:
            return _KEYS.get(type(command))


_KEYS: dict[type[TableCommand], Motor] = {
    Shuffle: Motor.SHUFFLE,
    Lift: Motor.LIFT,
    RollDice: Motor.DICE,
    PauseCycle: Motor.PAUSE,
    ResumeCycle: Motor.RESUME,
}
_SEAT_SIGNALS = {
    **{f"{kind}-{seat}": SeatSignal(seat, kind) for seat in Seat for kind in SeatInput},
    **{f"{call}-{seat}": SeatSignal(seat, SeatInput.CLAIM, call) for seat in Seat for call in Call},
}
_FAULTS = {f"fault-{fault}": fault for fault in Fault}
_PARTS = {
    **dict.fromkeys((*_SEAT_SIGNALS, DEAL_END), Part.PRESSED),
    **dict.fromkeys((*Sign, *_FAULTS), Part.SEEN),
    **dict.fromkeys(Motor, Part.MOTOR),
    **{f"lamp-{seat}": Part.LAMP for seat in Seat},
    **{f"buzzer-{seat}": Part.BUZZER for seat in Seat},
}
