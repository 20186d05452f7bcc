"""What the daemon runs with when no journal can be opened."""
# ruff: noqa: ARG002 - a stand-in obeys the Protocol and has no use for what it is handed

import asyncio
from collections.abc import Iterator, Sequence

from controller.journal import Entry, Origin, Receipt, Record, Snapshot
from controller.outbox import JournalOutbox
from mqtt.outbox import OutgoingEvent
from table.errors import JournalError


class NoJournal:
    """Stands in where no journal could be opened: tables play on, nothing is kept or proposed."""

    session = 0
    epoch = 0
    head = ""
    position = 0
    healthy = False

    def __init__(self, alarm: str) -> None:
        self.alarm = alarm
        self.alarms = (alarm,)
        self.outbox = JournalOutbox(_nothing, lambda _: None)

    def submit(self, entry: Entry) -> asyncio.Future[Receipt]:
        """Refuse the entry."""
        future = asyncio.get_running_loop().create_future()
        future.set_exception(JournalError(f"table {entry.table}: not recorded: {self.alarm}"))
        return future

    def has_gap(self, table: str) -> bool:
        """Say that nothing was kept."""
        return True

    def replied(self, origin: Origin) -> asyncio.Future[bytes] | None:
        """Remember nothing."""
        return None

    def records(
        self,
        table: str | None = None,
        after: int = 0,
    ) -> Iterator[Record]:
        """Have nothing to tell."""
        return iter(())

    def records_back(self, table: str, position: int | None = None) -> Iterator[Record]:
        """Have nothing to tell."""
        return iter(())

    def place_of(self, table: str, seq: int) -> int:
        """Have no record."""
        return 0

    def latest_snapshot(self, table: str) -> Snapshot | None:
        """Have no state."""
        return None

    async def probe(self) -> None:
        """Have no writer to wait for."""

    async def close(self) -> None:
        """Have nothing to let go of."""


async def _nothing(_after: int, _limit: int) -> Sequence[OutgoingEvent]:
    return ()
