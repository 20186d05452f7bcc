"""A journal in lines for people: records by their numbers, and whether its chain is whole."""

from collections.abc import Iterator, Sequence

from controller.journal import Record
from controller.journal_reader import JournalReader
from controller.table_memory import EFFECTS
from controller.wording import line
from mqtt.events import described
from table.errors import JournalError


def shown(reader: JournalReader, numbers: Sequence[int]) -> Iterator[str]:
    """Tell records as they stand: when, which table, on whose order, what was heard, what followed.

    Raises:
        JournalError: the journal cannot be read, or has no record of a number.
    """
    wanted = set(numbers)
    found = {one.position: one for one in reader.records() if one.position in wanted}
    if missing := sorted(wanted - set(found)):
        named = ", ".join(map(str, missing))
        message = f"the journal has no record {named}"
        raise JournalError(message)
    for number in numbers:
        yield from _told(found[number])


def verdict(reader: JournalReader) -> str | None:
    """Return what is wrong with the chain, or None where every record is as it was written.

    Raises:
        JournalError: the journal cannot be read.
    """
    changed = reader.verify()
    return None if changed is None else f"record {changed} is not as it was written"


def _told(record: Record) -> Iterator[str]:
    time = record.utc.strftime("%Y-%m-%d %H:%M:%S.%f")
    yield f"record {record.position}, {time} UTC, table {record.table}{_by(record)}"
    yield f"    heard: {record.stimulus}"
    yield from (f"    {told}" for told in _effects(record))
    yield f"    chain: {record.head}"


def _by(record: Record) -> str:
    origin = record.origin
    return f", ordered by {origin.person} through {origin.login}" if origin else ""


def _effects(record: Record) -> Iterator[str]:
    """Put what followed into sentences; of another version's record the text as it stands."""
    try:
        effects = EFFECTS.decode(record.effects, f"record {record.position}")
    except JournalError:
        yield f"followed: {record.effects}"
        return
    for event in filter(None, map(described, effects)):
        yield line(event.kind, event.data)
