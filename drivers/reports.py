"""What a link has to report, in order, until its wire is lost."""

import asyncio
from collections.abc import AsyncIterator

from table.errors import LinkLost
from table.events import Observed


async def until_lost(reports: "asyncio.Queue[Observed | LinkLost]") -> AsyncIterator[Observed]:
    """Yield what a link reports.

    Raises:
        LinkLost: the loss is what came next; whoever asks after the end hears of it again.
    """
    while True:
        report = await reports.get()
        if isinstance(report, LinkLost):
            reports.put_nowait(report)
            raise LinkLost(str(report)) from report
        yield report
