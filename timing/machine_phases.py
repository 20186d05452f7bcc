"""The state of a table's machine: one frozen value for each phase."""

from dataclasses import dataclass, field
from typing import TypeAlias

from table.events import Fault
from table.moment import Moment
from timing.machine_effects import MachineEffect
from timing.wall import Throw


@dataclass(frozen=True, slots=True)
class Empty:
    """No next wall is stacked, as far as we know."""


@dataclass(frozen=True, slots=True)
class Cycling:
    """The machine shuffles and stacks the next wall."""

    since: Moment | None
    """None where the beginning means nothing any more: the cycle is then not timed."""
    slow: bool = False
    """Staff were told that it takes too long."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The next wall is stacked inside the machine."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The wall stands on the table."""


SoundPhase: TypeAlias = Empty | Cycling | Ready | Raised


@dataclass(frozen=True, slots=True)
class Faulty:
    """The machine has faults; phase name `fault`."""

    faults: tuple[Fault, ...]
    """In the order in which they were reported."""
    beneath: SoundPhase
    """The phase apart from the faults."""


MachinePhase: TypeAlias = SoundPhase | Faulty


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine's phase and how often it changed."""

    phase: MachinePhase = field(default_factory=Empty)
    seq: int = 0
    """Counts changes of phase; the precondition of motor orders."""
    throws: tuple[Throw | None, ...] = ()
    """Every throw since the wall was raised; None for one that nobody read."""
    last: Moment | None = None
    """The last moment handled."""

    @property
    def dice(self) -> Throw | None:
        """The newest throw since the wall was raised; None where it is unknown."""
        return self.throws[-1] if self.throws else None

    @property
    def phase_name(self) -> str:
        """The phase as it is published: empty, cycling, ready, raised or fault."""
        return "fault" if isinstance(self.phase, Faulty) else type(self.phase).__name__.lower()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that stand."""
        return self.phase.faults if isinstance(self.phase, Faulty) else ()


@dataclass(frozen=True, slots=True)
class Step:
    """The state after a stimulus, and what follows from it, in order."""

    state: Machine
    effects: tuple[MachineEffect, ...] = ()
