"""The mechanics of an automatic table: shuffling, lifting, dice, and what jams them.

Two sets of tiles: while one is played, the other is shuffled and stacked inside the table.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from random import Random
from typing import TypeAlias

from table.events import (
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
from table.moment import Moment


class Motion(Enum):
    """What the motors can be doing."""

    CYCLE = auto()
    LIFT = auto()
    DICE = auto()


class _Trouble(Enum):
    JAM = auto()
    REPAIR = auto()


class Hindrance(Enum):
    """Why a motion cannot begin."""

    BUSY = auto()
    INTERLOCK = auto()
    FAULT = auto()


_Step: TypeAlias = Motion | _Trouble

SPANS_MS: dict[_Step, tuple[int, int]] = {
    Motion.CYCLE: (18_000, 35_000),
    Motion.LIFT: (3_000, 4_500),
    Motion.DICE: (1_800, 3_000),
    _Trouble.JAM: (4_000, 15_000),
    _Trouble.REPAIR: (12_000, 40_000),
}
"""How long each takes, at least and at most; the cycle is that of a table with four ports."""


@dataclass(frozen=True, slots=True)
class Happened:
    """What the machine did; `ends` are the motions that are over, `well` whether they worked."""

    at: Moment
    event: MachineEvent
    ends: tuple[Motion, ...] = ()
    well: bool = True


class Machine:
    """One table's machine, at first with a wall stacked inside."""

    def __init__(self, random: Random, *, jam_percent: int = 0) -> None:
        self._random = random
        self._jam_percent = jam_percent
        self._due: dict[_Step, Moment] = {}
        self._program: list[Motion] = []
        self._untold: list[Happened] = []
        self.cycling = False
        self.wall_ready = True
        self.wall_raised = False
        self._left: timedelta | None = None
        self.faults: frozenset[Fault] = frozenset()

    @property
    def reopened(self) -> bool:
        """Whether the cycle is paused and the table is open."""
        return self._left is not None

    def hindrance(self, motion: Motion) -> Hindrance | None:
        """Say what keeps a motion from beginning, if anything does."""
        if motion in self._due or (motion is Motion.CYCLE and self.reopened):
            return Hindrance.BUSY
        if motion is Motion.DICE:
            return None
        if self.faults:
            return Hindrance.FAULT
        moving = self.reopened or Motion.CYCLE in self._due or Motion.LIFT in self._due
        if moving or (motion is Motion.LIFT and not self.wall_ready):
            return Hindrance.INTERLOCK
        return None

    def begin(self, motion: Motion, now: Moment) -> None:
        """Begin a motion that nothing hinders."""
        self._due[motion] = now + self._span(motion)
        if motion is Motion.CYCLE:
            if self._random.randrange(100) < self._jam_percent:
                self._due[_Trouble.JAM] = now + self._span(_Trouble.JAM)
            self._tell(Happened(now, CycleStarted()))

    def open_up(self, now: Moment) -> Hindrance | None:
        """Pause the running cycle and open the table, or say what hinders it."""
        if Motion.CYCLE not in self._due:
            return Hindrance.INTERLOCK
        self._left = self._due.pop(Motion.CYCLE) - now
        self._due.pop(_Trouble.JAM, None)
        self._tell(Happened(now, CyclePaused()))
        return None

    def close_up(self, now: Moment) -> Hindrance | None:
        """Close the table again and let the cycle go on, or say what hinders it."""
        if self._left is None:
            return Hindrance.INTERLOCK
        self._due[Motion.CYCLE] = now + self._left
        self._left = None
        self._tell(Happened(now, CycleResumed()))
        return None

    def push_start(self, now: Moment) -> None:
        """Push the start key: raise the wall once it is ready, then shuffle the other set."""
        self.wall_raised = False
        self._program = [Motion.LIFT, Motion.CYCLE]
        if not (self.wall_ready or self.cycling or self.faults):
            self._program.insert(0, Motion.CYCLE)
        self._go_on(now)

    def stop(self, now: Moment) -> None:
        """Stop every motor at once."""
        self._program = []
        if stopped := self._halt():
            self._tell(Happened(now, MachineStopped(), stopped, well=False))

    def report(self, event: MachineEvent, now: Moment) -> None:
        """Have the machine say this, as a written hand wants it."""
        broken = isinstance(event, FaultRaised | MachineStopped)
        self._tell(Happened(now, event, self._halt() if broken else (), well=not broken))

    def told(self) -> list[Happened]:
        """Return what happened since this was last asked, in order."""
        told, self._untold = self._untold, []
        return told

    def wake_at(self) -> Moment | None:
        """Say when the machine does something next by itself."""
        return min(self._due.values(), default=None)

    def pass_time(self, now: Moment) -> None:
        """Let everything happen that is due, in order."""
        while self._due and (at := min(self._due.values())) <= now:
            step = min(self._due, key=lambda step: self._due[step])
            del self._due[step]
            self._end(step, at)
            self._go_on(at)

    def _end(self, step: _Step, at: Moment) -> None:
        match step:
            case Motion.CYCLE:
                self._tell(Happened(at, WallReady(), (step,)))
            case Motion.LIFT:
                self._tell(Happened(at, WallRaised(), (step,)))
            case Motion.DICE:
                self._tell(Happened(at, DiceRolled(), (step,)))
            case _Trouble.JAM:
                self._due[_Trouble.REPAIR] = at + self._span(_Trouble.REPAIR)
                self.report(FaultRaised(Fault.TILE_JAM), at)
            case _Trouble.REPAIR:
                self._tell(Happened(at, FaultCleared(Fault.TILE_JAM)))
                self.begin(Motion.CYCLE, at)

    def _go_on(self, at: Moment) -> None:
        if self._program and self.hindrance(self._program[0]) is None:
            self.begin(self._program.pop(0), at)

    def _halt(self) -> tuple[Motion, ...]:
        paused = (Motion.CYCLE,) if self.reopened else ()
        stopped = (*paused, *(step for step in self._due if isinstance(step, Motion)))
        self._left = None
        self._due = {step: at for step, at in self._due.items() if step is _Trouble.REPAIR}
        return stopped

    def _tell(self, happened: Happened) -> None:
        """Say what happened, and keep the machine's picture of itself in step with it."""
        self._untold.append(happened)
        match happened.event:
            case CycleStarted():
                self.cycling, self.wall_ready = True, False
            case WallReady():
                self.cycling, self.wall_ready = False, True
            case WallRaised():
                self.wall_ready, self.wall_raised = False, True
            case MachineStopped():
                self.cycling = False
            case FaultRaised(fault):
                self.cycling, self.faults = False, self.faults | {fault}
            case FaultCleared(fault):
                self.faults -= {fault}
            case DiceRolled() | CyclePaused() | CycleResumed() | LiftSensed():
                pass

    def _span(self, step: _Step) -> timedelta:
        return timedelta(milliseconds=self._random.randint(*SPANS_MS[step]))
