"""A lamp or switch of the machine, without its flicker.

Ready lamps may be driven in pulses, so that a tap on one sees it dark again and again (hardware
facts, 5.5). Lit is what was seen lit again and again, dark is what was not seen lit for a while.
"""

from dataclasses import dataclass, replace
from datetime import timedelta

from drivers.modbus.presses import Turned
from drivers.modbus.windows import Window, between
from table.moment import Interval, Quality

SMOOTHING = timedelta(milliseconds=200)
"""Dark for less is flicker. House choice: ten times the 20 ms of one mains period."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp as its samples showed it so far."""

    lit: bool
    last_lit: Window | None = None
    """The newest sample that showed it lit."""
    rising: Turned | None = None
    """The first sample of a lighting that may yet be a spike."""

    def seen(
        self, before: Window, now: Window, smoothing: timedelta, *, lit: bool
    ) -> tuple["Lamp", Interval | None]:
        """Take a sample; return the interval of the change, if the lamp has surely changed."""
        if self.lit:
            return self._while_lit(now, smoothing, lit=lit)
        dark_long = self.last_lit is None or now.surely_after(self.last_lit) >= smoothing
        if not lit:
            return (replace(self, rising=None) if dark_long else self), None
        first = Turned(now, between(before, now, smoothing, Quality.POLLED))
        rising = self.rising or first
        if now.surely_after(rising.first) < smoothing:
            return Lamp(lit=False, last_lit=now, rising=rising), None
        return Lamp(lit=True, last_lit=now), rising.when

    def _while_lit(
        self, now: Window, smoothing: timedelta, *, lit: bool
    ) -> tuple["Lamp", Interval | None]:
        if lit or self.last_lit is None:
            return replace(self, last_lit=now), None
        if now.surely_after(self.last_lit) < smoothing:
            return self, None
        gone = Interval(self.last_lit.asked, now.arrived, Quality.POLLED)
        return Lamp(lit=False, last_lit=self.last_lit), gone


def first_seen(now: Window, *, lit: bool) -> Lamp:
    """Return the lamp that begins with a sample."""
    return Lamp(lit=lit, last_lit=now if lit else None)
