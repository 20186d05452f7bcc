"""What follows from a stimulus of the machine: values for the record and the world, in order."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from table.abilities import LiftAt
from table.answers import Ignored, Refused
from table.commands import MotorCommand
from table.events import Fault
from table.faults import Severity
from table.moment import Elapsed


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
    """The machine has a fault; of severity 1 it is only a notice."""

    fault: Fault
    code: int
    """The machine's own, 0 where it gave none."""
    severity: int = Severity.HINDRANCE
    """1 notice, 2 hindrance, 3 standstill, 4 danger."""
    text: str = ""
    """What its maker calls it."""
    unfair: str = ""
    """Why no hand should be played while it stands; empty where play stays fair."""


@dataclass(frozen=True, slots=True)
class FaultRepeated:
    """The machine says again that a fault stands."""

    fault: Fault
    code: int
    times: int
    """How often it was reported since it came."""


@dataclass(frozen=True, slots=True)
class FaultGone:
    """A fault of the machine is gone."""

    fault: Fault
    code: int = 0


@dataclass(frozen=True, slots=True)
class SendToTable:
    """An order for the machine passed its checks: send it, once."""

    command: MotorCommand


@dataclass(frozen=True, slots=True)
class CycleMeasured:
    """A cycle is done, and this is what it took by our own clock."""

    taken: Elapsed
    expected: timedelta
    disturbed: bool
    """A fault came while it ran: it says nothing about how long the machine needs."""


@dataclass(frozen=True, slots=True)
class CycleReopened:
    """The running cycle is paused and the table is open."""


@dataclass(frozen=True, slots=True)
class CycleWentOn:
    """The table is closed again and the cycle goes on."""


@dataclass(frozen=True, slots=True)
class LiftPlaced:
    """Where the lift of a table stands that only has a key to push; None: nobody knows any more."""

    position: LiftAt | None
    source: str
    """In words: who or what says so, or why nobody knows."""


@dataclass(frozen=True, slots=True)
class PlayInDoubt:
    """A hand is played while a fault stands that makes play unfair: a referee should look."""

    hand: str
    fault: Fault
    reason: str


MachineEffect: TypeAlias = (
    DiceThrown
    | MachineChanged
    | FaultReported
    | FaultRepeated
    | FaultGone
    | CycleMeasured
    | CycleReopened
    | CycleWentOn
    | LiftPlaced
    | PlayInDoubt
    | SendToTable
    | Ignored
    | Refused
)
