"""How many orders each login may send: a bucket that fills with time; pure."""

from dataclasses import dataclass
from datetime import timedelta

from table.moment import MICROSECOND, Moment

MOST_LOGINS = 1000
"""So many buckets are kept; the one that was used longest ago, and is fullest, goes first."""
_ORDER = 1_000_000
"""One order, in the parts that a bucket of one order a second gains in each microsecond."""


@dataclass(frozen=True, slots=True)
class _Bucket:
    parts: int
    at: Moment


class Rates:
    """The allowance of every login.

    Args:
        per_second: orders that a login may send for ever.
        at_once: orders that it may send in one go when it was silent before.
    """

    def __init__(self, per_second: int, at_once: int) -> None:
        self.per_second = per_second
        self._full = at_once * _ORDER
        self._buckets: dict[str, _Bucket] = {}

    def wait(self, login: str, now: Moment) -> timedelta:
        """Take one order from a login's allowance.

        Returns:
            Nothing where it had one left; otherwise how long until it has, and none is taken.
        """
        filled = self._filled(login, now)
        short = _ORDER - filled
        self._keep(login, _Bucket(filled if short > 0 else filled - _ORDER, now))
        return max(0, -(-short // self.per_second)) * MICROSECOND

    def _filled(self, login: str, now: Moment) -> int:
        bucket = self._buckets.pop(login, None)
        if bucket is None:
            return self._full
        gained = (now - bucket.at) // MICROSECOND * self.per_second
        return min(self._full, bucket.parts + gained)

    def _keep(self, login: str, bucket: _Bucket) -> None:
        self._buckets[login] = bucket
        if len(self._buckets) > MOST_LOGINS:
            del self._buckets[next(iter(self._buckets))]
