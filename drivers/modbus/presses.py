"""What two samples of a level, a latch or a counter tell of presses.

Each finds its presses by another trace that they leave; all give the number of presses, and the
interval that holds each one of them.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, auto

from drivers.modbus.profile_words import Clearing, Reboot
from drivers.modbus.windows import Window, between
from table.moment import MILLISECOND, Interval, Quality

QUICKEST = timedelta(milliseconds=50)
"""No hand presses one button twice within it. House choice: 20 presses a second."""


@dataclass(frozen=True, slots=True)
class Restart:
    """The module lost its count: it was without power. Nothing is charged for what it missed."""


@dataclass(frozen=True, slots=True)
class Jump:
    """A count went further than any hand can press; it is taken anew and says nothing."""

    reason: str


@dataclass(frozen=True, slots=True)
class Stuck:
    """An input that nobody lets go any more; what it says next counts again."""

    reason: str


@dataclass(frozen=True, slots=True)
class Turned:
    """A level that changed in samples too close together to exclude a bounce."""

    first: Window
    """The first sample that shows it."""
    when: Interval


@dataclass(frozen=True, slots=True)
class Level:
    """A level without its bounces."""

    down: bool
    since: Window
    """The first sample that showed it."""
    doubt: Turned | None = None
    """A change that may yet be a bounce."""

    @property
    def at_rest(self) -> bool:
        """Whether the same sample again would change nothing."""
        return self.doubt is None

    def seen(
        self, before: Window, now: Window, debounce: timedelta, *, down: bool
    ) -> tuple["Level", Interval | None]:
        """Take a sample; return the interval of the change, if the level has surely changed.

        A contact bounces for `debounce` after it changed. A change that may lie within that is
        kept until a later sample makes sure of it, and then has the interval it was seen in.
        """
        if down is self.down:
            return replace(self, doubt=None), None
        turn = self.doubt or Turned(now, between(before, now, debounce, Quality.POLLED))
        if now.surely_after(self.since) < debounce:
            return replace(self, doubt=turn), None
        return Level(down, turn.first), turn.when


@dataclass(frozen=True, slots=True)
class Latch:
    """A bit that stays set from a press until it is cleared."""

    armed: bool = False
    """Whether it is known to have been clear, so that being set means a press."""
    cleared: Window | None = None
    """The write that cleared it; None where the last sample itself showed it clear."""

    @property
    def at_rest(self) -> bool:
        """Whether the same sample again would change nothing."""
        return self.armed and self.cleared is None

    def seen(
        self, before: Window, now: Window, lag: timedelta, *, is_set: bool
    ) -> tuple["Latch", Interval | None]:
        """Take a sample; return the interval of the press that set the latch, if one surely did.

        Whoever keeps it clears it whenever it is not `armed` afterwards. A sample that may have
        been taken before the latch was cleared, and only came after, says nothing.
        """
        if not is_set:
            return Latch(armed=True), None
        looked_before = self.cleared and now.asked < self.cleared.arrived
        if not self.armed or looked_before:
            return self, None
        clear = self.cleared or before
        return Latch(), between(clear, now, lag, Quality.LATCHED)


class Trend(Enum):
    """What a count says of whether its module was without power between two samples."""

    UNTOLD = auto()
    STOOD = auto()
    """It had counted, and went on from there: there was power."""
    FELL = auto()
    """It wrapped, or was set back."""


@dataclass(frozen=True, slots=True)
class Counter:
    """How a counter counts."""

    wrap: int
    """It goes from this minus one to 0."""
    clear: Clearing = Clearing.NEVER
    reboot: Reboot = Reboot.UNKNOWN

    def trend(self, old: int, new: int) -> Trend:
        """Return what two values say; nothing where they are the same with and without power."""
        if self.clear is Clearing.BY_READING or self.reboot is Reboot.KEPT or not old:
            return Trend.UNTOLD
        return Trend.FELL if new < old else Trend.STOOD


def counted(counter: Counter, old: int, new: int, longest: timedelta) -> int | Restart | Jump:
    """Return how many presses lie between two values that are at most `longest` apart.

    A wrap is told from a loss of power by what a hand can do in that time.
    """
    most = longest // QUICKEST + 2
    presses = new if counter.clear is Clearing.BY_READING else (new - old) % counter.wrap
    if presses <= most:
        return presses
    if new < old and new <= most and counter.reboot is not Reboot.KEPT:
        return Restart()
    return Jump(f"from {old} to {new} in {longest // MILLISECOND} ms")
