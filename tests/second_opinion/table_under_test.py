"""The whole table core, told the same story as the checker."""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from config.models import Event, Node, Settings
from controller.table_core import Effect, TableRules, TableState, fresh, step
from controller.table_rules import rules_of
from scoring.alert import STANDING, UNDECIDED, Alert, AlertStatus
from scoring.ledger import ledger
from table.alert_commands import Confirm, Reverse, TakeUp, Waive
from table.commands import Command, Ordered
from table.events import Woken
from table.fouls import FoulKind, FoulSeen, OverrunRecorded, TooClose
from table.moment import Elapsed, Moment
from table.seat import Seat
from tests.second_opinion.amounts import Bill, bill, proposal
from tests.second_opinion.amounts import step as step_of
from tests.second_opinion.checker import opinion
from tests.second_opinion.limits import Book
from tests.second_opinion.opinions import Measured
from tests.second_opinion.spans import Span, micros
from tests.second_opinion.story import Happening, Ruling, Story
from timing.effects import HandEnded

MADE_UP = Path(__file__).parent / "made-up.toml"


@cache
def rules_for(name: str, *, reaching: bool) -> TableRules:
    """Return the rules of a book as the program ships them."""
    ruleset = str(MADE_UP) if name == "made-up" else name
    event = Event(ruleset=ruleset, press_is_the_call=not reaching)
    return rules_of(Settings(node=Node(id="n1", venue="v1"), event=event))


@dataclass
class Run:
    """What the core made of a story."""

    rules: TableRules
    state: TableState = field(default_factory=lambda: fresh("t1"))
    effects: list[Effect] = field(default_factory=list)

    def tell(self, told: int, happening: Happening) -> None:
        stimulus = self._ordered(happening) if isinstance(happening, Ruling) else happening
        if stimulus is not None:
            taken = step(self.rules, self.state, stimulus, Moment(told))
            self.state = taken.state
            self.effects.extend(taken.effects)
            if isinstance(happening, Ruling) and isinstance(stimulus, Ordered):
                self._after_taking_up(told, happening, stimulus)

    def wake(self, moment: int) -> None:
        """Let time pass."""
        taken = step(self.rules, self.state, Woken(), Moment(moment))
        self.state = taken.state
        self.effects.extend(taken.effects)

    def _after_taking_up(self, told: int, ruling: Ruling, order: Ordered) -> None:
        if isinstance(order.command, TakeUp):
            self.tell(told, ruling)

    def alert(self, kind: FoulKind, seat: Seat, number: int) -> Alert | None:
        same = [
            alert
            for alert in self.state.docket.alerts.values()
            if (alert.foul.kind, alert.foul.seat) == (kind, seat)
        ]
        return same[number - 1] if len(same) >= number else None

    def _ordered(self, ruling: Ruling) -> Ordered | None:
        alert = self.alert(ruling.kind, ruling.seat, ruling.number)
        return Ordered(_command(alert, ruling.verb), "referee-1") if alert else None


def _command(alert: Alert, verb: str) -> Command:
    if alert.status is AlertStatus.UNCLAIMED and verb != "reverse":
        return TakeUp(alert.id, alert.revision)
    if verb == "confirm":
        return Confirm(alert.id, alert.revision)
    if verb == "waive":
        return Waive(alert.id, alert.revision, "an elbow")
    return Reverse(alert.id, alert.revision, "another player")


def played(rules: TableRules, story: Story) -> Run:
    """Tell the core a story."""
    run = Run(rules)
    for told, happening in story:
        run.tell(told, happening)
    return run


def rules_of_event(book: Book) -> TableRules:
    return rules_for(book.name, reaching=book.reach is not None)


def disagreements(book: Book, story: Story, rules: TableRules | None = None) -> list[str]:
    """Say in which points core and checker differ about a story."""
    made, run = opinion(book, story), played(rules or rules_of_event(book), story)
    found = [
        *_differ("foul", made.fouls, _fouls(run)),
        *_differ(
            "too close", [replace(one, presumed=False) for one in made.too_close], _too_close(run)
        ),
        *_differ("recorded", made.recorded, _recorded(run)),
    ]
    ended = [one for one in run.effects if isinstance(one, HandEnded)]
    if [one.winners for one in ended] != [made.winners]:
        found.append(f"winners: {made.winners}, the core says {[one.winners for one in ended]}")
    rulings = [one for _, one in story if isinstance(one, Ruling)]
    return [*found, *_bills_differ(book, bill(book, made.fouls, rulings), run)]


def _differ(what: str, checker: list[Measured], core: list[Measured]) -> list[str]:
    mine, theirs = Counter(checker), Counter(core)
    return [
        *(f"{what} that only the checker sees: {one}" for one in (mine - theirs).elements()),
        *(f"{what} that only the core sees: {one}" for one in (theirs - mine).elements()),
    ]


def _span(elapsed: Elapsed | None) -> Span | None:
    return Span(micros(elapsed.least), micros(elapsed.most)) if elapsed else None


def _fouls(run: Run) -> list[Measured]:
    return [
        Measured(
            one.kind,
            one.seat,
            _span(one.measured),
            None if one.limit is None else micros(one.limit),
            one.presumed,
        )
        for one in run.effects
        if isinstance(one, FoulSeen) and one.kind is not FoulKind.OVERTIME_SUM
    ]


def _too_close(run: Run) -> list[Measured]:
    return [
        Measured(one.kind, one.seat, _span(one.measured), micros(one.limit))
        for one in run.effects
        if isinstance(one, TooClose)
    ]


def _recorded(run: Run) -> list[Measured]:
    return [
        Measured(one.kind, one.seat, _span(one.measured), micros(one.limit), presumed=True)
        for one in run.effects
        if isinstance(one, OverrunRecorded)
    ]


def _bills_differ(book: Book, made: Bill, run: Run) -> list[str]:
    found: list[str] = []
    for case in made.cases:
        alert = run.alert(case.foul.kind, case.foul.seat, case.number)
        if alert is None:
            found.append(f"no alert for {case}")
            continue
        imposed = str(alert.imposed) if alert.imposed else ""
        if imposed != case.imposed:
            found.append(f"{case}: the core has imposed {imposed!r}")
        if alert.status in (*UNDECIDED, *STANDING):
            wanted = step_of(made, case), proposal(book, case.foul, step_of(made, case))
            if (alert.step, str(alert.proposal)) != wanted:
                found.append(f"{case}: step and proposal {wanted}, the core {alert.proposal}")
    return [*found, *_sums_differ(made, run)]


def _sums_differ(made: Bill, run: Run) -> list[str]:
    sums = {
        alert.foul.seat
        for alert in run.state.docket.alerts.values()
        if alert.foul.kind is FoulKind.OVERTIME_SUM and alert.status is not AlertStatus.DROPPED
    }
    found = [] if sums == made.sums else [f"overtime sum: {made.sums}, the core says {sums}"]
    totals = ledger(run.state.docket).totals
    for seat, player in run.state.hand.players.items():
        if totals.get(player, 0) != made.points[seat]:
            found.append(f"{player}: {made.points[seat]} points, the core {totals.get(player, 0)}")
    return found
