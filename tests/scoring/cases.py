"""Fouls, rules and a running docket, as the tests of this room speak of them.

The books are typed by hand here, so that the room is tested against the article and not against
what the shipped rule sets happen to say.
"""

from dataclasses import dataclass, field, replace
from datetime import timedelta

from scoring import docket
from scoring.alert import Alert
from scoring.docket import Charged, Docket, DocketStimulus, Entered, HandBegan
from scoring.effects import DocketEffect
from scoring.rules import AlertPolicy, FoulRules, Ladder, Powers, Scope, Started, SumRule
from table.alert_commands import (
    Acknowledge,
    AddNote,
    AlertCommand,
    Confirm,
    EnterFoul,
    Escalate,
    Modify,
    Reverse,
    TakeUp,
    Undo,
    Waive,
)
from table.answers import Refused
from table.commands import Ordered
from table.events import Woken
from table.fouls import FoulKind, FoulSeen
from table.moment import MICROSECOND, MILLISECOND, Elapsed, Interval, Moment, Quality
from table.sanctions import CHOICE, WARNING, Measure, Sanction, SanctionKind, measure, points
from table.sanctions import pay_each as each
from table.seat import BySeat, Seat

SECOND = timedelta(seconds=1)
START = Moment(0)
LEASE = timedelta(seconds=60)
PLAYERS = BySeat("bob", "cid", "ann", "dan")
LATE, SLOW, TOTAL = FoulKind.LATE_PUNG, FoulKind.DISCARD_OVER_LIMIT, FoulKind.HAND_TOTAL_OVER
SUM, CHEATED = FoulKind.OVERTIME_SUM, FoulKind.CHEATING
EXPOSED, DISTURBED = FoulKind.OTHERS_TILES_EXPOSED, FoulKind.HAND_OR_WALL_DISTURBED


def to_player(amount: int, to: str = "") -> Sanction:
    """Return a payment to the player who was harmed."""
    return Sanction(SanctionKind.PAY_PLAYER, amount, (), to)


BOOK = "mcr-2014 art. 11 (违例 5, 罚分 2)"
AMOUNTS = (5, 10, 20, 30, 40, 50, 60)
STEPS = (WARNING, *map(points, AMOUNTS))
MCR = FoulRules(
    "mcr-2014",
    {
        LATE: Ladder(STEPS, BOOK),
        SLOW: Ladder(STEPS, BOOK),
        FoulKind.EARLY_DRAW: Ladder(STEPS, "mcr-2014 art. 11 (违例 3)"),
        FoulKind.EMPTY_CALL: Ladder(STEPS, "mcr-2014 art. 11 (违例 4)"),
        FoulKind.WRONG_MELD: Ladder((measure(Measure.NO_HU),), "mcr-2014 art. 11"),
        FoulKind.FALSE_HU: Ladder((each(10, Measure.NO_HU),), "mcr-2014 art. 11 (错和)"),
        FoulKind.HU_NOT_WAITING: Ladder((each(20, Measure.NO_HU),), "mcr-2014 art. 11 (诈和)"),
        EXPOSED: Ladder((CHOICE,), "mcr-2014 art. 11", choices=tuple(map(to_player, AMOUNTS))),
        DISTURBED: Ladder((each(30, Measure.HAND_VOID),), "mcr-2014 art. 11"),
        CHEATED: Ladder((measure(Measure.DISQUALIFIED),), "mcr-2014 art. 11", lapses=False),
    },
    LEASE,
    Powers(
        points=AMOUNTS,
        measures=frozenset({Measure.NO_HU, Measure.OUT_FOR_SESSION, Measure.DISQUALIFIED}),
        rule="mcr-2014 art. 11 (罚分 2)",
    ),
)
OUT = measure(Measure.OUT_FOR_SESSION)
JINGJI = FoulRules(
    "jingji-2012",
    {
        LATE: Ladder((WARNING, each(10), each(20), OUT), "jingji-2012 ch. 4 art. 2 (五)"),
        SLOW: Ladder((WARNING, each(10), each(20), CHOICE), "jingji-2012 ch. 4 art. 1"),
        FoulKind.EARLY_DRAW: Ladder((each(10), each(20), OUT), "jingji-2012 ch. 4 art. 2 (四)"),
        FoulKind.FALSE_HU: Ladder((each(10, Measure.MECHANICAL),), "jingji-2012 ch. 4 art. 2"),
        EXPOSED: Ladder((CHOICE,), "jingji-2012 ch. 4", choices=(to_player(10), to_player(20))),
        FoulKind.ODD_MOVEMENTS: Ladder(
            (WARNING, CHOICE), "jingji-2012 ch. 3 art. 7 (六)", lapses=False, scope=Scope.SESSION
        ),
    },
    LEASE,
    Powers(
        each=(10, 20, 30, 40, 50),
        player=(10, 20, 30, 40, 50),
        measures=frozenset({Measure.MECHANICAL, Measure.NO_HU, Measure.OUT_FOR_SESSION}),
        rule="jingji-2012 ch. 4 art. 1",
    ),
)
FIVE_EACH_15_S = Started(5, 15 * SECOND)
ON_CLAIM = AlertPolicy.ON_CLAIM
WSOM = FoulRules(
    "wsom-2010",
    {
        SLOW: Ladder((), "wsom-2010 打牌时限 §2", ON_CLAIM, started=FIVE_EACH_15_S),
        TOTAL: Ladder(
            (), "wsom-2010 打牌时限 §1", ON_CLAIM, lapses=False, started=FIVE_EACH_15_S
        ),
        SUM: Ladder((measure(Measure.WITHDRAWN),), "wsom-2010 打牌时限 §7", lapses=False),
        FoulKind.EARLY_DRAW: Ladder(
            (CHOICE,), "wsom-2010 摸打规条 §1", ON_CLAIM,
            choices=(measure(Measure.NO_HU_NO_CALLS),),
        ),
        FoulKind.SILENT_CALL: Ladder((WARNING, points(5)), "wsom-2010", scope=Scope.SESSION),
    },
    LEASE,
    Powers(
        points=(5, 10, 20, 30),
        measures=frozenset({Measure.NO_HU, Measure.NO_HU_NO_CALLS, Measure.WITHDRAWN}),
        rule="wsom-2010 罚则",
    ),
    SumRule(80, frozenset({SLOW, TOTAL}), "wsom-2010 打牌时限 §7"),
    frozenset({"chief"}),
)  # fmt: skip
FIFTH = FoulRules(
    "fifth",
    {
        LATE: Ladder((each(1), each(2)), "fifth §1", started=Started(1, 4 * SECOND)),
        SLOW: Ladder((points(7), WARNING), "fifth §2", margin=2 * SECOND, scope=Scope.SESSION),
        TOTAL: Ladder((CHOICE, OUT), "fifth §3", AlertPolicy.RECORD_ONLY),
        SUM: Ladder((points(3), measure(Measure.NO_CALLS)), "fifth §4", ON_CLAIM),
        CHEATED: Ladder((WARNING,), "fifth §5"),
    },
    20 * SECOND,
    Powers(
        warning=False, points=(7,), each=(1, 2), measures=frozenset({Measure.NO_CALLS}), rule="§9"
    ),
    SumRule(8, frozenset({LATE}), "fifth §4"),
    frozenset({"chief", "second chief"}),
)
"""A made-up book in which everything is otherwise."""
BOOKS = {rules.name: rules for rules in (MCR, JINGJI, WSOM, FIFTH)}


def with_ladder(kind: FoulKind, ladder: Ladder, rules: FoulRules = MCR) -> FoulRules:
    """Return the rules with another ladder for one kind."""
    return replace(rules, ladders=rules.ladders | {kind: ladder})


RECORDING = with_ladder(SLOW, Ladder(STEPS, BOOK, AlertPolicy.RECORD_ONLY))
SILENT = replace(MCR, ladders={})
"""A book that has limits but no ladder."""
KEEPING = with_ladder(SLOW, Ladder(STEPS, BOOK, lapses=False))
CLAIMING = with_ladder(SLOW, Ladder(STEPS, BOOK, ON_CLAIM))
WITH_CHIEF = replace(MCR, chiefs=frozenset({"chief", "second chief"}))


def seat_of(player: str) -> Seat:
    """Return where a player sits; whoever is nobody of ours sits at seat 3."""
    return next((seat for seat, name in PLAYERS.items() if name == player), Seat.THREE)


def foul(
    name: str, hand: str = "h1", kind: FoulKind = LATE, over: timedelta = 9 * MILLISECOND
) -> FoulSeen:
    """Return a foul of seat 3 that was seen, over its limit by the most favourable reading."""
    limit = timedelta(seconds=3)
    least = limit + over
    return FoulSeen(
        id=name,
        kind=kind,
        seat=Seat.THREE,
        hand=hand,
        measured=Elapsed(least, least + 2 * MILLISECOND),
        limit=limit,
        rule="mcr-2014 art. 6 (碰牌)",
        started=Interval.exactly(START, Quality.DEVICE),
        ended=Interval.exactly(START + least + MILLISECOND, Quality.DEVICE),
    )


def charge(seen: FoulSeen, player: str = "ann") -> Charged:
    """Return the charge of a foul to the player, who sits where the player sits."""
    seat = seat_of(player)
    return Charged(replace(seen, seat=seat), player, PLAYERS.put(seat, player))


@dataclass
class Table:
    """A docket that goes from step to step."""

    rules: FoulRules = MCR
    docket: Docket = field(default_factory=docket.fresh)
    now: Moment = START
    effects: tuple[DocketEffect, ...] = ()
    """What followed from the last step."""

    def happens(self, stimulus: DocketStimulus, after: timedelta = timedelta(0)) -> "Table":
        self.now += after
        made = docket.step(self.rules, self.docket, stimulus, self.now)
        self.docket, self.effects = made.docket, made.effects
        return self

    def charged(
        self, name: str, player: str = "ann", hand: str = "h1", kind: FoulKind = LATE
    ) -> Alert:
        self.happens(charge(foul(name, hand, kind), player))
        return self[name]

    def overran(
        self, name: str, over: timedelta, kind: FoulKind = SLOW, player: str = "ann"
    ) -> Alert:
        self.happens(charge(foul(name, kind=kind, over=over), player))
        return self[name]

    def entered(
        self, kind: FoulKind, player: str = "ann", hand: str = "h1", person: str = "referee-1"
    ) -> Alert:
        command = EnterFoul(kind, seat_of(player), "seen from behind")
        self.happens(Entered(command, person, hand, player, PLAYERS))
        return list(self.docket.alerts.values())[-1]

    def hand_began(self, hand: str) -> None:
        self.happens(HandBegan(hand))

    def waited(self, span: timedelta) -> None:
        self.happens(Woken(), after=span)

    def ordered(self, command: AlertCommand, person: str = "referee-1") -> Alert:
        self.happens(Ordered(command, person))
        return self[command.alert]

    def acknowledged(self, name: str, person: str = "referee-1") -> Alert:
        return self.ordered(Acknowledge(name, self[name].revision), person)

    def confirmed(self, name: str, person: str = "referee-1") -> Alert:
        return self.ordered(Confirm(name, self[name].revision), person)

    def modified(self, name: str, sanction: Sanction, reason: str = "rude") -> Alert:
        return self.ordered(Modify(name, self[name].revision, sanction, reason))

    def waived(self, name: str, reason: str = "elbow") -> Alert:
        return self.ordered(Waive(name, self[name].revision, reason))

    def reversed(self, name: str, reason: str = "wrong player", person: str = "referee-1") -> Alert:
        return self.ordered(Reverse(name, self[name].revision, reason), person)

    def undone(self, name: str, person: str = "referee-1") -> Alert:
        return self.ordered(Undo(name, self[name].revision), person)

    def taken_up(self, name: str, objector: Seat | None = None) -> Alert:
        return self.ordered(TakeUp(name, self[name].revision, objector))

    def escalated(self, name: str, reason: str = "the rule is unclear") -> Alert:
        return self.ordered(Escalate(name, self[name].revision, reason))

    def noted(self, name: str, text: str, person: str = "referee-1") -> Alert:
        return self.ordered(AddNote(name, text), person)

    def quiet(self) -> bool:
        return not self.effects

    def refusal(self) -> Refused:
        (only,) = self.effects
        assert isinstance(only, Refused)
        return only

    def __getitem__(self, name: str) -> Alert:
        return self.docket.alerts[name]


BARELY = MICROSECOND
"""The least by which anything can be over."""
