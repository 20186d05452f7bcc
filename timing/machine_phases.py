"""The state of a table's machine: one frozen value for each phase."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from table.abilities import EVERY, Abilities, LiftAt
from table.events import Fault
from table.faults import Severity, nature
from table.moment import Interval, Moment
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
    started: Interval | None = None
    """When the machine said that it began; None where its length cannot be measured."""
    disturbed: bool = False
    """A fault came while it ran."""
    reopened: bool = False
    """It is paused and the table is open."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The next wall is stacked inside the machine."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The wall stands on the table."""


SoundPhase: TypeAlias = Empty | Cycling | Ready | Raised


@dataclass(frozen=True, slots=True)
class StandingFault:
    """A fault that the machine reported and has not taken back."""

    fault: Fault
    code: int = 0
    """The machine's own; unknown faults are told apart by it."""
    severity: Severity = Severity.HINDRANCE
    text: str = ""
    """What its maker calls it."""
    times: int = 1
    """How often it was reported since it came."""

    @property
    def unfair(self) -> str:
        """Why no hand should be played while it stands; empty where play stays fair."""
        return nature(self.fault).unfair


@dataclass(frozen=True, slots=True)
class Faulty:
    """The machine has faults; phase name `fault`."""

    faults: tuple[StandingFault, ...]
    """In the order in which they were reported."""
    beneath: SoundPhase
    """The phase apart from the faults."""


MachinePhase: TypeAlias = SoundPhase | Faulty


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine's phase and how often it changed."""

    phase: MachinePhase = field(default_factory=Empty)
    seq: int = 0
    """Counts what motor orders rest on, of which it is the precondition: changes of phase, a cycle
    reopened or going on, and what is known of the lift."""
    throws: tuple[Throw | None, ...] = ()
    """Every throw since the wall was raised; None for one that nobody read."""
    last: Moment | None = None
    """The last moment handled."""
    abilities: Abilities = EVERY
    """What it can be told, as its link said last."""
    lift: LiftAt | None = None
    """Where the lift stands if it toggles; None where nobody knows."""

    @property
    def dice(self) -> Throw | None:
        """The newest throw since the wall was raised; None where it is unknown."""
        return self.throws[-1] if self.throws else None

    @property
    def phase_name(self) -> str:
        """The phase as it is published: empty, cycling, ready, raised or fault."""
        return "fault" if isinstance(self.phase, Faulty) else type(self.phase).__name__.lower()

    @property
    def standing(self) -> tuple[StandingFault, ...]:
        """The faults that stand, in the order in which they were reported."""
        return self.phase.faults if isinstance(self.phase, Faulty) else ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The kinds of the faults that stand, each once."""
        return tuple(dict.fromkeys(one.fault for one in self.standing))

    @property
    def unfair(self) -> tuple[StandingFault, ...]:
        """The faults that stand and make play unfair."""
        return tuple(one for one in self.standing if one.unfair)

    @property
    def beneath(self) -> SoundPhase:
        """The phase apart from the faults."""
        return self.phase.beneath if isinstance(self.phase, Faulty) else self.phase


@dataclass(frozen=True, slots=True)
class Step:
    """The state after a stimulus, and what follows from it, in order."""

    state: Machine
    effects: tuple[MachineEffect, ...] = ()

    def then(self, follow: "Callable[[Machine], Step]") -> "Step":
        """Let another step follow on the state reached."""
        following = follow(self.state)
        return Step(following.state, self.effects + following.effects)
