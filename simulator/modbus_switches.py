"""An output of a module: switched by the host, or for a time that the module keeps itself."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import count, islice
from typing import TypeAlias

from table.moment import Moment

Step: TypeAlias = tuple[Moment, bool]
"""When an output is to be on or off."""


@dataclass(frozen=True, slots=True)
class Switched:
    """An output that went on or off."""

    at: Moment
    channel: int
    on: bool


class Switch:
    """One output; a new order ends what an older one has left to do."""

    def __init__(self, channel: int) -> None:
        self._channel = channel
        self._steps: Iterator[Step] = iter(())
        self._next: Step | None = None
        self._untold: list[Switched] = []
        self.on = False

    def turn(self, at: Moment, *, on: bool) -> None:
        """Switch, and forget what was planned."""
        self._follow(())
        self._go(at, on=on)

    def turn_later(self, at: Moment, *, on: bool) -> None:
        """Stay as it is until then."""
        self._follow([(at, on)])

    def flip(self, at: Moment) -> None:
        """Switch to the other state."""
        self.turn(at, on=not self.on)

    def pulse(self, at: Moment, span: timedelta, *, on: bool) -> None:
        """Switch, and back after a time."""
        self._go(at, on=on)
        self._follow([(at + span, not on)])

    def train(self, high: timedelta, low: timedelta, pulses: int | None, at: Moment) -> None:
        """Give so many pulses, or pulses without end; each begins with the time it is on."""
        self._follow(islice(_pulses(high, low, at), pulses and pulses * 2))
        self.pass_time(at)

    def wake_at(self) -> Moment | None:
        """Say when the output switches by itself."""
        return self._next and self._next[0]

    def pass_time(self, now: Moment) -> None:
        """Do what is planned until now."""
        while self._next and self._next[0] <= now:
            at, on = self._next
            self._next = next(self._steps, None)
            self._go(at, on=on)

    def told(self) -> list[Switched]:
        """Return the changes since this was last asked, in order."""
        told, self._untold = self._untold, []
        return told

    def _follow(self, steps: Iterable[Step]) -> None:
        self._steps = iter(steps)
        self._next = next(self._steps, None)

    def _go(self, at: Moment, *, on: bool) -> None:
        if on != self.on:
            self.on = on
            self._untold.append(Switched(at, self._channel, on))


def _pulses(high: timedelta, low: timedelta, at: Moment) -> Iterator[Step]:
    for number in count():
        begins = at + (high + low) * number
        yield begins, True
        yield begins + high, False
