"""A table whose turns are kept in a journal, in a time that the test sets; no loop, no wire."""

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias

from controller.journal import Boot, Journal
from controller.node import Node
from controller.recovery import recover
from controller.table_core import Stimulus, TableRules, step
from controller.table_memory import TableMemory
from controller.table_record import TableRecord
from controller.table_turn import Turn
from scoring.effects import AlertRaised, AlertRecorded, RulingMade
from table.moment import Moment
from tests.controller.live_table import ROOT, HeardPress
from tests.controller.notebook import Notebook

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
START = Moment(0)
BOOT = Boot("9f3c", START, NOON, "0.1.0")


@dataclass
class SetClock:
    """Obeys `controller.clock.Clock`; shows what it is set to."""

    at: Moment = START

    def now(self) -> Moment:
        return self.at

    def utc(self) -> datetime:
        return NOON + (self.at - START)

    async def sleep_until(self, moment: Moment) -> None:
        self.at = moment


Kept: TypeAlias = tuple[Turn, "asyncio.Future[bool]"]
"""A turn, and whether it is durable."""


class Table:
    """A table whose turns are kept in a journal, as one run of the daemon has it."""

    def __init__(
        self, rules: TableRules, journal: Journal, turns: list[Kept] | None = None
    ) -> None:
        self._rules = rules
        self._clock = SetClock()
        self.press = HeardPress()
        node = Node("node-1", ROOT, self._clock, START, journal, self.press)
        self.record = TableRecord(node, "Table 1", rules, recover(journal, rules, "t1"))
        self.turns: list[Kept] = [] if turns is None else turns
        self.raised: dict[str, str] = {}
        self.ruled: dict[str, str] = {}

    def happens(self, now: Moment, stimulus: Stimulus) -> None:
        self._clock.at = now
        turn = Turn(stimulus, step(self._rules, self.record.state, stimulus, now), now)
        kept = self.record.keep(turn)
        if kept is not None:
            self.turns.append((turn, kept))
        for effect in turn.taken.effects:
            if isinstance(effect, AlertRaised | AlertRecorded):
                self.raised[effect.alert.id] = str(self._clock.utc())
            if isinstance(effect, RulingMade):
                self.ruled[effect.alert.id] = str(self._clock.utc())

    @property
    def memory(self) -> TableMemory:
        return replace(
            self.record.kept, state=self.record.state, raised=self.raised, ruled=self.ruled
        )


async def let(deed: str, journal: Notebook) -> None:
    """Have the journal write, or its disk be full, or everybody hear of it."""
    match deed:
        case "write":
            journal.write()
        case "fill the disk":
            journal.write(full=True)
        case "settle":
            for _ in range(3):
                await asyncio.sleep(0)
        case _:
            pass
