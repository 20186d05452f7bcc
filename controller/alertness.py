"""Whether this process stood still: frozen, swapped out, or on a machine that slept.

What waited in a socket meanwhile looks fresh when it is read; nothing but the gap in our own time
tells that it is not.
"""

from datetime import timedelta

from controller.clock import Clock
from table.moment import ZERO

TICK = timedelta(milliseconds=250)
NOTED = timedelta(seconds=1)
"""A shorter standstill is a busy machine (house choice)."""
AFTERWARDS = timedelta(seconds=1)
"""What is read for so long after a standstill may have waited through it (house choice)."""


class Alertness:
    """Measures the standstills of this process against a clock that does not stand still."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._due = clock.now() + TICK
        self._slept = ZERO
        self._until = clock.now()

    async def run(self) -> None:
        """Tick for ever, and notice when a tick came late."""
        while True:
            await self._clock.sleep_until(self._due)
            now = self._clock.now()
            if (late := now - self._due) > NOTED:
                self._slept, self._until = late, now + AFTERWARDS
            self._due = now + TICK

    @property
    def slept(self) -> timedelta:
        """How long something that is read now may have waited unread; zero for the usual moment."""
        now = self._clock.now()
        if (overdue := now - self._due) > NOTED:
            return overdue
        return self._slept if now <= self._until else ZERO
