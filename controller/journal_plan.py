"""A batch of entries as the rows that one transaction writes; pure."""

from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import TypeAlias

from controller.journal import Entry, Receipt, Record
from controller.journal_chain import record_head, utc_micros, written
from table.errors import JournalError
from table.moment import MICROSECOND

REPLY_KEPT = timedelta(minutes=10)
"""How long a command's id is remembered with its reply."""

Row: TypeAlias = tuple[str | int | bytes, ...]
_PLACES = 1 << 16


@dataclass(frozen=True, slots=True)
class Tail:
    """Where a journal ends: the run that writes it, the newest position and the head there."""

    session: int
    position: int
    head: str


class Plan:
    """Rows of a batch, chained behind a tail, and the gaps that are left after it."""

    def __init__(self, tail: Tail, gaps: frozenset[str]) -> None:
        self.tail = tail
        self.gaps = set(gaps)
        self.tables: set[str] = set()
        """Tables that have a record in the batch."""
        self.records: list[Row] = []
        self.snapshots: list[Row] = []
        self.outgoing: list[Row] = []
        self.replies: list[Row] = []
        self.stale: list[Row] = []
        """The time before which remembered replies are forgotten."""

    def add(self, entry: Entry) -> Receipt | JournalError:
        """Append an entry; the answer holds if the transaction does."""
        closes_gap = entry.table in self.gaps
        if closes_gap and entry.state is None:
            message = (
                f"table {entry.table}: not recorded: an earlier entry was lost, "
                "and this one does not carry the whole state"
            )
            return JournalError(message)
        record = self._record(entry)
        try:
            head = record_head(self.tail.head, record)
        except UnicodeEncodeError as error:
            self.gaps.add(entry.table)
            return JournalError(
                f"table {entry.table}: not recorded: text no file can keep: {error}"
            )
        self.tail = Tail(record.session, record.position, head)
        self._append(entry, record, head)
        if entry.state is not None:
            self.gaps.discard(entry.table)
            self.snapshots.append((entry.table, record.position, closes_gap, entry.state))
        return Receipt(record.position, head)

    def _record(self, entry: Entry) -> Record:
        return Record(
            position=self.tail.position + 1,
            session=self.tail.session,
            table=entry.table,
            moment=entry.moment,
            utc=entry.utc,
            stimulus=entry.stimulus,
            effects=entry.effects,
            seq=entry.seq,
            origin=entry.origin,
            digest="" if entry.state is None else sha256(entry.state).hexdigest(),
            head="",
        )

    def _append(self, entry: Entry, record: Record, head: str) -> None:
        self.tables.add(entry.table)
        self.records.append(_row(record, head))
        first = outgoing_position(record.position, 0)
        self.outgoing.extend(
            (first + place, event.kind, event.table, event.seq, event.payload)
            for place, event in enumerate(entry.events)
        )
        if entry.origin and entry.reply is not None:
            origin, utc = entry.origin, utc_micros(entry.utc)
            self.replies.append((origin.login, origin.command, utc, entry.reply))
            self.stale = [(utc - REPLY_KEPT // MICROSECOND,)]


def outgoing_position(position: int, place: int) -> int:
    """Return the place in the outbox of a record's event: it grows and is never used twice."""
    return position * _PLACES + place


def _row(record: Record, head: str) -> Row:
    return (*written(record), head)
