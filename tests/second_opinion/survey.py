"""Many random hands, both readings of each, and what was counted on the way."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from table.fouls import FoulKind
from tests.second_opinion.checker import opinion
from tests.second_opinion.limits import BOOKS, Book
from tests.second_opinion.moves import random_hand
from tests.second_opinion.opinions import Measured
from tests.second_opinion.spans import MILLISECOND
from tests.second_opinion.table_under_test import disagreements

NEAR = 50 * MILLISECOND
VERDICTS = ("foul", "recorded", "too close", "in time")


@dataclass
class Survey:
    """What a number of hands of one book held."""

    hands: int = 0
    counts: Counter[tuple[FoulKind, str]] = field(default_factory=Counter)
    timed: int = 0
    """How many times something was measured against a limit."""
    near: int = 0
    """How many of them were within 50 ms of it."""
    sharp: int = 0
    """How many were exactly at it, or one microsecond beside it."""
    differ: list[str] = field(default_factory=list)

    def add(self, other: "Survey") -> None:
        self.hands += other.hands
        self.counts += other.counts
        self.timed += other.timed
        self.near += other.near
        self.sharp += other.sharp
        self.differ += other.differ

    def count(self, book: Book, verdict: str, measured: Iterable[Measured]) -> None:
        for one in measured:
            self.counts[one.kind, verdict] += 1
            if one.span is not None and one.limit is not None:
                away = min(_away(book, one.span.least, one), _away(book, one.span.most, one))
                self.timed += 1
                self.near += away <= NEAR
                self.sharp += away <= 1


def _away(book: Book, reading: int, one: Measured) -> int:
    """Return how far a reading is from the limit, or from the margin over a presumed start."""
    limit = one.limit or 0
    margin = abs(reading - limit - book.margin) if one.presumed else NEAR + 1
    return min(abs(reading - limit), margin)


def surveyed(name: str, numbers: Iterable[int]) -> Survey:
    """Play the numbered hands of a book to both, and count."""
    book = next(one for one in BOOKS if one.name == name)
    found = Survey()
    for number in numbers:
        seed = f"{name}-{number}"
        played, story = random_hand(seed, book)
        made = opinion(played, story)
        found.hands += 1
        for verdict, measured in zip(
            VERDICTS, (made.fouls, made.recorded, made.too_close, made.in_time), strict=True
        ):
            found.count(played, verdict, measured)
        found.differ += [f"{seed}: {one}" for one in disagreements(played, story)]
    return found
