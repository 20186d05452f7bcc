"""Whether throws of two dice are as fair dice throw them; pure.

Each table has its faces and its sums compared with those of fair dice, by Pearson's statistic and
by the likelihood ratio. Where something is rarely expected, Pearson's alone says "unlikely" too
often far out (sums of 180 throws: six times too often at one in a million); the smaller of the two
did not in six million sets of throws. All comparisons of one report share one promise: at most in
`share` of the halls with nothing but fair dice is any table called odd. Holm's step-down procedure
keeps it, whether the comparisons are independent or not (S. Holm, Scandinavian Journal of
Statistics 6, 1979, 65-70).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from timing.chi_square import noncentrality_found, upper_tail
from timing.wall import Throw

FACES = range(1, 7)
SUMS = range(2, 13)
SHARE = 0.001
"""Of a thousand halls with fair dice one, at most, has a table called odd (house choice)."""
POWER = 0.9
"""What is to be found is found in nine halls of ten (house choice)."""
LEAST_EXPECTED = 5
"""With fewer expected of the rarest face or sum nothing is compared."""


class Kind(StrEnum):
    """What is counted of each throw."""

    FACES = "faces"
    SUMS = "sums"


PLACES = {Kind.FACES: FACES, Kind.SUMS: SUMS}


def sums_of(faces: Sequence[float]) -> tuple[float, ...]:
    """Return how likely each sum is of two dice that show their faces with these chances."""
    return tuple(
        sum(faces[one - 1] * faces[total - one - 1] for one in FACES if total - one in FACES)
        for total in SUMS
    )


_FAIR = tuple(1 / 6 for _ in FACES)
_LOADED = (0.15, 0.15, 0.15, 0.15, 0.15, 0.25)
OF_FAIR_DICE = {Kind.FACES: _FAIR, Kind.SUMS: sums_of(_FAIR)}
"""How likely each face, and each sum, is."""
WORTH_FINDING = {Kind.FACES: _LOADED, Kind.SUMS: sums_of(_LOADED)}
"""A departure worth finding: one face comes up in a quarter of the throws instead of a sixth."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each face and each sum came up."""

    throws: int
    faces: tuple[int, ...]
    sums: tuple[int, ...]

    def of(self, kind: Kind) -> tuple[int, ...]:
        """Return the counts of one kind."""
        return self.faces if kind is Kind.FACES else self.sums


def counted(throws: Iterable[Throw]) -> Counts:
    """Count throws of two dice."""
    pairs = list(throws)
    faces = Counter(face for pair in pairs for face in pair)
    sums = Counter(map(sum, pairs))
    return Counts(len(pairs), tuple(faces[one] for one in FACES), tuple(sums[one] for one in SUMS))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Counts of one kind beside what fair dice would show."""

    kind: Kind
    observed: tuple[int, ...]
    expected: tuple[float, ...]
    statistic: float
    """Chi-square: the smaller of Pearson's and the likelihood ratio."""
    degrees: int
    """Of freedom."""
    chance: float
    """How likely fair dice depart at least so far."""
    corrected: float
    """The same in view of all comparisons of the report."""

    @property
    def effect(self) -> float:
        """Return the size of the departure (Cohen's w) beyond what chance brings on the average.

        0 is fair; the departure that is worth finding has 0.22 in the faces.
        """
        return math.sqrt(max(0.0, self.statistic - self.degrees) / sum(self.observed))

    @property
    def farthest(self) -> int:
        """Return the place that departs most, for the size that chance has there."""
        departures = [
            abs(seen - due) / math.sqrt(due)
            for seen, due in zip(self.observed, self.expected, strict=True)
        ]
        return departures.index(max(departures))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be said of the dice of one table."""

    counts: Counts
    comparisons: tuple[Comparison, ...]
    """Empty where there are too few throws."""
    share: float

    @property
    def odd(self) -> tuple[Comparison, ...]:
        """Return what is unlikely for fair dice, on strong evidence."""
        return tuple(one for one in self.comparisons if one.corrected <= self.share)


def judge(tables: Sequence[Counts], share: float = SHARE) -> tuple[Verdict, ...]:
    """Judge all tables of a report together, and return them in their order.

    Args:
        tables: what was counted at each.
        share: in which share of halls with fair dice a table may be called odd.
    """
    made = [[compare(one, kind) for kind in Kind if enough(one, kind)] for one in tables]
    corrected = iter(holm([one.chance for own in made for one in own]))
    return tuple(
        Verdict(counts, tuple(replace(one, corrected=next(corrected)) for one in own), share)
        for counts, own in zip(tables, made, strict=True)
    )


def enough(counts: Counts, kind: Kind) -> bool:
    """Say whether there are throws enough to compare at all."""
    return sum(counts.of(kind)) * min(OF_FAIR_DICE[kind]) >= LEAST_EXPECTED


def compare(counts: Counts, kind: Kind) -> Comparison:
    """Compare what was counted with fair dice, alone; something must have been counted."""
    observed = counts.of(kind)
    expected = tuple(sum(observed) * chance for chance in OF_FAIR_DICE[kind])
    statistic, degrees = min(_departures(observed, expected)), len(observed) - 1
    chance = upper_tail(statistic, degrees)
    return Comparison(kind, observed, expected, statistic, degrees, chance, chance)


def _departures(seen: Sequence[float], due: Sequence[float]) -> tuple[float, float]:
    """Return Pearson's statistic and the likelihood ratio."""
    pairs = tuple(zip(seen, due, strict=True))
    pearson = sum((one - fair) ** 2 / fair for one, fair in pairs)
    return pearson, 2 * sum(one * math.log(one / fair) for one, fair in pairs if one)


def holm(chances: Sequence[float]) -> tuple[float, ...]:
    """Return chances corrected for their number, in the order given."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    corrected = [1.0] * len(chances)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[place]))
        corrected[place] = highest
    return tuple(corrected)


def throws_needed(tables: int, share: float = SHARE) -> int:
    """Return how many throws of a table show a departure worth finding.

    Args:
        tables: how many are judged together.
        share: as `judge` takes it.
    """
    chance = share / (len(Kind) * max(tables, 1))
    return min(_throws_needed(kind, chance) for kind in Kind)


def _throws_needed(kind: Kind, chance: float) -> int:
    fair, loaded = OF_FAIR_DICE[kind], WORTH_FINDING[kind]
    departure = min(_departures(loaded, fair))
    counts_of_a_throw = 2 if kind is Kind.FACES else 1
    size = noncentrality_found(POWER, chance, len(fair) - 1)
    return math.ceil(size / (counts_of_a_throw * departure))
