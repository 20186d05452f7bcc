"""Reads the events of a table from the journal again, page by page, as they were sent.

Every method reads the file, so it belongs into a thread, and raises JournalError where the file
cannot be read or holds what this version cannot.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from controller.journal import Journal, Record
from controller.numbering import Numbered, Numbers, message, newest, renumbered
from controller.table_memory import EFFECTS, STIMULUS
from controller.table_turn import cause_of
from mqtt.events import Audience, Origin
from mqtt.payloads import EventEnvelope
from mqtt.topics import Root
from table.errors import JournalError

MOST_EVENTS = 100
"""On one page."""
MOST_BYTES = 63 * 1024
"""Of events on one page, as a reply has 64 KiB at most; a longer event is alone on its page."""
_AT_ONCE = 100
"""So many records are read in one go."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a table's events: those with a number between two others."""

    table: str
    audience: Audience
    after: int
    before: int


@dataclass(frozen=True, slots=True)
class Page:
    """Events in order, and the number up to which the stretch is looked through with them."""

    events: tuple[EventEnvelope, ...]
    reached: int


class History:
    """The events of a node's tables as its journal has them.

    Args:
        journal: read beside its writer.
        root: the topics of the venue.
        node: the id of the node.
    """

    def __init__(self, journal: Journal, root: Root, node: str) -> None:
        self._journal = journal
        self._root = root
        self._node = node

    def newest(self, table: str) -> int:
        """Return the number of a table's newest event that is durable, 0 before the first."""
        return next((one.seq for one in self._journal.records_back(table)), 0)

    def page(self, stretch: Stretch) -> Page:
        """Return the first events of a stretch that a page holds."""
        events: list[EventEnvelope] = []
        size, reached = 0, stretch.after
        try:
            for event in self._told(stretch):
                size += len(event.encode())
                if events and size > MOST_BYTES:
                    return Page(tuple(events), reached)
                events.append(event)
                reached = event.tableseq
                if len(events) == MOST_EVENTS:
                    return Page(tuple(events), reached)
        except JournalError:
            if not events:
                raise
            return Page(tuple(events), reached)  # the next page begins with what cannot be read
        return Page(tuple(events), stretch.before - 1)

    def _told(self, stretch: Stretch) -> Iterator[EventEnvelope]:
        """Iterate over the events of a stretch."""
        for record, event in self._events(stretch.table, stretch.after):
            if event.seq >= stretch.before:
                return
            if event.seq > stretch.after and event.audience in {
                Audience.EVERYONE,
                stretch.audience,
            }:
                yield message(event, self._root, self._origin(record))

    def _events(self, table: str, after: int) -> Iterator[tuple[Record, Numbered]]:
        """Iterate over a table's events, from the record that holds the one behind a number."""
        position = self._journal.place_of(table, after)
        numbers = newest(self._journal.records_back(table, position))
        while records := list(islice(self._journal.records(table, position), _AT_ONCE)):
            for record in records:
                for event in _numbered(record, numbers):
                    yield record, event
                    numbers = event.after
            position = records[-1].position

    def _origin(self, record: Record) -> Origin:
        stimulus = STIMULUS.decode(record.stimulus, f"record {record.position}")
        return Origin(
            node=self._node,
            table=record.table,
            epoch=self._journal.epoch,
            seq=record.seq,
            time=record.utc,
            cause=cause_of(stimulus),
            causeid=_command_id(record),
        )


def _numbered(record: Record, before: Numbers) -> list[Numbered]:
    if record.seq == before.seq:
        return []
    try:
        effects = EFFECTS.decode(record.effects, f"record {record.position}")
    except JournalError as error:
        message = (
            f"events {before.seq + 1} to {record.seq} of table {record.table} cannot be read again,"
            f" ask for those after {record.seq}: {error}"
        )
        raise JournalError(message) from error
    return renumbered(record, effects, before)


def _command_id(record: Record) -> str:
    """Return the id of the order as its sender chose it; a share of one has the table behind it."""
    return record.origin.command.partition("/")[0] if record.origin else ""
