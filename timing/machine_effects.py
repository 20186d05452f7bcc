"""What follows from a stimulus of the machine: values for the record and the world, in order."""

from dataclasses import dataclass
from typing import TypeAlias

from table.answers import Ignored, Refused
from table.commands import MotorCommand
from table.events import Fault


@dataclass(frozen=True, slots=True)
class DiceThrown:
    """The dice came to rest; None where the table cannot read them."""

    values: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class MachineChanged:
    """The machine entered another phase: empty, cycling, ready, raised or fault."""

    phase: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class FaultReported:
    """The machine has a fault."""

    fault: Fault
    code: int


@dataclass(frozen=True, slots=True)
class FaultGone:
    """A fault of the machine is gone."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class SendToTable:
    """An order for the machine passed its checks: send it, once."""

    command: MotorCommand


MachineEffect: TypeAlias = (
    DiceThrown | MachineChanged | FaultReported | FaultGone | SendToTable | Ignored | Refused
)
