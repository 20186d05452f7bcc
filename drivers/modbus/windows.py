"""When a value can have been sampled: between asking for it and its arrival."""

from dataclasses import dataclass
from datetime import timedelta

from table.moment import Interval, Moment, Quality


@dataclass(frozen=True, slots=True)
class Window:
    """The time of one request: the device looked at its inputs somewhere inside it."""

    asked: Moment
    arrived: Moment

    def surely_after(self, earlier: "Window") -> timedelta:
        """Return the least time between the earlier look and this one; may be negative."""
        return self.asked - earlier.arrived

    def at_most_after(self, earlier: "Window") -> timedelta:
        """Return the most time between the earlier look and this one."""
        return self.arrived - earlier.asked


def between(before: Window, after: Window, lag: timedelta, quality: Quality) -> Interval:
    """Return when something happened that `before` does not show and `after` does.

    `lag` is how long the device may take to show it: debounce, filter, a gesture told late.
    """
    return Interval(before.asked - lag, after.arrived, quality)
