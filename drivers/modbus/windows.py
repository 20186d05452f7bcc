"""When a value can have been sampled: between asking for it and its arrival.

Where bytes surely take their time on the wire, the device looked after the whole of the request and
before the first byte of its reply (docs/adr/0036).
"""

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

    def without(self, request: timedelta, reply: timedelta) -> "Window | None":
        """Leave out the times that the request, and then the reply, surely were on the wire.

        None where there was no time for both: bytes do not take that long there.
        """
        asked, arrived = self.asked + request, self.arrived - reply
        return Window(asked, arrived) if asked <= arrived else None


def between(before: Window, after: Window, lag: timedelta, quality: Quality) -> Interval:
    """Return when something happened that `before` does not show and `after` does.

    `lag` is how long the device may take to show it: debounce, filter, a gesture told late.
    """
    return Interval(before.asked - lag, after.arrived, quality)
