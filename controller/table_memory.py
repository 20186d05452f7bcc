"""What of a table outlives the daemon, and how it is written."""

from dataclasses import dataclass
from datetime import datetime

from controller.records import Codec
from controller.table_core import Effect, Step, Stimulus, TableState, fresh
from scoring.effects import AlertRaised, RulingMade


@dataclass(frozen=True, slots=True)
class TableMemory:
    """What of a table outlives the daemon."""

    state: TableState
    seq: int
    """The number of the newest event."""
    raised: dict[str, str]
    """When each alert was raised, in UTC; the core knows only the moments of one session."""
    ruled: dict[str, str]
    """When each alert was last ruled on, in UTC."""

    def after(self, taken: Step, seq: int, utc: datetime) -> "TableMemory":
        """Return what is to be remembered after one more step of the core."""
        raised = {one.alert.id: str(utc) for one in taken.effects if isinstance(one, AlertRaised)}
        ruled = {one.alert.id: str(utc) for one in taken.effects if isinstance(one, RulingMade)}
        return TableMemory(
            taken.state,
            seq,
            self.raised | raised if raised else self.raised,
            self.ruled | ruled if ruled else self.ruled,
        )


def nothing(table: str) -> TableMemory:
    """Return what is remembered of a table that was never seen."""
    return TableMemory(fresh(table), 0, {}, {})


STIMULUS: Codec[Stimulus] = Codec(Stimulus)
EFFECTS: Codec[tuple[Effect, ...]] = Codec(tuple[Effect, ...])
MEMORY: Codec[TableMemory] = Codec(TableMemory)
