"""The one writer of a journal; it lives in a thread of its own."""

import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from controller import journal_schema, outbox_file
from controller.journal import Boot, Entry, Origin, Receipt
from controller.journal_chain import GENESIS, boot_head, utc_micros, utc_of
from controller.journal_plan import Plan, Tail
from controller.outbox import Waiting
from mqtt.outbox import OutgoingEvent
from table.errors import JournalError

_TRIAL_BYTES = 65536
"""A sick disk must take this much before it is called well (docs/adr/0010)."""

_SQL = {
    "records": "INSERT INTO records VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "thinned": "DELETE FROM snapshots WHERE table_id = ? AND NOT closes_gap",
    "snapshots": "INSERT INTO snapshots VALUES (?,?,?,?)",
    "outgoing": "INSERT INTO outbox VALUES (?,?,?,?,?)",
    "acknowledged": "DELETE FROM outbox WHERE id = ?",
    "stale": "DELETE FROM replies WHERE utc < ?",
    "replies": "INSERT OR REPLACE INTO replies VALUES (?,?,?,?)",
}


@dataclass(frozen=True, slots=True)
class Status:
    """Where the journal ends, and how it is."""

    tail: Tail
    gaps: frozenset[str]
    """Tables whose next entry must carry the whole state."""
    alarm: str
    """What is wrong; empty if nothing is."""
    waiting: Waiting
    """What waits in the outbox."""
    openings: int
    """How often the file was opened; what was known of its end is to be forgotten with each."""


@dataclass(frozen=True, slots=True)
class Commit:
    """What became of each entry of a batch, and how the journal is after it."""

    outcomes: list[Receipt | JournalError]
    status: Status


class Writer:
    """Holds the journal's file open for writing; every method is called in one thread.

    Args:
        path: of the journal.
        boot: this start of the daemon.
        most_waiting: beyond so many events in the outbox the oldest are let go.

    Raises:
        JournalError: the journal cannot be opened, or another process writes it.
    """

    def __init__(self, path: Path, boot: Boot, most_waiting: int) -> None:
        self._path = path
        self._most_waiting = most_waiting
        with ExitStack() as undo:
            claim = journal_schema.take(path)
            undo.callback(os.close, claim)
            self._connection = journal_schema.writing(path, create=True)
            undo.callback(self._connection.close)
            with journal_schema.told(path):
                self._tail = _begin(self._connection, boot)
                self._waiting = outbox_file.found(self._connection)
                self.begun = _begun(self._connection)
            undo.pop_all()
        self._claim = claim
        self._gaps: frozenset[str] = frozenset()
        self._alarm = ""
        self._acknowledged: set[int] = set()
        self._heard = 0
        self._openings = 1
        self._file = _identity(path)
        self._lost = False

    @property
    def status(self) -> Status:
        """Where the journal ends and how it is."""
        depth = self._waiting.depth - len(self._acknowledged)
        waiting = replace(self._waiting, depth=depth, heard=self._heard)
        return Status(self._tail, self._gaps, self._alarm, waiting, self._openings)

    def commit(self, entries: Sequence[Entry], acknowledged: Iterable[int] = ()) -> Commit:
        """Write a batch in one transaction, the whole of it or nothing.

        Args:
            entries: what to append, in order.
            acknowledged: places in the outbox that the broker has taken.
        """
        self._hear(acknowledged)
        plan = Plan(self._tail, self._gaps)
        outcomes = [plan.add(entry) for entry in entries]
        if plan.records or self._acknowledged:
            outcomes = self._settle(plan, outcomes)
        self._gaps = frozenset(plan.gaps)
        return Commit(outcomes, self.status)

    def waiting(
        self, after: int, limit: int, acknowledged: Iterable[int] = ()
    ) -> list[OutgoingEvent]:
        """Return at most `limit` events beyond a place in the outbox, in order.

        Raises:
            JournalError: the file cannot be read.
        """
        self._hear(acknowledged)
        with journal_schema.told(self._path):
            return outbox_file.events(self._connection, after, limit, self._acknowledged)

    def replies(self, since: datetime) -> list[tuple[Origin, datetime, bytes]]:
        """Return whom commands since a time came from, when, and what was replied; oldest first.

        Raises:
            JournalError: the file cannot be read.
        """
        with journal_schema.told(self._path):
            rows = self._connection.execute(
                "SELECT login, command, utc, reply FROM replies WHERE utc >= ? ORDER BY utc",
                (utc_micros(since),),
            ).fetchall()
        return [(Origin(login, "", id_), utc_of(utc), reply) for login, id_, utc, reply in rows]

    def probe(self, acknowledged: Iterable[int] = ()) -> Status:
        """If the disk failed or the file was moved, try to open and write it again."""
        self._hear(acknowledged)
        if self._alarm or _identity(self._path) != self._file:
            try:
                self._reopen()
                self._try_disk()
            except (sqlite3.Error, JournalError) as error:
                self._fail(error)
            else:
                self._alarm = ""
        self._forget()
        return self.status

    def close(self, acknowledged: Iterable[int] = ()) -> None:
        """Let go of the file."""
        self._hear(acknowledged)
        self._forget()
        with suppress(sqlite3.Error):  # the last checkpoint; what is in the WAL is durable
            self._connection.close()
        os.close(self._claim)

    def _hear(self, acknowledged: Iterable[int]) -> None:
        """Remember what the broker has; what was let go before is gone already."""
        places = list(acknowledged)
        self._heard += len(places)
        self._acknowledged.update(one for one in places if one > self._waiting.gone_to)

    def _forget(self) -> None:
        """Remove what the broker has, unless the disk is sick."""
        if self._acknowledged and not self._alarm:
            self.commit(())

    def _settle(
        self, plan: Plan, outcomes: list[Receipt | JournalError]
    ) -> list[Receipt | JournalError]:
        try:
            waiting = self._write(plan)
        except (sqlite3.Error, JournalError) as error:
            lost = self._fail(error)
            plan.gaps.update(plan.tables)
            return [lost if isinstance(outcome, Receipt) else outcome for outcome in outcomes]
        self._tail, self._alarm = plan.tail, ""
        self._acknowledged.clear()
        self._waiting = waiting
        return outcomes

    def _write(self, plan: Plan) -> Waiting:
        """Write the rows and return what waits in the outbox then."""
        if self._lost:
            raise JournalError(self._alarm)
        gone = 0
        self._connection.execute("BEGIN IMMEDIATE")
        for name, rows in (
            ("records", plan.records),
            ("thinned", [(table,) for table, *_ in plan.snapshots]),
            ("snapshots", plan.snapshots),
            ("outgoing", plan.outgoing),
            ("acknowledged", [(place,) for place in self._acknowledged]),
            ("stale", plan.stale),
            ("replies", plan.replies),
        ):
            if rows:
                written = self._connection.executemany(_SQL[name], rows)
                gone = written.rowcount if name == "acknowledged" else gone
        depth = self._waiting.depth + len(plan.outgoing) - gone
        waiting = replace(self._waiting, depth=depth)
        waiting = outbox_file.bounded(self._connection, waiting, self._most_waiting)
        self._connection.execute("COMMIT")
        return waiting

    def _fail(self, error: Exception) -> JournalError:
        with suppress(sqlite3.Error):  # where even this fails, the next probe opens anew
            self._connection.rollback()
        self._alarm = str(error) if isinstance(error, JournalError) else f"{self._named}: {error}"
        return JournalError(self._alarm)

    @property
    def _named(self) -> str:
        return f"journal {self._path}"

    def _reopen(self) -> None:
        """Open the file anew and go on at its end, which may hold what a failed commit left whole.

        Raises:
            JournalError: the file cannot be opened, or does not go on from what was written.
        """
        self._lost = True
        connection = journal_schema.writing(self._path, create=False)
        with ExitStack() as undo, journal_schema.told(self._path):
            undo.callback(connection.close)
            if not _goes_on(connection, self._tail):
                message = f"{self._named}: not the file that was written before"
                raise JournalError(message)
            gone_to = self._waiting.gone_to
            self._tail = _tail(connection)
            self._waiting = replace(outbox_file.found(connection), gone_to=gone_to)
            undo.pop_all()
        self._connection, old = connection, self._connection
        with suppress(sqlite3.Error):  # it has failed already
            old.close()
        self._openings += 1
        self._file = _identity(self._path)
        self._lost = False

    def _try_disk(self) -> None:
        self._connection.execute("DELETE FROM trials")
        self._connection.execute("INSERT INTO trials(room) VALUES (zeroblob(?))", (_TRIAL_BYTES,))
        self._connection.execute("DELETE FROM trials")


def _begin(connection: sqlite3.Connection, boot: Boot) -> Tail:
    """Chain the start of a daemon behind what earlier ones left."""
    connection.execute("BEGIN IMMEDIATE")
    last = _tail(connection)
    session = max(last.session + 1, int(boot.utc.timestamp()))
    head = boot_head(last.head, session, boot, last.position)
    tail = Tail(session, last.position, head)
    anchor = (boot.id, boot.moment.micros, utc_micros(boot.utc), boot.version)
    connection.execute(
        "INSERT INTO boots VALUES (?,?,?,?,?,?,?)",
        (tail.session, *anchor, tail.position, tail.head),
    )
    connection.execute("COMMIT")
    return tail


def _tail(connection: sqlite3.Connection) -> Tail:
    boot = connection.execute(
        "SELECT session, after, head FROM boots ORDER BY session DESC LIMIT 1"
    ).fetchone()
    record = connection.execute(
        "SELECT session, position, head FROM records ORDER BY position DESC LIMIT 1"
    ).fetchone()
    if boot is None:
        return Tail(0, 0, GENESIS)
    newest = boot if record is None or boot[1] == record[1] else record
    return Tail(*newest)


def _begun(connection: sqlite3.Connection) -> datetime:
    (micros,) = connection.execute("SELECT utc FROM boots ORDER BY session LIMIT 1").fetchone()
    return utc_of(micros)


def _goes_on(connection: sqlite3.Connection, tail: Tail) -> bool:
    """Say whether a file holds the end of the chain as it was last written."""
    known = connection.execute(
        "SELECT 1 FROM records WHERE position = ?1 AND head = ?2 "
        "UNION SELECT 1 FROM boots WHERE after = ?1 AND head = ?2",
        (tail.position, tail.head),
    ).fetchone()
    return known is not None


def _identity(path: Path) -> tuple[int, int] | None:
    """Tell a file from another one of the same name; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
