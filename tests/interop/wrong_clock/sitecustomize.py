"""Puts the wall clock of a Python that finds this on its path wrong, and no other clock.

It is hours ahead and gains a second in every second.
"""

import datetime as dt
import time

AHEAD_SECONDS = (5 * 60 + 17) * 60

_wall = time.time  # noqa: TID251 - the clock that is put wrong
_start = _wall()


def _wrong_seconds() -> float:
    return 2 * _wall() - _start + AHEAD_SECONDS


class _Wrong(dt.datetime):
    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> "_Wrong":
        return cls.fromtimestamp(_wrong_seconds(), tz)


time.time = _wrong_seconds  # noqa: TID251 - as above
dt.datetime = _Wrong  # type: ignore[misc]
