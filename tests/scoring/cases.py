"""Fouls, rules and a running docket, as the tests of this room speak of them."""

from dataclasses import dataclass, field, replace
from datetime import timedelta

from scoring import docket
from scoring.alert import Alert
from scoring.docket import Charged, Docket, DocketStimulus, HandBegan
from scoring.effects import DocketEffect
from scoring.rules import AlertPolicy, FoulRules, Ladder
from table.commands import Acknowledge, Confirm, Modify, Ordered, Reverse, RulingCommand, Waive
from table.events import Woken
from table.fouls import FoulKind, FoulSeen
from table.moment import Elapsed, Interval, Moment, Quality
from table.sanctions import WARNING, Sanction, points
from table.seat import Seat

SECOND = timedelta(seconds=1)
START = Moment(0)
LEASE = timedelta(seconds=60)
BOOK = "mcr-2014 art. 11 (违例 5, 罚分 2)"
STEPS = (WARNING, *map(points, (5, 10, 20, 30, 40, 50, 60)))
LATE, SLOW = FoulKind.LATE_PUNG, FoulKind.DISCARD_OVER_LIMIT
MCR = FoulRules("mcr-2014", {LATE: Ladder(STEPS, BOOK), SLOW: Ladder(STEPS, BOOK)}, LEASE)


def with_ladder(kind: FoulKind, ladder: Ladder) -> FoulRules:
    """Return the rules with another ladder for one kind."""
    return replace(MCR, ladders=MCR.ladders | {kind: ladder})


RECORDING = with_ladder(SLOW, Ladder(STEPS, BOOK, AlertPolicy.RECORD_ONLY))
SILENT = replace(MCR, ladders={})
"""A book that has limits but no ladder."""
KEEPING = with_ladder(SLOW, Ladder(STEPS, BOOK, lapses=False))


def foul(name: str, hand: str = "h1", kind: FoulKind = LATE, seat: Seat = Seat.THREE) -> FoulSeen:
    """Return a foul that was seen."""
    limit = timedelta(seconds=3)
    start, end = Moment(0), Moment(3_010_000)
    return FoulSeen(
        id=name,
        kind=kind,
        seat=seat,
        hand=hand,
        measured=Elapsed(limit + timedelta(milliseconds=9), limit + timedelta(milliseconds=11)),
        limit=limit,
        rule="mcr-2014 art. 6 (碰牌)",
        started=Interval.exactly(start, Quality.DEVICE),
        ended=Interval.exactly(end, Quality.DEVICE),
    )


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
        self.happens(Charged(foul(name, hand, kind), player))
        return self.docket.alerts[name]

    def hand_began(self, hand: str) -> None:
        self.happens(HandBegan(hand))

    def waited(self, span: timedelta) -> None:
        self.happens(Woken(), after=span)

    def ordered(self, command: RulingCommand, person: str = "referee-1") -> Alert:
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

    def reversed(self, name: str, reason: str = "wrong player") -> Alert:
        return self.ordered(Reverse(name, self[name].revision, reason))

    def quiet(self) -> bool:
        return not self.effects

    def __getitem__(self, name: str) -> Alert:
        return self.docket.alerts[name]
