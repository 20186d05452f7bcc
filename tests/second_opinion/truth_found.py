"""What the core made of a hand of which the truth is known."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from config.models import Event, Node, Settings
from controller.table_core import TableRules, fresh, step
from controller.table_rules import rules_of
from scoring.effects import AlertRaised
from table.fouls import FoulKind, FoulSeen
from table.moment import Moment
from tests.second_opinion.limits import OVER, Book
from tests.second_opinion.spans import MILLISECOND, SECOND
from tests.second_opinion.truth import Played, played

NEAR = 2 * SECOND


@cache
def _rules(name: str, *, press_is_the_call: bool) -> TableRules:
    event = Event(ruleset=name, press_is_the_call=press_is_the_call)
    return rules_of(Settings(node=Node(id="n1", venue="v1"), event=event))


@dataclass(frozen=True)
class Charge:
    """A foul that the core saw, in true time."""

    foul: FoulSeen
    raised: bool
    first: int
    last: int


def charges(hand: Played) -> list[Charge]:
    """Tell the core what arrived, and return every foul it saw."""
    rules = _rules(hand.book.name, press_is_the_call=not hand.wires.wiring.reach)
    state, seen, raised, shifts = fresh("t1"), [], set(), {}
    now = 0
    for told, shift, what in hand.wires.arriving(hand.stop):
        now = max(told, now) if shift == shifts.get("now", 0) else told
        shifts["now"] = shift
        taken = step(rules, state, what, Moment(now))
        state = taken.state
        seen += [(one, shift) for one in taken.effects if isinstance(one, FoulSeen)]
        raised |= {one.alert.id for one in taken.effects if isinstance(one, AlertRaised)}
    return [
        Charge(
            one,
            one.id in raised,
            (one.started or one.ended).earliest.micros + shift,
            one.ended.latest.micros + shift,
        )
        for one, shift in seen
    ]


@dataclass
class Tally:
    """How many of what, per kind of foul."""

    hands: int = 0
    counts: Counter[tuple[FoulKind, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        self.hands += other.hands
        self.counts += other.counts
        self.wrong += other.wrong


def judged(seed: str, hand: Played) -> Tally:
    """Compare what the core saw with what was true."""
    tally, left = Tally(1), list(hand.fouls)
    for charge in charges(hand):
        foul = charge.foul
        real = [
            one
            for one in left
            if (one.kind, one.seat) == (foul.kind, foul.seat)
            and charge.first - NEAR <= one.at <= charge.last + NEAR
        ]
        grade = "raised" if charge.raised else "recorded"
        if real:
            left.remove(real[0])
            tally.counts[foul.kind, f"found {grade}"] += 1
        elif any(one.seat is foul.seat and charge.first - NEAR <= one.at <= charge.last + NEAR for one in hand.fouls):
            tally.counts[foul.kind, f"other {grade}"] += 1
        elif (slip := own_slip(hand, charge)) is not None:
            tally.counts[foul.kind, f"slip {grade}"] += 1
        else:
            tally.counts[foul.kind, f"wrong {grade}"] += 1
            tally.wrong.append(f"{seed}: {grade} {foul.kind} seat {foul.seat} at {charge.last/1e6:.3f} slips {''.join(str(int(s.seat))+s.what[0] for s in hand.wires.slips if charge.first-4*SECOND<=s.at<=charge.last)}")
    for one in left:
        tally.counts[one.kind, "missed"] += 1
    return tally


def own_slip(hand: Played, charge: Charge) -> str | None:
    """Return what the seat itself did to its buttons to be charged."""
    for slip in hand.wires.slips:
        if slip.seat is not charge.foul.seat:
            continue
        edges = (charge.first, charge.last)
        if slip.what in ("elbow", "double") and any(abs(slip.at - edge) < 30 * MILLISECOND for edge in edges):
            return slip.what
        if charge.foul.kind is OVER and slip.what == "forgot" and charge.first <= slip.at <= charge.last:
            return slip.what
    return None


def surveyed(book: Book, numbers: Iterable[int]) -> Tally:
    total = Tally()
    for number in numbers:
        seed = f"truth-{book.name}-{number}"
        total.add(judged(seed, played(seed, book)))
    return total
