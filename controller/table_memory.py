"""What of a table outlives the daemon, and how it is written."""

from dataclasses import dataclass

from controller.records import Codec
from controller.table_core import Effect, Stimulus, TableState


@dataclass(frozen=True, slots=True)
class TableMemory:
    """What of a table outlives the daemon."""

    state: TableState
    seq: int
    """The number of the newest event."""
    raised: dict[str, str]
    """When each alert was raised, in UTC; the core knows only the moments of one session."""


STIMULUS: Codec[Stimulus] = Codec(Stimulus)
EFFECTS: Codec[tuple[Effect, ...]] = Codec(tuple[Effect, ...])
MEMORY: Codec[TableMemory] = Codec(TableMemory)
