"""A journal in memory: what it keeps, and when its disk is full, is for the test to say."""

import asyncio
from collections.abc import Iterator

from controller.journal import Entry, Receipt, Record, Snapshot
from controller.journal_absent import NoJournal
from table.errors import JournalError


class Notebook(NoJournal):
    """A journal in memory that writes, or fails to write, when it is told to."""

    def __init__(self) -> None:
        super().__init__("the disk is full")
        self._gathered: list[tuple[Entry, asyncio.Future[Receipt]]] = []
        self._records: list[Record] = []
        self._snapshots: list[Snapshot] = []
        self._gap = False
        self.epoch = 3
        self.sent: list[bytes] = []
        """The events of entries that were written, in order."""

    def submit(self, entry: Entry) -> asyncio.Future[Receipt]:
        receipt: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self._gathered.append((entry, receipt))
        return receipt

    def has_gap(self, table: str) -> bool:
        assert table == "t1"
        return self._gap

    def records(self, table: str | None = None, after: int = 0) -> Iterator[Record]:
        assert table == "t1"
        return iter(self._records[after:])

    def records_back(self, table: str, position: int | None = None) -> Iterator[Record]:
        assert table == "t1"
        return iter(self._records[:position][::-1])

    def place_of(self, table: str, seq: int) -> int:
        assert table == "t1"
        return max((one.position for one in self._records if one.seq <= seq), default=0)

    def latest_snapshot(self, table: str) -> Snapshot | None:
        assert table == "t1"
        return self._snapshots[-1] if self._snapshots else None

    def write(self, *, full: bool = False) -> None:
        """Write what was gathered; on a full disk nothing of it."""
        gathered, self._gathered = self._gathered, []
        for entry, receipt in gathered:
            self._gap = full or (self._gap and entry.state is None)
            if self._gap:
                receipt.set_exception(JournalError(self.alarm))
            else:
                receipt.set_result(Receipt(self._add(entry), "head"))

    def crash(self) -> None:
        """Forget what was gathered, as a daemon that is killed does."""
        self._gathered, self._gap = [], False

    def _add(self, entry: Entry) -> int:
        position = len(self._records) + 1
        self._records.append(record(entry, position))
        self.sent.extend(event.payload for event in entry.events)
        if entry.state is not None:
            self._snapshots.append(Snapshot(entry.table, position, entry.seq, entry.state))
        return position


def record(entry: Entry, position: int) -> Record:
    return Record(
        position=position,
        session=1,
        table=entry.table,
        moment=entry.moment,
        utc=entry.utc,
        stimulus=entry.stimulus,
        effects=entry.effects,
        seq=entry.seq,
        origin=entry.origin,
        digest="",
        head="head",
    )
