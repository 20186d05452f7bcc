"""An input of a module: its contact, the level behind its filter, its counter and its latch."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from table.moment import ZERO, Moment

LONG = 2**32
SHORT = 2**16


@dataclass(frozen=True, slots=True)
class Turned:
    """An input whose level changed."""

    level: bool
    at: Moment


Hearer: TypeAlias = Callable[[Turned], None]


class Contact:
    """One input; a change counts once it has lasted for the debounce time."""

    def __init__(self, debounce: timedelta = ZERO, wrap: int = LONG) -> None:
        self._wrap = wrap
        self._settles: Moment | None = None
        self._hearers: list[Hearer] = []
        self._counters: list[Callable[[int], None]] = []
        self.debounce = debounce
        self.closed = False
        """What the wire says."""
        self.level = False
        """What the module says."""
        self.count = 0
        self.counting = True
        self.overflown = False
        self.latched = False
        self.looks = 0
        """How often somebody has read this input since the module was made."""

    def tell(self, hearer: Hearer) -> None:
        """Have somebody told of each new level."""
        self._hearers.append(hearer)

    def counts_also(self, approach_wrap: Callable[[int], None]) -> None:
        """Have another counter of this input follow when counters are to wrap."""
        self._counters.append(approach_wrap)

    def look(self) -> bool:
        """Return the level to a host."""
        self.looks += 1
        return self.level

    def counted(self) -> int:
        """Return the counter to a host."""
        self.looks += 1
        return self.count

    def caught(self) -> bool:
        """Return the latch to a host."""
        self.looks += 1
        return self.latched

    def touch(self, at: Moment, *, closed: bool) -> None:
        """Close or open the contact."""
        if closed == self.closed:
            return
        self.closed = closed
        if closed == self.level:
            self._settles = None
        elif self.debounce:
            self._settles = at + self.debounce
        else:
            self._turn(at)

    def wake_at(self) -> Moment | None:
        """Say when a new level counts."""
        return self._settles

    def pass_time(self, now: Moment) -> None:
        """Let a new level count that has lasted long enough."""
        if self._settles and self._settles <= now:
            self._turn(self._settles)

    def approach_wrap(self, counts: int) -> None:
        """Let the counters stand so many counts before they begin at 0 again."""
        self.count = self._wrap - counts
        for approach_wrap in self._counters:
            approach_wrap(counts)

    def restart(self) -> None:
        """Start anew: nothing counted or caught, the level as the wire has it."""
        self._settles = None
        self.level = self.closed
        self.count, self.overflown, self.latched = 0, False, False

    def _turn(self, at: Moment) -> None:
        self._settles = None
        self.level = self.closed
        if self.level:
            self.latched = True
            if self.counting:
                self.count = (self.count + 1) % self._wrap
                self.overflown |= self.count == 0
        for hear in self._hearers:
            hear(Turned(self.level, at))
