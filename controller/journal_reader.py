"""Reads a journal: for replay, for the check of its chain, and for whoever wants it whole."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from controller import journal_schema
from controller.journal import Boot, Origin, Record, Snapshot
from controller.journal_chain import GENESIS, boot_head, record_head, utc_micros, utc_of
from table.moment import Moment


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a daemon, as it was read back."""

    session: int
    boot: Boot
    after: int
    """The newest record when the daemon started."""
    head: str


Link: TypeAlias = Start | Record
_NEWEST = 2**63 - 1
_NEWEST_UP_TO = (
    "SELECT position, seq FROM records WHERE table_id = ? AND position <= ? "
    "ORDER BY position DESC LIMIT 1"
)


class JournalReader:
    """A journal opened for reading, beside a daemon that may be writing it.

    Every method raises JournalError if the file is missing, damaged or of another version.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def records(self, table: str | None = None, after: int = 0) -> Iterator[Record]:
        """Iterate over the records of one table or of all behind a position, oldest first."""
        where, found = ("TRUE", ()) if table is None else ("table_id = ?", (table,))
        with self._open() as connection, journal_schema.told(self._path):
            for row in connection.execute(
                f"SELECT * FROM records WHERE {where} AND position > ? ORDER BY position",  # noqa: S608 - two fixed texts
                (*found, after),
            ):
                yield _record(row)

    def records_back(self, table: str, position: int | None = None) -> Iterator[Record]:
        """Iterate over the records of a table up to a position, newest first."""
        with self._open() as connection, journal_schema.told(self._path):
            for row in connection.execute(
                "SELECT * FROM records WHERE table_id = ? AND position <= ? ORDER BY position DESC",
                (table, _NEWEST if position is None else position),
            ):
                yield _record(row)

    def place_of(self, table: str, seq: int) -> int:
        """Return the position of a table's newest record with no event beyond a number, or 0.

        Numbers grow with positions, so halving the journal finds it without an index of its own.
        """
        with self._open() as connection, journal_schema.told(self._path):
            (end,) = connection.execute("SELECT max(position) FROM records").fetchone()
            low, high = 0, end or 0
            while low < high:
                middle = (low + high + 1) // 2
                newest = connection.execute(_NEWEST_UP_TO, (table, middle)).fetchone()
                if newest is None or newest[1] <= seq:
                    low = middle
                else:
                    high = newest[0] - 1
            newest = connection.execute(_NEWEST_UP_TO, (table, low)).fetchone()
        return int(newest[0]) if newest else 0

    def latest_snapshot(self, table: str) -> Snapshot | None:
        """Return the newest whole state of a table, from where replay may begin."""
        with self._open() as connection, journal_schema.told(self._path):
            row = connection.execute(
                "SELECT s.table_id, s.position, r.seq, s.state FROM snapshots s "
                "JOIN records r USING (position) WHERE s.table_id = ? "
                "ORDER BY s.position DESC LIMIT 1",
                (table,),
            ).fetchone()
        return row and Snapshot(*row)

    def links(self) -> Iterator[Link]:
        """Iterate over starts and records in the order in which they are chained."""
        with self._open() as connection, journal_schema.told(self._path):
            starts = map(_start, connection.execute("SELECT * FROM boots ORDER BY session"))
            start = next(starts, None)
            for row in connection.execute("SELECT * FROM records ORDER BY position"):
                while start and start.after < row[0]:
                    yield start
                    start = next(starts, None)
                yield _record(row)
            while start:
                yield start
                start = next(starts, None)

    def verify(self) -> int | None:
        """Walk the whole chain and return the first position that is not as it was written.

        A journal cut short at its end still fits together: only a head that was printed or
        published earlier and is missing now shows it.
        """
        head, last = GENESIS, 0
        for link in self.links():
            position = link.after + 1 if isinstance(link, Start) else link.position
            if isinstance(link, Record) and link.position != last + 1:
                return last + 1
            if link.head != _head(head, link):
                return position
            head = link.head
            last = link.position if isinstance(link, Record) else last
        return self._changed_snapshot()

    def export(self) -> Iterator[str]:
        """Iterate over the whole journal as lines of JSON, heads included.

        Layout: the fields of `controller.journal_chain` by name, and `head`.
        """
        for link in self.links():
            yield json.dumps(
                _start_fields(link) if isinstance(link, Start) else _record_fields(link),
                ensure_ascii=False,
            )

    def _open(self) -> closing[sqlite3.Connection]:
        connection = journal_schema.reading(self._path)
        connection.text_factory = _text
        return closing(connection)

    def _changed_snapshot(self) -> int | None:
        with self._open() as connection, journal_schema.told(self._path):
            for position, digest, state in connection.execute(
                "SELECT position, digest, state FROM snapshots "
                "JOIN records USING (position) ORDER BY position"
            ):
                if sha256(state).hexdigest() != digest:
                    return int(position)
        return None


def _text(raw: bytes) -> str:
    """Read damaged text too: the chain shows where it is."""
    return raw.decode(errors="replace")


def _head(previous: str, link: Link) -> str:
    if isinstance(link, Start):
        return boot_head(previous, link.session, link.boot, link.after)
    return record_head(previous, link)


def _start(row: tuple[int, str, int, int, str, int, str]) -> Start:
    session, boot, moment, utc, version, after, head = row
    return Start(session, Boot(boot, Moment(moment), utc_of(utc), version), after, head)


def _record(row: tuple[int, int, str, int, int, str, str, int, str, str, str, str, str]) -> Record:
    position, session, table, moment, utc, stimulus, effects, seq, *origin, digest, head = row
    return Record(
        position=position,
        session=session,
        table=table,
        moment=Moment(moment),
        utc=utc_of(utc),
        stimulus=stimulus,
        effects=effects,
        seq=seq,
        origin=Origin(*origin) if any(origin) else None,
        digest=digest,
        head=head,
    )


def _start_fields(start: Start) -> dict[str, str | int]:
    return {
        "kind": "boot",
        "session": start.session,
        "id": start.boot.id,
        "moment": start.boot.moment.micros,
        "utc": utc_micros(start.boot.utc),
        "version": start.boot.version,
        "after": start.after,
        "head": start.head,
    }


def _record_fields(record: Record) -> dict[str, str | int]:
    origin = record.origin or Origin("")
    return {
        "kind": "record",
        "position": record.position,
        "session": record.session,
        "table": record.table,
        "moment": record.moment.micros,
        "utc": utc_micros(record.utc),
        "stimulus": record.stimulus,
        "effects": record.effects,
        "seq": record.seq,
        "login": origin.login,
        "person": origin.person,
        "command": origin.command,
        "digest": record.digest,
        "head": record.head,
    }
