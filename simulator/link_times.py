"""The times of the wire, which do not run faster when play does (docs/table-link.md)."""

from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import Self


@dataclass(frozen=True, slots=True)
class LinkTimes:
    """How long the box waits for what, in device time."""

    heartbeat: timedelta = timedelta(milliseconds=250)
    """A box that has been silent for so long sends one."""
    state: timedelta = timedelta(seconds=5)
    host_lost: timedelta = timedelta(seconds=2)
    resend: tuple[timedelta, ...] = (
        timedelta(milliseconds=50),
        timedelta(milliseconds=100),
        timedelta(milliseconds=200),
    )
    """Waits before the first, the second and every later sending again."""
    news: timedelta = timedelta(seconds=1)
    """A running command is told of at least so often."""
    settled: timedelta = timedelta(seconds=1)
    """From the moment a host follows the table until people begin to play."""

    @classmethod
    def at(cls, speed: Fraction) -> Self:
        """Return the device times that take as long as ever where play runs `speed` times as fast.

        The host on the other end is a real one, and its own times are real.
        """
        plain = cls()
        return cls(
            _stretched(plain.heartbeat, speed),
            _stretched(plain.state, speed),
            _stretched(plain.host_lost, speed),
            tuple(_stretched(wait, speed) for wait in plain.resend),
            _stretched(plain.news, speed),
            _stretched(plain.settled, speed),
        )


def _stretched(span: timedelta, speed: Fraction) -> timedelta:
    return span * speed.numerator // speed.denominator


REAL = LinkTimes()
