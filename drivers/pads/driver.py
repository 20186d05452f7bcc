"""Reaches a table by the pads of its seats, as soon as one of them is there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from drivers.pads.link import PadsLink
from drivers.pads.pads import Pads
from drivers.port import Now, TableLink
from table.errors import LinkUnavailable

LOOK_SECONDS = 0.5
"""Between two looks for a pad, while none is there (house choice)."""


class PadsDriver:
    """Obeys `drivers.port.TableDriver`.

    Args:
        table: id of the table.
        now: the daemon's clock.
    """

    def __init__(self, table: str, now: Now) -> None:
        self.pads = Pads(table)
        self._now = now
        self._missed = False

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[TableLink]:
        """Wait for a pad and hand over the link; the first time it says that it has to wait.

        Raises:
            LinkUnavailable: no pad is there, and that was not said before.
        """
        await self._somebody()
        link = PadsLink(self.pads, self._now)
        watching = asyncio.create_task(link.watch(), name=f"pads of {self.pads.table}")
        self.pads.since = self._now()
        self._missed = False
        try:
            yield link
        finally:
            self.pads.since = None
            watching.cancel()

    async def _somebody(self) -> None:
        while not self.pads.here(self._now()):
            if not self._missed:
                self._missed = True
                table = self.pads.table
                message = f"no pad is there; open /pad/{table}/1 to /pad/{table}/4 of the board"
                raise LinkUnavailable(message)
            await asyncio.sleep(LOOK_SECONDS)
