"""The journal on a disk, for the event loop: gathers entries while the last ones are written."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self, TypeVar, TypeVarTuple

from controller.journal import Boot, Entry, Origin, Receipt, Record, Snapshot
from controller.journal_plan import REPLY_KEPT, outgoing_position
from controller.journal_reader import JournalReader
from controller.journal_replies import Replies, Settle
from controller.journal_writer import Commit, Status, Writer
from controller.outbox import JournalOutbox
from mqtt.outbox import OutgoingEvent
from table.errors import JournalError

T = TypeVar("T")
Args = TypeVarTuple("Args")

MOST_WAITING = 200_000
"""Where nothing else is configured (`config.models.Broker`)."""
_FORGET_AT = 64
"""So many acknowledged events are worth a commit of their own (docs/adr/0010)."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Submission:
    entry: Entry
    receipt: asyncio.Future[Receipt]
    settle: Settle | None


class JournalFile:
    """Obeys `controller.journal.Journal`; SQLite runs in a thread of its own."""

    def __init__(
        self, path: Path, thread: ThreadPoolExecutor, writer: Writer, replies: Replies
    ) -> None:
        self._path = path
        self._reader = JournalReader(path)
        self._thread = thread
        self._writer = writer
        self._status = writer.status
        self._gathered: list[_Submission] = []
        self._acknowledged: list[int] = []
        self._commit: Future[Commit] | None = None
        self._closed = False
        self._replies = replies
        self.outbox = JournalOutbox(self._waiting, self._forget)
        self.outbox.settle(self._status.waiting)
        self._refill_outbox()
        self.epoch = int(writer.begun.timestamp())

    @classmethod
    async def open(cls, path: Path, boot: Boot, most_waiting: int = MOST_WAITING) -> Self:
        """Open or begin a journal and record the start of a daemon in it.

        Beyond `most_waiting` events in the outbox the oldest are let go.

        Raises:
            JournalError: the file is damaged, foreign, of a newer version, cannot be written or is
                written by another process; it is left as it is.
        """
        thread = ThreadPoolExecutor(1, "journal")
        try:
            writer, replies = await asyncio.wrap_future(
                thread.submit(_opened, path, boot, most_waiting)
            )
        except JournalError:
            thread.shutdown()
            raise
        return cls(path, thread, writer, Replies(replies))

    @property
    def session(self) -> int:
        """The number of this session."""
        return self._status.tail.session

    @property
    def head(self) -> str:
        """SHA-256 of the chain, in hex."""
        return self._status.tail.head

    @property
    def position(self) -> int:
        """The newest durable record; 0 in an empty journal."""
        return self._status.tail.position

    @property
    def healthy(self) -> bool:
        """Whether the last thing tried could be written."""
        return not self._status.alarm

    @property
    def alarm(self) -> str:
        """What is wrong, for staff; empty while healthy."""
        return self._status.alarm

    @property
    def alarms(self) -> tuple[str, ...]:
        """What is wrong, and what the outbox had to let go; each a sentence for staff."""
        return tuple(filter(None, (self._status.alarm, self.outbox.alarm)))

    def submit(self, entry: Entry) -> asyncio.Future[Receipt]:
        """Hand over an entry; the order of the calls is the order of the positions."""
        receipt: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        if self._closed:
            receipt.set_exception(JournalError(f"journal {self._path}: closed"))
            return receipt
        settle = None
        if entry.origin is not None and entry.reply is not None:
            settle = self._replies.promise(entry.origin, entry.utc, entry.reply)
        self._gathered.append(_Submission(entry, receipt, settle))
        self._start_commit()
        return receipt

    def has_gap(self, table: str) -> bool:
        """Say whether the next entry of the table must carry its whole state."""
        return table in self._status.gaps

    def replied(self, origin: Origin) -> asyncio.Future[bytes] | None:
        """Return the reply that a command of the last ten minutes got; None if it is new."""
        return self._replies.find(origin)

    def records(self, table: str | None = None, after: int = 0) -> Iterator[Record]:
        """Iterate over the durable records behind a position, oldest first."""
        return self._reader.records(table, after)

    def records_back(self, table: str, position: int | None = None) -> Iterator[Record]:
        """Iterate over the durable records of a table up to a position, newest first."""
        return self._reader.records_back(table, position)

    def place_of(self, table: str, seq: int) -> int:
        """Return the position of a table's newest record with no event beyond a number, or 0."""
        return self._reader.place_of(table, seq)

    def latest_snapshot(self, table: str) -> Snapshot | None:
        """Return the newest whole state of a table, from where replay may begin."""
        return self._reader.latest_snapshot(table)

    async def probe(self) -> None:
        """Return when the writer has answered; a sick journal tries the disk again."""
        probe = self._in_thread(self._writer.probe, self._take_acknowledged())
        probe.add_done_callback(self._probed)
        await probe

    async def close(self) -> None:
        """Write what was submitted, then let go of the file."""
        self._closed = True
        while self._commit is not None:
            await asyncio.wait([asyncio.wrap_future(self._commit)])
        await self._in_thread(self._writer.close, self._take_acknowledged())
        self._thread.shutdown()

    def _start_commit(self) -> None:
        if self._commit is not None:
            return
        batch, self._gathered = self._gathered, []
        acknowledged = self._take_acknowledged()
        entries = [submission.entry for submission in batch]
        self._commit = self._thread.submit(self._writer.commit, entries, acknowledged)
        loop = asyncio.get_running_loop()
        # Who waits for the disk need not wait for a future of the loop, too.
        self._commit.add_done_callback(
            lambda done: loop.call_soon_threadsafe(self._committed, batch, done)
        )

    def _committed(self, batch: Sequence[_Submission], commit: Future[Commit]) -> None:
        """Tell the submitters, while the writer has the next batch already."""
        self._commit = None
        if self._gathered:
            self._start_commit()
        if bug := commit.exception():
            for submission in batch:
                submission.receipt.set_exception(bug)
            return
        done = commit.result()
        self._note(done.status)
        for submission, outcome in zip(batch, done.outcomes, strict=True):
            self._tell(submission, outcome)

    def _probed(self, probe: asyncio.Future[Status]) -> None:
        if not probe.cancelled():
            self._note(probe.result())

    def _tell(self, submission: _Submission, outcome: Receipt | JournalError) -> None:
        lost = outcome if isinstance(outcome, JournalError) else None
        if submission.settle:
            submission.settle(lost)
        if isinstance(outcome, Receipt):
            self.outbox.add(_outgoing(submission.entry, outcome))
        if submission.receipt.done():  # cancelled by whoever asked
            return
        if isinstance(outcome, Receipt):
            submission.receipt.set_result(outcome)
        else:
            submission.receipt.set_exception(outcome)

    def _note(self, status: Status) -> None:
        before, self._status = self._status, status
        if status.alarm and not before.alarm:
            _log.error("%s; nothing is proposed until it can be written", status.alarm)
        elif before.alarm and not status.alarm:
            _log.info("journal %s: written again", self._path)
        self._note_let_go(before.waiting.let_go, status.waiting.let_go)
        self.outbox.settle(status.waiting)
        if status.openings != before.openings:
            self._refill_outbox()

    def _note_let_go(self, before: int, now: int) -> None:
        if now and not before:
            _log.warning("the outbox is full: its oldest events are let go, replay brings them")
        elif before and not now:
            _log.info("the outbox is empty: %d events of it were let go before", before)

    def _refill_outbox(self) -> None:
        last = outgoing_position(self._status.tail.position + 1, 0) - 1
        self.outbox.refill(last)

    async def _waiting(self, after: int, limit: int) -> Sequence[OutgoingEvent]:
        acknowledged = self._take_acknowledged()
        return await self._in_thread(self._writer.waiting, after, limit, acknowledged)

    def _forget(self, places: Sequence[int]) -> None:
        self._acknowledged.extend(places)
        if len(self._acknowledged) >= _FORGET_AT:
            self._start_commit()

    def _take_acknowledged(self) -> list[int]:
        acknowledged, self._acknowledged = self._acknowledged, []
        return acknowledged

    def _in_thread(self, work: Callable[[*Args], T], *args: *Args) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._thread, work, *args)


def _opened(
    path: Path, boot: Boot, most_waiting: int
) -> tuple[Writer, list[tuple[Origin, datetime, bytes]]]:
    writer = Writer(path, boot, most_waiting)
    try:
        return writer, writer.replies(boot.utc - REPLY_KEPT)
    except JournalError:
        writer.close()
        raise


def _outgoing(entry: Entry, receipt: Receipt) -> Iterator[OutgoingEvent]:
    for place, event in enumerate(entry.events):
        position = outgoing_position(receipt.position, place)
        yield OutgoingEvent(position, event.table, event.kind, event.payload)
