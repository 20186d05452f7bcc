"""Whether a payload is what the journal says, and behind which record."""

from collections.abc import Iterator, Sequence

from mqtt.parts import Face
from mqtt.payloads import TableSnapshot, Timers
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.topics import Address, TopicKind
from tests.journeys.chaos_truth import Point, TableTruth, Truth, digest, plain

COMPARED = (TopicKind.STATE, TopicKind.TIMERS, TopicKind.ALERT, TopicKind.LEDGER)


def fits(truth: Truth, address: Address, payload: bytes) -> list[int]:
    """Return the places in the record that a payload is true of, in order; empty: it is untrue.

    They are numbers of records for snapshots and clocks, otherwise numbers of the payloads that
    stood on the topic one after the other.
    """
    table = truth.tables.get(address.table)
    if table is None:
        return []
    match address.kind:
        case TopicKind.STATE:
            return sorted(_states(truth, table, TableSnapshot.model_validate_json(payload)))
        case TopicKind.TIMERS:
            return sorted(_timers(truth, table, Timers.model_validate_json(payload)))
        case TopicKind.ALERT:
            shown = plain(AlertPayload.model_validate_json(payload)) if payload else None
            return _places(table.alerts.get(address.name, [None]), shown)
        case _:
            return _places(table.ledgers, digest(LedgerPayload.model_validate_json(payload)))


def newest(truth: Truth, address: Address) -> int:
    """Return the place of what is true now."""
    table = truth.tables[address.table]
    match address.kind:
        case TopicKind.STATE | TopicKind.TIMERS:
            last = table.points[-1]
            alike = (one for one in _numbered(table, table.seq) if one.linked == last.linked)
            return min(one.position for one in alike)
        case TopicKind.ALERT:
            return len(table.alerts.get(address.name, [None])) - 1
        case _:
            return len(table.ledgers) - 1


def was_never_recorded(truth: Truth, address: Address, payload: bytes, session: int) -> bool:
    """Say whether a display was shown right before its daemon was killed, and nothing else knew.

    Args:
        truth: as the journal has it.
        address: of a snapshot or of clocks.
        payload: what was shown.
        session: the newest that was online by then.
    """
    if address.kind not in {TopicKind.STATE, TopicKind.TIMERS}:
        return False
    read = TableSnapshot if address.kind is TopicKind.STATE else Timers
    as_of = read.model_validate_json(payload).as_of_ms
    ends = truth.ends_of(truth.tables[address.table])
    return any(truth.moment(ended, as_of) > end for ended, end in ends.items() if ended >= session)


def _places(past: Sequence[object], shown: object) -> list[int]:
    return [place for place, one in enumerate(past) if one == shown]


def _numbered(table: TableTruth, seq: int) -> Iterator[Point]:
    for point in reversed(table.points):
        if point.seq < seq:
            return
        if point.seq == seq:
            yield point


def _states(truth: Truth, table: TableTruth, shown: TableSnapshot) -> Iterator[int]:
    said = plain(shown)
    for point in _numbered(table, shown.seq):
        if truth.state_at(point, shown) == said:
            yield point.position


def _timers(truth: Truth, table: TableTruth, shown: Timers) -> Iterator[int]:
    for point in _numbered(table, shown.seq):
        early, late = map(_faces, truth.timers_at(point, shown))
        said = _faces(shown)
        if len(said) == len(early) == len(late) and all(map(_between, said, early, late)):
            yield point.position


def _faces(clocks: Timers) -> list[Face | None]:
    return [*clocks.seats.values(), clocks.window, *clocks.totals.values()]


def _between(shown: Face | None, early: Face | None, late: Face | None) -> bool:
    if shown is None or early is None or late is None:
        return shown is None and (early is None or late is None)
    same = all(
        getattr(shown, field) == getattr(early, field) for field in ("kind", "running", "total_ms")
    )
    over = shown.over in {early.over, late.over}
    return same and over and late.remaining_ms <= shown.remaining_ms <= early.remaining_ms
