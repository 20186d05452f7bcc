"""The clock of a box: milliseconds since its boot, in 32 bits."""

from dataclasses import dataclass

from table.moment import MILLISECOND, Moment

WRAP = 2**32
"""Device time begins at 0 again after so many ms, 49.7 days (docs/table-link.md, section 5)."""


@dataclass(frozen=True, slots=True)
class DeviceTime:
    """Device time of one boot."""

    boot: int
    """Drawn at random at each start, never 0."""
    started: Moment

    def ms(self, at: Moment) -> int:
        """Return the reading at a moment."""
        return self._whole(at) % WRAP

    def wraps(self, at: Moment) -> int:
        """Count how often the reading has begun at 0 again."""
        return self._whole(at) // WRAP

    def _whole(self, at: Moment) -> int:
        return (at - self.started) // MILLISECOND
