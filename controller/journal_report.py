"""A journal in lines for people: records by their numbers, and whether its chain is whole."""

from collections.abc import Iterator, Sequence

from controller.certificate_records import DEED, PART, deed_told
from controller.journal import Record
from controller.journal_reader import JournalReader
from controller.node_record import OF_AN_ORDER, node_of, sentence
from controller.table_memory import EFFECTS
from controller.wording import line
from mqtt.events import told
from table.errors import JournalError
from table.printable import printable


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
        yield from map(printable, _told(found[number]))


def verdict(reader: JournalReader) -> str | None:
    """Return what is wrong with the chain, or None where every record is as it was written.

    Raises:
        JournalError: the journal cannot be read.
    """
    changed = reader.verify()
    return None if changed is None else f"record {changed} is not as it was written"


def _told(record: Record) -> Iterator[str]:
    time = record.utc.strftime("%Y-%m-%d %H:%M:%S.%f")
    yield f"record {record.position}, {time} UTC, {_where(record)}{_by(record)}"
    yield f"    heard: {record.stimulus}"
    yield from (f"    {followed}" for followed in _followed(record))
    yield f"    chain: {record.head}"


def _where(record: Record) -> str:
    node = node_of(record.table)
    return f"table {record.table}" if node is None else f"node {node}".strip()


def _by(record: Record) -> str:
    origin = record.origin
    if origin is None:
        return ""
    person = origin.person or "somebody unnamed"
    command = f", command {origin.command}" if origin.command else ""
    return f", ordered by {person} through {origin.login}{command}"


def _followed(record: Record) -> list[str]:
    """Put what followed into sentences; of another version's record the text as it stands."""
    place = f"record {record.position}"
    try:
        if record.table == PART:
            return [deed_told(DEED.decode(record.effects, place))]
        if node_of(record.table) is not None:
            return [sentence(OF_AN_ORDER.decode(record.effects, place))]
        effects = EFFECTS.decode(record.effects, place)
    except JournalError:
        return [f"followed: {record.effects}"]
    return [line(event.kind, event.data) for event in filter(None, map(told, effects))]
