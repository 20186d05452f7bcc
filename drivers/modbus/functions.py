"""What the signals of modules are for at a table, by the names that its configuration gives."""

from dataclasses import dataclass
from enum import StrEnum

from drivers.gestures import SeatInput
from table.commands import Lift, RollDice, SetLamp, Shuffle, SoundBuzzer, TableCommand
from table.events import Call, Fault
from table.seat import Seat


class Sign(StrEnum):
    """What is seen of the machine."""

    WALL_READY = "wall-ready"
    CYCLING = "cycling"
    WALL_RAISED = "wall-raised"


class Motor(StrEnum):
    """What a pulse may set in motion."""

    SHUFFLE = "shuffle"
    LIFT = "lift"
    DICE = "dice"


DEAL_END = "deal-end"


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


def output_of(command: TableCommand) -> str | None:
    """Return the name of the output that a command pulses or switches; None without one."""
    match command:
        case Shuffle():
            return Motor.SHUFFLE
        case Lift():
            return Motor.LIFT
        case RollDice():
            return Motor.DICE
        case SoundBuzzer(seat=seat):
            return f"buzzer-{seat}"
        case SetLamp(seat=seat):
            return f"lamp-{seat}"
        case _:
            return None


_SEAT_SIGNALS = {
    **{f"{kind}-{seat}": SeatSignal(seat, kind) for seat in Seat for kind in SeatInput},
    **{f"{call}-{seat}": SeatSignal(seat, SeatInput.CLAIM, call) for seat in Seat for call in Call},
}
_FAULTS = {f"fault-{fault}": fault for fault in Fault}
