"""The only place of the daemon that reads a clock."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Protocol

from table.moment import MICROSECOND, ZERO, Moment


class Clock(Protocol):
    """Tells the time and wakes sleepers; the shell reads time through nothing else."""

    def now(self) -> Moment:
        """Read the monotonic clock."""

    def utc(self) -> datetime:
        """Read the wall clock, aware, in UTC."""

    async def sleep_until(self, moment: Moment) -> None:
        """Return once `now()` has reached the moment, never before it."""


class MonotonicClock:
    """The machine's own clock."""

    def now(self) -> Moment:
        """Read the monotonic clock."""
        return Moment(time.monotonic_ns() // 1000)  # noqa: TID251 - this is the one place

    def utc(self) -> datetime:
        """Read the wall clock, aware, in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - this is the one place

    async def sleep_until(self, moment: Moment) -> None:
        """Return once `now()` has reached the moment, never before it.

        A timer of the event loop may fire early (uvloop counts whole milliseconds), so the clock
        is asked again after each.
        """
        if (rest := moment - self.now()) > ZERO:
            await asyncio.sleep(rest.total_seconds())
            await self.sleep_until(moment)


class ScaledClock:
    """A clock that runs `speed` times as fast as another, for simulations and rehearsals only."""

    def __init__(self, speed: float, real: Clock | None = None) -> None:
        if speed <= 0:
            message = f"speed {speed} must be greater than 0"
            raise ValueError(message)
        self._speed = Fraction(speed)
        self._real: Clock = real or MonotonicClock()
        self._start = self._real.now()
        self._utc = self._real.utc()

    def now(self) -> Moment:
        """Read the scaled clock; it agreed with the real one when it was made."""
        return self._start + self._elapsed()

    def utc(self) -> datetime:
        """Read the wall clock, run forward at the same speed."""
        return self._utc + self._elapsed()

    async def sleep_until(self, moment: Moment) -> None:
        """Return once `now()` has reached the moment, never before it."""
        scaled = (moment - self._start) // MICROSECOND
        real_micros = -int(-scaled // self._speed)
        await self._real.sleep_until(self._start + timedelta(microseconds=real_micros))

    def _elapsed(self) -> timedelta:
        real_micros = (self._real.now() - self._start) // MICROSECOND
        return timedelta(microseconds=int(real_micros * self._speed))
