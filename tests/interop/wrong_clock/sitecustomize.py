"""Puts the wall clock of a Python that finds this on its path wrong by hours, and nothing else."""

import datetime as dt
import time

AHEAD = dt.timedelta(hours=5, minutes=17)

_wall = time.time  # noqa: TID251 - the clock that is put wrong


class _Wrong(dt.datetime):
    """Says another time than it is."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> "_Wrong":
        """Return a moment of another part of the day."""
        return super().now(tz) + AHEAD

    @classmethod
    def utcnow(cls) -> "_Wrong":
        """Return a moment of another part of the day."""
        return cls.now(dt.UTC).replace(tzinfo=None)


time.time = lambda: _wall() + AHEAD.total_seconds()  # noqa: TID251 - as above
dt.datetime = _Wrong  # type: ignore[misc]
