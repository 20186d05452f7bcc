"""Numbers a table's events: alike when they are first sent and when they are sent again; pure.

The numbers themselves are kept in two places: `TableMemory` has the newest ones while the daemon
runs, and each record of the journal has the newest number behind it. What everyone may read is not
written down beside it; it follows from the kinds of what followed.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias, get_args

from controller.journal import Record
from mqtt.events import Audience, Described, Effect, Origin, audience, envelope, told
from mqtt.payloads import EventEnvelope
from mqtt.topics import Root
from table.answers import Refused

Kind: TypeAlias = type[Effect]
_KINDS: dict[str, Kind] = {kind.__name__: kind for kind in get_args(Effect)}
_AUDIENCES: dict[Kind, Audience | None] = {
    # Who may hear of an event depends on nothing that an event of its class could hold.
    kind: audience(object.__new__(kind))
    for kind in _KINDS.values()
}


@dataclass(frozen=True, slots=True)
class Numbers:
    """The newest numbers of a table's events, 0 before the first."""

    seq: int = 0
    public: int = 0
    """The newest that everyone may read."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """An event with its number, and the numbers that were the newest before it."""

    described: Described
    audience: Audience
    before: Numbers

    @property
    def seq(self) -> int:
        """Its number."""
        return self.before.seq + 1

    @property
    def after(self) -> Numbers:
        """The newest numbers with it."""
        public = self.seq if self.audience is Audience.EVERYONE else self.before.public
        return Numbers(self.seq, public)


def numbered(effects: Sequence[Effect], before: Numbers) -> list[Numbered]:
    """Number the events among what followed from a stimulus that is happening now."""
    return list(_numbered(effects, _audiences(map(type, effects)), before))


def renumbered(record: Record, effects: Sequence[Effect], before: Numbers) -> list[Numbered]:
    """Number the events of a record as they were numbered when they happened.

    Args:
        record: says how many numbers they took.
        effects: what followed, as the record has it.
        before: the newest numbers before the record.
    """
    heard = _audiences_then([type(effect) for effect in effects], record.seq - before.seq)
    first = record.seq - sum(who is not None for who in heard)
    return list(_numbered(effects, heard, replace(before, seq=first)))


def message(event: Numbered, root: Root, origin: Origin) -> EventEnvelope:
    """Return an event as it is sent.

    Args:
        event: it and its number.
        root: the topics of the venue.
        origin: what all events of one record share; its number is not looked at.
    """
    own = replace(origin, seq=event.seq, previous=event.before.public)
    return envelope(event.described, root, own)


def newest(records: Iterable[Record]) -> Numbers:
    """Return the newest numbers of a table.

    Args:
        records: its records, the newest first; only as many are read as are needed.
    """
    seq: int | None = None
    for record, earlier in pairwise(_and_before_the_first(records)):
        first = earlier.seq if earlier else 0
        seq = record.seq if seq is None and record else seq
        public = _public(record, first) if record else 0
        if public:
            return Numbers(seq or 0, public)
    return Numbers(seq or 0, 0)


def _and_before_the_first(records: Iterable[Record]) -> Iterator[Record | None]:
    yield from records
    yield None


def _public(record: Record, first: int) -> int:
    """Return the newest number of a record that everyone may read, 0 where it has none."""
    heard = [who for who in _audiences_then(_kinds(record), record.seq - first) if who]
    numbers = range(record.seq, record.seq - len(heard), -1)
    public = (
        number
        for number, who in zip(numbers, reversed(heard), strict=True)
        if who is Audience.EVERYONE
    )
    return next(public, 0)


def _kinds(record: Record) -> list[Kind]:
    """Return the kinds of what followed, which records of every version tell.

    A kind that this version does not know was not for everyone, or counts as a refusal does.
    """
    try:
        return [_KINDS.get(one["type"], Refused) for one in json.loads(record.effects)]
    except (ValueError, LookupError, TypeError):  # damaged; the check of the chain tells of it
        return []


def _numbered(
    effects: Sequence[Effect], heard: Sequence[Audience | None], before: Numbers
) -> Iterator[Numbered]:
    for effect, who in zip(effects, heard, strict=True):
        if who is not None and (described := told(effect)) is not None:
            event = Numbered(described, who, before)
            before = event.after
            yield event


def _audiences(kinds: Iterable[Kind]) -> list[Audience | None]:
    return [_AUDIENCES[kind] for kind in kinds]


def _audiences_then(kinds: Sequence[Kind], taken: int) -> list[Audience | None]:
    """Return who could hear of each effect; before version 1.2 a refusal was an event, too."""
    heard = _audiences(kinds)
    formerly = [
        Audience.OFFICIALS if issubclass(kind, Refused) else who
        for kind, who in zip(kinds, heard, strict=True)
    ]
    counted = sum(who is not None for who in formerly)
    return formerly if counted == taken else heard
