"""Keeps asking the box for its time, and what the answers prove."""

from collections import deque

from drivers.table_link import dialect
from drivers.table_link.clock_fit import ClockFit, DeviceClock, Exchange
from drivers.table_link.frames import Frame
from drivers.table_link.messages import Hello, Sync, SyncEcho
from table.moment import Moment

_WRAP = 2**32
_ON_THE_WAY = 8
"""Questions remembered; an echo of an older one would prove nothing useful any more."""


class Syncs:
    """The clock of one boot, known by its HELLO."""

    def __init__(self, hello: Hello, frame: Frame) -> None:
        self._boot = hello.boot
        reading = hello.wraps * _WRAP + frame.time
        self.clock = DeviceClock(dialect.clock_name(hello), hello.resolution_us, reading)
        self.fit: ClockFit | None = None
        self._asked: deque[int] = deque(maxlen=_ON_THE_WAY)

    def ask(self, now: Moment) -> Sync:
        """Return the question to send at once."""
        self._asked.append(now.micros)
        return Sync(now.micros)

    def take(self, echo: SyncEcho, now: Moment) -> bool:
        """Take an answer; False where it is none to a question of ours."""
        if echo.boot != self._boot or echo.asked_us not in self._asked:
            return False
        self._asked.remove(echo.asked_us)
        clock = self.fit.clock if self.fit else self.clock
        heard, told = clock.extended(echo.heard_ms), clock.extended(echo.told_ms)
        exchange = Exchange(echo.asked_us, heard, told, now.micros)
        self.fit = self.fit.after(exchange) if self.fit else ClockFit.begin(clock, exchange)
        return True
