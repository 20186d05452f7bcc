"""What the journal knows of dice and machines: every throw with its values, every cycle's time."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from controller.journal import Record
from controller.node_record import node_of
from controller.table_core import Stimulus
from controller.table_memory import STIMULUS
from table.commands import EnterDice, Ordered
from table.errors import JournalError
from table.events import (
    CyclePaused,
    CycleStarted,
    DiceRolled,
    FaultRaised,
    LinkDown,
    MachineStopped,
    Observed,
    Restarted,
    TableRebooted,
    WallRaised,
    WallReady,
)
from table.moment import Interval, elapsed
from timing.cycle_times import CycleTimes, summed_up
from timing.fair_dice import SHARE, Verdict, counted, judge, throws_needed
from timing.machine_dice import throw_of
from timing.wall import Throw

_CUTS = MachineStopped | CyclePaused | TableRebooted | FaultRaised
_TELLING = tuple(
    f'"{word.__name__}"'
    for word in (
        CyclePaused,
        CycleStarted,
        DiceRolled,
        EnterDice,
        FaultRaised,
        LinkDown,
        MachineStopped,
        Restarted,
        TableRebooted,
        WallRaised,
        WallReady,
    )
)
_MOST_THROWS = 2
"""Of a wall; beyond it a person's reading begins anew (`timing.machine_dice`)."""


@dataclass(slots=True)
class TableHistory:
    """What was seen at one table, oldest first."""

    throws: list[Throw] = field(default_factory=list)
    unread: int = 0
    """Throws whose values nobody knows."""
    cycles: list[tuple[datetime, timedelta]] = field(default_factory=list)
    """When each cycle ended, and how long it took."""
    unreadable: int = 0
    """Records of another version that might have told something."""
    since: datetime | None = None
    until: datetime | None = None
    """When something was first and last seen of dice or machine."""


@dataclass(frozen=True, slots=True)
class TableFairness:
    """What may be said of one table."""

    table: str
    history: TableHistory
    dice: Verdict
    cycles: CycleTimes | None


@dataclass(frozen=True, slots=True)
class Fairness:
    """What may be said of all tables of a journal."""

    tables: tuple[TableFairness, ...]
    share: float
    """Of so many halls with fair dice one at most has any table called odd."""
    throws_needed: int
    """So many throws of a table show one face that comes up in a quarter of them."""


def fairness(records: Iterable[Record], tables: Iterable[str] = ()) -> Fairness:
    """Judge everything that the records of a journal tell, in their order.

    Args:
        records: of all tables.
        tables: those to tell of in any case.
    """
    gathered = {table: _Gathering() for table in tables}
    for record in records:
        if node_of(record.table) is None:
            gathered.setdefault(record.table, _Gathering()).take(record)
    histories = {table: gathered[table].done() for table in sorted(gathered)}
    verdicts = judge([counted(one.throws) for one in histories.values()])
    told = (
        TableFairness(
            table, one, verdict, summed_up([took for _, took in one.cycles], len(histories))
        )
        for (table, one), verdict in zip(histories.items(), verdicts, strict=True)
    )
    return Fairness(tuple(told), SHARE, throws_needed(len(histories)))


class _Gathering:
    """Gathers one table's throws and cycles record by record."""

    def __init__(self) -> None:
        self._history = TableHistory()
        self._wall: list[Throw | None] = []
        """The throws of the present wall; a person's reading takes the place of the table's."""
        self._started: Interval | None = None

    def take(self, record: Record) -> None:
        """Take in one more record."""
        if any(word in record.stimulus for word in _TELLING):
            try:
                self._hear(STIMULUS.decode(record.stimulus, f"record {record.position}"), record)
            except JournalError:
                self._history.unreadable += 1
        if '"HandEnded"' in record.effects and '"Ordered"' in record.stimulus:
            self._settle()  # the machine forgets the throws of a hand that a person ended

    def done(self) -> TableHistory:
        """Return what was gathered."""
        self._settle()
        return self._history

    def _hear(self, stimulus: Stimulus, record: Record) -> None:
        match stimulus:
            case Observed(event=DiceRolled(values=values)):
                self._wall.append(throw_of(values))
            case Ordered(command=EnterDice() as entry) if '"DiceThrown"' in record.effects:
                self._enter(entry)
            case Observed(event=WallRaised()):
                self._settle()
            case Observed(event=CycleStarted(), when=when):
                self._started = when
            case Observed(event=WallReady(), when=when):
                self._finish(when, record.utc)
            case Observed(event=event) if isinstance(event, _CUTS):
                self._started = None
                return
            case LinkDown() | Restarted():
                self._started = None
                return
            case _:
                return
        self._history.since = self._history.since or record.utc
        self._history.until = record.utc

    def _enter(self, entry: EnterDice) -> None:
        if len(self._wall) > _MOST_THROWS:
            self._settle()
        self._wall += [None] * (entry.throw - len(self._wall))
        self._wall[entry.throw - 1] = throw_of(entry.values)

    def _settle(self) -> None:
        known = [one for one in self._wall if one is not None]
        self._history.throws += known
        self._history.unread += len(self._wall) - len(known)
        self._wall = []

    def _finish(self, when: Interval, utc: datetime) -> None:
        """Take the end of a cycle whose beginning was seen in the same run of the daemon."""
        if self._started is not None:
            span = elapsed(self._started, when)
            self._history.cycles.append((utc, (span.least + span.most) / 2))
        self._started = None
