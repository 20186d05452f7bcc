"""What is written to a module at connect, in order, each looked at before and after.

A write that the module already holds is left out, which spares its memory and makes a second
connect change nothing. A module that holds something else after its write is not used.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, auto
from typing import Self

from drivers.modbus.images import Misread, raw, taken
from drivers.modbus.master_answers import Exchange, Replied
from drivers.modbus.profile import Profile
from drivers.modbus.profile_layout import InitialWrite, Layout, channels
from drivers.modbus.profile_words import Access, FedBy
from drivers.modbus.reads import alone
from drivers.modbus.requests import Read, Request, Write
from drivers.modbus.writes import written

FEEDS = 3
"""A host-loss timer is fed so many times before it could run out. House choice: two may be lost."""


class _Stage(Enum):
    LOOK = auto()
    WRITE = auto()
    CHECK = auto()


@dataclass(frozen=True, slots=True)
class Init:
    """How far the first writes of a module have come."""

    writes: tuple[InitialWrite, ...]
    place: int = 0
    looked: bool = False
    """It was read and holds another value."""
    wrote: bool = False
    failure: str = ""
    """Why the module must not be used; empty as long as nothing speaks against it."""

    @property
    def due(self) -> Request | None:
        """What to ask next; None when all is written or it has failed."""
        if self.failure or self.place == len(self.writes):
            return None
        step = self.writes[self.place]
        if self._stage(step) is _Stage.WRITE:
            return written(step.point, step.value)
        return alone(step.point)

    def heard(self, exchange: Exchange) -> Self:
        """Take what came of the request that was due."""
        if self.due is None:
            return self
        step, answer = self.writes[self.place], exchange.answer
        if not isinstance(answer, Replied):
            return replace(self, failure=f"{_named(step)}: {answer.reason}")
        if isinstance(exchange.request, Write):
            return replace(self, wrote=True) if step.read_back else self._next()
        return self._read(step, exchange.request, exchange)

    def _stage(self, step: InitialWrite) -> _Stage:
        if self.wrote:
            return _Stage.CHECK
        return _Stage.LOOK if step.only_if_different and not self.looked else _Stage.WRITE

    def _read(self, step: InitialWrite, read: Read, exchange: Exchange) -> Self:
        values = exchange.answer.values if isinstance(exchange.answer, Replied) else ()
        part = taken(read, values, exchange.window)
        if isinstance(part, Misread):
            return replace(self, failure=f"{_named(step)}: {part.reason}")
        held = raw(part, step.point)
        if held == step.value:
            return self._next()
        if self.wrote:
            wrong = f"{_named(step)}: it holds {held} after {step.value} was written"
            return replace(self, failure=wrong)
        return replace(self, looked=True)

    def _next(self) -> Self:
        return replace(self, place=self.place + 1, looked=False, wrote=False)


def first_writes(profile: Profile, layout: Layout) -> Init:
    """Return what a module is to be told at connect: its own list, then how outputs fall off."""
    writes = (*layout.init, *_failsafe(profile, layout))
    for step in writes:
        if written(step.point, step.value) is None:
            return Init(writes, failure=f"{_named(step)}: it cannot be written by itself")
    return Init(writes)


@dataclass(frozen=True, slots=True)
class Feeding:
    """What keeps the host-loss timer of a module from running out."""

    write: Write
    every: timedelta


def feeding(profile: Profile, layout: Layout) -> Feeding | None:
    """Return what must be written again and again; None where sampling is enough, or no timer is.

    Where no paper says what feeds the timer, it is written.
    """
    safe = profile.failsafe
    if safe is None or safe.fed_by is FedBy.ANY_REQUEST:
        return None
    write = written(layout.points[safe.timer], safe.wanted // safe.unit)
    return None if write is None else Feeding(write, safe.wanted / FEEDS)


def _failsafe(profile: Profile, layout: Layout) -> tuple[InitialWrite, ...]:
    """Return the states that outputs fall into, then the timer that makes them."""
    safe = profile.failsafe
    if safe is None:
        return ()
    states = [] if safe.states is None else channels(profile, safe.states)
    return (
        *(_kept(layout, name, safe.off_value) for name in states),
        _kept(layout, safe.timer, safe.wanted // safe.unit),
    )


def _kept(layout: Layout, name: str, value: int) -> InitialWrite:
    point = layout.points[name]
    seen = point.access is not Access.WRITE
    return InitialWrite("failsafe", point, value, read_back=seen, only_if_different=seen)


def _named(step: InitialWrite) -> str:
    return f"{step.step}: {step.point.name}"
