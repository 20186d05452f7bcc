"""What of a table outlives the daemon, and how it is written."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from controller.evidence import Evidence
from controller.numbering import Numbers
from controller.records import Codec
from controller.records_former import renewed
from controller.table_core import Effect, Step, Stimulus, TableState, fresh
from scoring.effects import AlertRaised, AlertRecorded, RulingMade
from table.events import Observed
from table.moment import DeviceNumber, Moment
from table.seat import Seat


@dataclass(frozen=True, slots=True)
class TableMemory:
    """What of a table outlives the daemon."""

    state: TableState
    seq: int
    """The number of the newest event."""
    raised: dict[str, str]
    """When each alert came up, in UTC; the core knows only the moments of one session."""
    ruled: dict[str, str]
    """When each alert was last ruled on, in UTC."""
    evidence: Evidence = field(default_factory=Evidence)
    """The records of its alerts, as far as they are durable."""
    called: dict[Seat, str] = field(default_factory=dict)
    """When each seat called that waits for the referee, in UTC."""
    public: int = 0
    """The number of the newest event that everyone may read; at a start it is read from the
    records (`controller.recovery`), as what was written before version 1.2 does not say it."""

    heard: DeviceNumber | None = None
    """The newest numbered report of the table's box that is durable; it may be told again."""

    @property
    def numbers(self) -> Numbers:
        """The newest numbers of its events."""
        return Numbers(self.seq, self.public)

    def after(self, taken: Step, numbers: Numbers, utc: datetime) -> "TableMemory":
        """Return what is to be remembered after one more step of the core."""
        raised = {
            one.alert.id: str(utc)
            for one in taken.effects
            if isinstance(one, AlertRecorded | AlertRaised)
        }
        ruled = {one.alert.id: str(utc) for one in taken.effects if isinstance(one, RulingMade)}
        return replace(
            self,
            state=taken.state,
            seq=numbers.seq,
            public=numbers.public,
            raised=self.raised | raised if raised else self.raised,
            ruled=self.ruled | ruled if ruled else self.ruled,
            called={
                call.seat: self.called.get(call.seat, str(utc)) for call in taken.state.hand.calls
            },
        )

    def recorded(
        self, stimulus: Stimulus, effects: tuple[Effect, ...], moment: Moment, record: int
    ) -> "TableMemory":
        """Return what is to be remembered once a step is a durable record."""
        after = self.evidence.after(stimulus, effects, moment, record)
        number = stimulus.number if isinstance(stimulus, Observed) else None
        return replace(self, evidence=after, heard=number or self.heard)


def nothing(table: str) -> TableMemory:
    """Return what is remembered of a table that was never seen."""
    return TableMemory(fresh(table), 0, {}, {})


STIMULUS: Codec[Stimulus] = Codec(Stimulus)
EFFECTS: Codec[tuple[Effect, ...]] = Codec(tuple[Effect, ...])
MEMORY: Codec[TableMemory] = Codec(TableMemory, renewed)
