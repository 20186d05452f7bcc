"""A table whose pads are there; what they say comes by orders, through `drivers.pads.pads`."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

from drivers.pads.pads import SILENCE, Pads
from drivers.pads.stamps import COARSE, TOUCH
from drivers.port import Answer, Capability, Grade, Identity, LinkHealth, Now, Outcome
from drivers.reports import until_lost
from table.commands import SetLamp, SoundBuzzer, TableCommand
from table.errors import LinkLost
from table.events import Condition, Observed
from table.seat import Seat

_BY_HAND = {Capability.DISCARD_INPUT, Capability.CLAIM_INPUT, Capability.HOLD_SENSE}
CAPABILITIES = {one: Grade.MANUAL if one in _BY_HAND else Grade.ABSENT for one in Capability}


class PadsLink:
    """One table; obeys `drivers.port.TableLink`."""

    def __init__(self, pads: Pads, now: Now) -> None:
        self._pads = pads
        self._now = now
        self._reports: asyncio.Queue[Observed | LinkLost] = asyncio.Queue()

    @property
    def identity(self) -> Identity:
        """Nobody's: there is nothing to read an identity from."""
        return Identity("manual", "seat pads", f"pads-{self._pads.table}", "")

    @property
    def capabilities(self) -> dict[Capability, Grade]:
        """Discards, claims and holds by hand; nothing of a machine."""
        return CAPABILITIES

    @property
    def resolution(self) -> timedelta:
        """How far a press is known where nothing is delayed."""
        return TOUCH + COARSE

    @property
    def condition(self) -> Condition:
        """No machine, no wall that it knows of."""
        return Condition(cycling=False, wall_ready=False, wall_raised=False)

    @property
    def health(self) -> LinkHealth:
        """Names the seats without a pad."""
        here = self._pads.here(self._now())
        lacks = tuple(f"no pad at seat {seat.value}" for seat in Seat if seat not in here)
        return LinkHealth(lacks=lacks)

    def events(self) -> AsyncIterator[Observed]:
        """Wait until every pad is gone.

        Raises:
            LinkLost: no pad was heard for the time after which they are gone.
        """
        return until_lost(self._reports)

    def recorded(self, _observed: Observed, /) -> None:
        """Nothing waits for it: the pad is answered by its order."""

    async def send(self, command: TableCommand) -> Answer:
        """Leave lamps and buzzers to the pads, which follow the clocks; refuse all else."""
        if isinstance(command, SetLamp | SoundBuzzer):
            return Answer(Outcome.DONE)
        reason = f"table {self._pads.table} has no machine: it is played with pads"
        return Answer(Outcome.REFUSED, reason)

    async def watch(self) -> None:
        """Return when no pad was heard for long enough, and end the events."""
        while (last := self._pads.last) is not None and (left := last + SILENCE - self._now()):
            if left <= timedelta(0):
                break
            await asyncio.sleep(left.total_seconds())
        message = f"no pad of table {self._pads.table} was heard for {SILENCE.total_seconds():g} s"
        self._reports.put_nowait(LinkLost(message))
