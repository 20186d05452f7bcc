"""The one policy for trying again, for ports and brokers alike; pure (docs/adr/0005)."""

from dataclasses import dataclass
from datetime import timedelta
from zlib import crc32

from table.moment import ZERO

FIRST = timedelta(milliseconds=250)
"""Before the second attempt (docs/adr/0005)."""
LONGEST = timedelta(seconds=15)
"""However long the outage: whoever plugs a cable in waits no longer (docs/adr/0005)."""
STABLE = timedelta(seconds=10)
"""A connection that lasted this long has proved itself (docs/adr/0005)."""

_DOUBLINGS = 6
_SPREAD = 4
"""At most one part in so many is taken off, so that what broke together does not return at once."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often a connection failed in a row, and how long to wait before the next attempt."""

    who: str
    """What is being reached; decides how much is taken off its delays."""
    failures: int = 0

    def failed(self, lasted: timedelta = ZERO) -> "Backoff":
        """Count a failure: an attempt, or a connection that broke after it had lasted so long."""
        return Backoff(self.who, 1 if lasted >= STABLE else self.failures + 1)

    @property
    def delay(self) -> timedelta:
        """How long to wait before the next attempt; nothing before the first."""
        if not self.failures:
            return ZERO
        longest = min(FIRST * (1 << min(self.failures - 1, _DOUBLINGS)), LONGEST)
        taken_off = crc32(f"{self.who}/{self.failures}".encode()) % 1000
        return longest - longest * taken_off / (1000 * _SPREAD)
