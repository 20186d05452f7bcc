"""Press counters of Wiren Board: single, long, double and short-long presses of one input.

A single press is only known when no second one follows in time: its counter is late by that time.

Source: wirenboard/wb-mqtt-serial, templates/config-wb-mcm8.json.jinja (parameters of the inputs).
"""

from enum import Enum, auto

from simulator.modbus_cells import Register
from simulator.modbus_contacts import SHORT, Turned
from table.moment import MILLISECOND, Moment


class Press(Enum):
    """What is counted."""

    SINGLE = auto()
    LONG = auto()
    DOUBLE = auto()
    SHORT_LONG = auto()


class Presses:
    """Counts the presses of one input while its mode asks for it."""

    def __init__(self, mode: Register, hold: Register, wait: Register) -> None:
        self._mode = mode
        self._hold = hold
        self._wait = wait
        self.counts = dict.fromkeys(Press, 0)
        self._long_at: Moment | None = None
        self._single_at: Moment | None = None
        self._second = False

    def approach_wrap(self, counts: int) -> None:
        """Let the counters stand so many counts before they begin at 0 again."""
        self.counts = dict.fromkeys(Press, SHORT - counts)

    def hear(self, turned: Turned) -> None:
        """Take a level of the input."""
        if not self._mode.value:
            self._forget()
        elif turned.level:
            self._second, self._single_at = self._single_at is not None, None
            self._long_at = turned.at + self._hold.value * MILLISECOND
        elif self._long_at:
            self._long_at = None
            self._released(turned.at)

    def heard(self, now: Moment) -> None:
        """Care nothing about hosts."""

    def restart(self, at: Moment) -> None:  # noqa: ARG002 -- a mechanism of a module
        """Start anew."""
        self.counts = dict.fromkeys(Press, 0)
        self._forget()

    def wake_at(self) -> Moment | None:
        """Say when a press becomes a long one or turns out to be a single one."""
        return self._long_at or self._single_at

    def pass_time(self, now: Moment) -> None:
        """Count what is known by now."""
        if self._long_at and self._long_at <= now:
            self._long_at = None
            self._count(Press.SHORT_LONG if self._second else Press.LONG)
        if self._single_at and self._single_at <= now:
            self._single_at = None
            self._count(Press.SINGLE)

    def _released(self, at: Moment) -> None:
        if self._second:
            self._count(Press.DOUBLE)
        elif self._wait.value:
            self._single_at = at + self._wait.value * MILLISECOND
        else:
            self._count(Press.SINGLE)

    def _count(self, press: Press) -> None:
        self.counts[press] = (self.counts[press] + 1) % SHORT

    def _forget(self) -> None:
        self._long_at = self._single_at = None
        self._second = False
