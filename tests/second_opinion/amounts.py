"""What each foul costs after the rulings so far, counted on fingers."""

from dataclasses import dataclass, field

from table.fouls import FoulKind
from table.seat import Seat
from tests.second_opinion.limits import OVER, SUM, TOTAL, Book
from tests.second_opinion.opinions import Measured
from tests.second_opinion.story import Ruling

OVERTIME = (OVER, TOTAL)


@dataclass
class Case:
    """One foul before the referee."""

    foul: Measured
    number: int
    """The how manieth of its kind and seat in this hand."""
    status: str = "undecided"
    imposed: str = ""


@dataclass
class Bill:
    """Every case of a hand with its step and the sanction proposed, and what was paid."""

    cases: list[Case] = field(default_factory=list)
    sums: set[Seat] = field(default_factory=set)
    """Who has to answer for the sum of overtimes."""
    points: dict[Seat, int] = field(default_factory=dict)
    standing: list[Case] = field(default_factory=list)
    """In the order in which they were first ruled on."""

    def of(self, foul: Measured) -> list[Case]:
        same = (foul.kind, foul.seat)
        return [case for case in self.standing if (case.foul.kind, case.foul.seat) == same]


def bill(book: Book, fouls: list[Measured], rulings: list[Ruling]) -> Bill:
    """Rule on the fouls of a hand in the order given."""
    made = Bill(points=dict.fromkeys(Seat, 0))
    for foul in fouls:
        if costs(book, foul.kind):
            before = [one for one in made.cases if _same(one.foul, foul)]
            made.cases.append(Case(foul, len(before) + 1))
    for ruling in rulings:
        for case in made.cases:
            if (case.foul.kind, case.foul.seat, case.number) == _named(ruling):
                _rule(book, made, case, ruling.verb)
    _pay(book, made)
    return made


def costs(book: Book, kind: FoulKind) -> bool:
    return kind in book.ladders or kind in book.per_started


def _same(one: Measured, other: Measured) -> bool:
    return (one.kind, one.seat) == (other.kind, other.seat)


def _named(ruling: Ruling) -> tuple[FoulKind, Seat, int]:
    return ruling.kind, ruling.seat, ruling.number


def _rule(book: Book, made: Bill, case: Case, verb: str) -> None:
    if verb == "reverse" and case.status == "standing":
        case.status, case.imposed = "reversed", ""
        made.standing.remove(case)
    elif verb == "waive" and case.status == "undecided":
        case.status = "waived"
    elif verb == "confirm" and case.status == "undecided":
        proposed = proposal(book, case.foul, step(made, case))
        if proposed != "choice":
            case.status, case.imposed = "standing", proposed
            made.standing.append(case)


def step(made: Bill, case: Case) -> int:
    """Return how manieth it is, or would be, among those that stand."""
    others = made.of(case.foul)
    return others.index(case) + 1 if case in others else len(others) + 1


def proposal(book: Book, foul: Measured, number: int) -> str:
    """Return what the book asks for the n-th foul of a player and kind in a hand."""
    if foul.kind in book.per_started:
        assert foul.span
        assert foul.limit is not None
        points, span = book.per_started[foul.kind]
        over = foul.span.least - foul.limit
        started = over // span
        if over % span:
            started += 1
        return str(points * started)
    steps = book.ladders[foul.kind]
    return steps[min(number, len(steps)) - 1]


def _pay(book: Book, made: Bill) -> None:
    overtime = dict.fromkeys(Seat, 0)
    for case in made.standing:
        seat = case.foul.seat
        amount, each = read(case.imposed)
        for other in Seat:
            if each and other is not seat:
                made.points[other] += amount
                made.points[seat] -= amount
        if not each:
            made.points[seat] -= amount
        if case.foul.kind in OVERTIME:
            overtime[seat] += amount
    if book.sum_above is not None and SUM in book.ladders:
        made.sums = {seat for seat in Seat if overtime[seat] > book.sum_above}


def read(written: str) -> tuple[int, bool]:
    """Return the points of a written sanction, and whether each of the others gets them."""
    amount = written.removesuffix("-each")
    return (int(amount), amount != written) if amount.isdigit() else (0, False)
