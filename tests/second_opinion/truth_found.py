"""What the core made of a hand of which the truth is known."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from config.models import Event, Node, Settings
from controller.table_core import TableRules, fresh, step
from controller.table_rules import rules_of
from scoring.effects import AlertRaised
from table.fouls import FoulKind, FoulSeen
from table.moment import Moment
from tests.second_opinion.limits import LATE, OVER, Book
from tests.second_opinion.spans import MILLISECOND, SECOND
from tests.second_opinion.truth import played
from tests.second_opinion.truth_course import Broken, Played
from tests.second_opinion.truth_told import LATEST

NEAR, BLUR = 2 * SECOND, 30 * MILLISECOND
"""How far a charge may lie from the deed, and a reading from the press."""
AFTERWARDS = 5 * SECOND
"""For so long play is out of order after a true foul, by whoever made it."""
GRADES = ("found", "missed", "of another foul", "own slip", "decided", "wrong", "recorded")


@dataclass(frozen=True)
class Charge:
    """A foul that the core saw, in true time."""

    foul: FoulSeen
    raised: bool
    first: int
    last: int


@dataclass
class Tally:
    """How many fouls were true, found and missed, and how many alerts were wrong."""

    hands: int = 0
    counts: Counter[tuple[FoulKind, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """Alerts that nobody has earned."""

    def add(self, other: "Tally") -> None:
        self.hands += other.hands
        self.counts += other.counts
        self.wrong += other.wrong


def surveyed(book: Book, numbers: Iterable[int]) -> Tally:
    """Play the numbered hands of a book, and compare."""
    total = Tally()
    for number in numbers:
        seed = f"truth-{book.name}-{number}"
        total.add(judged(seed, played(seed, book)))
    return total


def judged(seed: str, hand: Played) -> Tally:
    """Compare what the core saw with what was true."""
    tally, left = Tally(1), list(hand.fouls)
    for charge in charges(hand):
        kind, seat = charge.foul.kind, charge.foul.seat
        real = next(
            (one for one in left if one.kind is kind and _is(charge, one.seat, one.at)), None
        )
        if real is not None:
            left.remove(real)
        grade = "found" if real else _excuse(hand, charge)
        tally.counts[kind, grade if charge.raised or real else "recorded"] += 1
        if grade == "wrong" and charge.raised:
            at = charge.last / SECOND
            tally.wrong.append(f"{seed}: {kind} by seat {seat} at {at:.3f}")
    for one in left:
        tally.counts[one.kind, "missed"] += 1
    return tally


def charges(hand: Played) -> Iterator[Charge]:
    """Tell the core what arrived, and yield every foul it saw."""
    state, now, before = fresh("t1"), 0, 0
    rules = _rules(hand.book.name, press_is_the_call=not hand.wires.wiring.reach)
    for told, shift, what in hand.wires.arriving(hand.stop):
        now, before = max(told, now if shift == before else 0), shift
        taken = step(rules, state, what, Moment(now))
        state = taken.state
        raised = {one.alert.id for one in taken.effects if isinstance(one, AlertRaised)}
        for one in taken.effects:
            if isinstance(one, FoulSeen) and one.ended:
                first = (one.started or one.ended).earliest.micros + shift
                yield Charge(one, one.id in raised, first, one.ended.latest.micros + shift)


@cache
def _rules(name: str, *, press_is_the_call: bool) -> TableRules:
    event = Event(ruleset=name, press_is_the_call=press_is_the_call)
    return rules_of(Settings(node=Node(id="n1", venue="v1"), event=event))


def _is(charge: Charge, seat: object, at: int) -> bool:
    return seat is charge.foul.seat and charge.first - NEAR <= at <= charge.last + NEAR


def _excuse(hand: Played, charge: Charge) -> str:
    """Say why there is a charge without such a foul."""
    if any(charge.first - _after(charge, one) <= one.at <= charge.last for one in hand.fouls):
        return "of another foul"
    if _own_slip(hand, charge):
        return "own slip"
    return "decided" if _decided(hand, charge) else "wrong"


def _after(charge: Charge, foul: Broken) -> int:
    """Return for how long play is out of order after a true foul; longer for who made it."""
    return 4 * AFTERWARDS if foul.seat is charge.foul.seat else AFTERWARDS


def _own_slip(hand: Played, charge: Charge) -> bool:
    """Say whether the seat's own buttons said it, or were left silent in its turn."""
    own = [slip for slip in hand.wires.slips if slip.seat is charge.foul.seat]
    if charge.foul.kind is OVER:
        return any(charge.first - LATEST <= slip.at <= charge.last for slip in own)
    return any(
        abs(slip.at - edge) <= BLUR
        for slip in own
        if slip.what != "forgot"
        for edge in (charge.first, charge.last)
    )


def _decided(hand: Played, charge: Charge) -> bool:
    """Say whether it is one of those that ADR 17 keeps on purpose.

    A pung of known kind is late by the discard that was pressed; a press that is repeated says
    nothing new, so that a turn counts from an elbow that came right before the press.
    """
    if charge.foul.kind is LATE:
        return hand.wires.wiring.typed
    touched = (slip.at for slip in hand.wires.slips if slip.what == "elbow")
    return charge.foul.kind is OVER and any(abs(at - charge.first) <= BLUR for at in touched)
