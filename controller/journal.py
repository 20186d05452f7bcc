"""The journal as the daemon sees it: what goes in, what comes back, and what is promised.

Nothing that others may act on leaves the daemon before its stimulus is durable. `submit` gives a
future; what waits for it (events, alerts, replies, rulings) leaves when the future has its receipt.
The journal on a disk is `controller.journal_file.JournalFile`; where it cannot be opened the daemon
runs with `controller.journal_absent.NoJournal`.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from mqtt.outbox import Outbox
from table.moment import Moment


@dataclass(frozen=True, slots=True)
class Boot:
    """One run of the daemon; its moments mean nothing in another run.

    `moment` and `utc` are read together, so that the record's moments can be told as UTC.
    """

    id: str
    moment: Moment
    utc: datetime
    version: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Who gave an order: the broker login, the person it named, and the id of the command."""

    login: str
    person: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that leaves when its entry is durable and stays until the broker has it."""

    kind: str
    table: str
    seq: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One stimulus with everything that followed from it."""

    table: str
    """Table id, or `node/` and the node id for an order that concerns no table, or reaches none."""
    moment: Moment
    utc: datetime
    stimulus: str
    """Canonical JSON (`controller.records`)."""
    effects: str
    """Canonical JSON (`controller.records`)."""
    seq: int
    """The number of the table's newest event after this entry; replay goes on counting there."""
    events: tuple[Outgoing, ...] = ()
    origin: Origin | None = None
    reply: bytes | None = None
    """What the sender of the command is told; the same id again gets these bytes again."""
    state: bytes | None = None
    """The table's whole state after this entry; replay may begin behind it."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The entry is durable; `head` is the SHA-256 of the chain up to it, in hex."""

    position: int
    head: str


@dataclass(frozen=True, slots=True)
class Record:
    """An entry as it was read back."""

    position: int
    """Counted from 1 through the whole journal, without gaps."""
    session: int
    """Which run of the daemon wrote it, counted from 1."""
    table: str
    moment: Moment
    utc: datetime
    stimulus: str
    effects: str
    seq: int
    origin: Origin | None
    digest: str
    """SHA-256 of the state that came with the entry, in hex; empty where none came."""
    head: str
    """SHA-256 of the chain up to this record, in hex (`controller.journal_chain`)."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole state of a table after the record at `position`."""

    table: str
    position: int
    seq: int
    state: bytes


class Journal(Protocol):
    """Keeps every stimulus and its effects, in order, beyond a crash.

    After an entry of a table was refused, the table's record has a gap: further entries are
    refused until one carries the whole `state`, from where replay can go on.
    """

    @property
    def session(self) -> int:
        """The start of the daemon that writes, in whole seconds UTC, but later than all before it.

        A clock that was set back must not make a new session look old (docs/adr/0016).
        """

    @property
    def epoch(self) -> int:
        """Names this journal, in whole seconds UTC of its beginning; event numbers belong to it.

        It is 0 where there is no journal.
        """

    @property
    def head(self) -> str:
        """SHA-256 of the chain, in hex; published, so that a changed record shows."""

    @property
    def position(self) -> int:
        """The newest durable record; 0 in an empty journal."""

    @property
    def outbox(self) -> Outbox:
        """The events of durable entries that the broker does not have yet."""

    @property
    def healthy(self) -> bool:
        """Whether the last thing tried could be written."""

    @property
    def alarm(self) -> str:
        """What is wrong, for staff; empty while healthy."""

    @property
    def alarms(self) -> tuple[str, ...]:
        """What is wrong, and what the outbox had to let go; each a sentence for staff."""

    def submit(self, entry: Entry) -> asyncio.Future[Receipt]:
        """Hand over an entry; the order of the calls is the order of the positions.

        The future has the receipt as soon as the entry is durable. It raises JournalError if the
        entry could not be written; then nothing of it is in the journal.
        """

    def has_gap(self, table: str) -> bool:
        """Say whether the next entry of the table must carry its whole state."""

    def replied(self, origin: Origin) -> asyncio.Future[bytes] | None:
        """Return the reply that a command of the last ten minutes got; None if it is new.

        The future of a command whose entry is still being written waits for it, and raises
        JournalError if the entry could not be written.
        """

    def records(self, table: str | None = None, after: int = 0) -> Iterator[Record]:
        """Iterate over the durable records behind a position, oldest first.

        Raises:
            JournalError: the file cannot be read.
        """

    def records_back(self, table: str, position: int | None = None) -> Iterator[Record]:
        """Iterate over the durable records of a table up to a position, newest first.

        Raises:
            JournalError: the file cannot be read.
        """

    def place_of(self, table: str, seq: int) -> int:
        """Return the position of a table's newest record with no event beyond a number, or 0.

        Raises:
            JournalError: the file cannot be read.
        """

    def latest_snapshot(self, table: str) -> Snapshot | None:
        """Return the newest whole state of a table, from where replay may begin.

        Raises:
            JournalError: the file cannot be read.
        """

    async def probe(self) -> None:
        """Return when the writer has answered; a sick journal tries the disk again.

        Called at a slow beat by whoever feeds the watchdog.
        """

    async def close(self) -> None:
        """Write what was submitted, then let go of the file."""
