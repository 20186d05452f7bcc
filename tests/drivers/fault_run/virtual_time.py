"""The clock of a fault run: the virtual loop's, far enough from zero for old boots."""

import asyncio
from datetime import UTC, datetime, timedelta

from table.moment import ZERO, Moment
from tests.harness.virtual_loop import loop_now

ORIGIN = timedelta(days=60)
"""A box may have run for 49.7 days already when a run begins."""
_NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def now() -> Moment:
    """Read the time of the run."""
    return loop_now() + ORIGIN


def seconds_until(moment: Moment) -> float:
    """Return how long the loop has to wait for a moment; none for one that has passed."""
    return max(ZERO, moment - now()).total_seconds()


class LoopClock:
    """Obeys `controller.clock.Clock`."""

    def now(self) -> Moment:
        return now()

    def utc(self) -> datetime:
        return _NOON + (now() - Moment(0))

    async def sleep_until(self, moment: Moment) -> None:
        if (rest := moment - self.now()) > ZERO:
            await asyncio.sleep(rest.total_seconds())
            await self.sleep_until(moment)
