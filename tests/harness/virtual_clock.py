"""A clock that stands still until a test moves it."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from table.moment import Moment

_TURNS = 50


@dataclass(eq=False)
class _Sleeper:
    moment: Moment
    awake: "asyncio.Future[None]"


class VirtualClock:
    """Obeys `controller.clock.Clock`; time passes only in `advance`."""

    def __init__(
        self,
        start: Moment = Moment(0),  # noqa: B008 - frozen
        utc: datetime = datetime(2026, 11, 29, 12, tzinfo=UTC),
    ) -> None:
        self._start = start
        self._now = start
        self._utc = utc
        self._sleepers: list[_Sleeper] = []

    def now(self) -> Moment:
        return self._now

    def utc(self) -> datetime:
        return self._utc + (self._now - self._start)

    async def sleep_until(self, moment: Moment) -> None:
        if moment <= self._now:
            await asyncio.sleep(0)
            return
        sleeper = _Sleeper(moment, asyncio.get_running_loop().create_future())
        self._sleepers.append(sleeper)
        try:
            await sleeper.awake
        finally:
            self._sleepers.remove(sleeper)

    @property
    def next_deadline(self) -> Moment | None:
        """The moment of the sleeper who wakes first."""
        return min((sleeper.moment for sleeper in self._sleepers), default=None)

    async def advance(self, span: timedelta) -> None:
        """Move to each deadline within the span in turn, letting everybody act there, then on."""
        end = self._now + span
        await self.settle()
        while (deadline := self.next_deadline) is not None and deadline <= end:
            self._now = max(self._now, deadline)
            for sleeper in self._sleepers:
                if sleeper.moment <= self._now and not sleeper.awake.done():
                    sleeper.awake.set_result(None)
            await self.settle()
        self._now = end
        await self.settle()

    def leap(self, span: timedelta) -> None:
        """Move on while everybody is busy; whoever was due meanwhile is woken later."""
        self._now += span

    async def settle(self) -> None:
        """Let every task run until it waits; what comes over wires or threads is not waited for."""
        for _ in range(_TURNS):
            await asyncio.sleep(0)
