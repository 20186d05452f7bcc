"""A whole table played in virtual time through the pure core, without loop, record or wire."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from controller.table_core import Effect, Stimulus, TableRules, TableState, fresh, step
from table.commands import ALWAYS, Command, Ordered, Precondition
from table.events import Call, ClaimPressed, DealEnded, DiscardPressed, Observed, TableEvent
from table.moment import Interval, Moment, Quality
from tests.scoring import cases
from tests.timing.books import MCR, MCR_WALL, seconds
from timing.machine_rules import MachineRules

CYCLE = MachineRules(seconds(30), seconds(60), seconds(120))
RULES = TableRules(MCR, cases.MCR, MCR_WALL, CYCLE)
E = TypeVar("E")


@dataclass
class Table:
    """A table in virtual time; each method returns what followed."""

    rules: TableRules = RULES
    state: TableState = field(default_factory=lambda: fresh("t1"))

    def happens(self, at: float, stimulus: Stimulus) -> tuple[Effect, ...]:
        taken = step(self.rules, self.state, stimulus, moment(at))
        self.state = taken.state
        return taken.effects

    def sees(self, at: float, event: TableEvent, *, late: float = 0) -> tuple[Effect, ...]:
        """Let an event happen and be told so many seconds late, as after an outage."""
        when = Interval.exactly(moment(at), Quality.DEVICE)
        return self.happens(at + late, Observed(event, when, replayed=late > 0))

    def order(
        self, at: float, command: Command, precondition: Precondition = ALWAYS
    ) -> tuple[Effect, ...]:
        return self.happens(at, Ordered(command, "referee-1", precondition))

    def late_pung(self, at: float = 0) -> tuple[Effect, ...]:
        """Let the seat across call pung 4 s after the first discard."""
        self.sees(at, DealEnded())
        discarder = self.state.hand.dealer
        self.sees(at + 5, DiscardPressed(discarder))
        return self.sees(at + 9, ClaimPressed(discarder.opposite, Call.PUNG))


def moment(at: float) -> Moment:
    return Moment(0) + timedelta(seconds=at)


def only(effects: tuple[Effect, ...], kind: type[E]) -> E:
    (found,) = (one for one in effects if isinstance(one, kind))
    return found
