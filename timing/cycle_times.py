"""How long a machine takes to shuffle and stack a wall, and whether that changes; pure."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

DRIFT_SHARE = 0.001
"""Of a thousand halls with steady machines one, at most, has a drift told (house choice)."""
LEAST_DRIFT = 0.05
"""A change of less than this share is not worth telling (house choice)."""
FEWEST = 30
"""Below so many cycles nothing is said of a drift (house choice)."""


@dataclass(frozen=True, slots=True)
class CycleTimes:
    """The cycle times of one table in a few figures."""

    count: int
    shortest: timedelta
    median: timedelta
    slow: timedelta
    """Nine cycles of ten are not longer."""
    longest: timedelta
    earlier: timedelta
    """The median of the earlier half."""
    later: timedelta
    """The median of the later half."""
    drifts: bool
    """Whether the later half differs from the earlier one, by more than chance and noticeably."""

    @property
    def way(self) -> str:
        """Return which way the times go."""
        return "slower" if self.later > self.earlier else "quicker"


def summed_up(cycles: Sequence[timedelta], tables: int) -> CycleTimes | None:
    """Return the figures of a table's cycles, oldest first; None where there are none.

    Args:
        cycles: how long each took.
        tables: how many tables the report tells of.
    """
    if not cycles:
        return None
    half = len(cycles) // 2
    ordered, before, after = sorted(cycles), sorted(cycles[:half]), sorted(cycles[half:])
    earlier, later = quantile(before or after, 0.5), quantile(after, 0.5)
    noticeable = abs(later - earlier) >= LEAST_DRIFT * earlier
    sure = len(cycles) >= FEWEST and _by_chance(before, after) <= DRIFT_SHARE / max(tables, 1)
    return CycleTimes(
        count=len(cycles),
        shortest=ordered[0],
        median=quantile(ordered, 0.5),
        slow=quantile(ordered, 0.9),
        longest=ordered[-1],
        earlier=earlier,
        later=later,
        drifts=noticeable and sure,
    )


def quantile(ordered: Sequence[timedelta], share: float) -> timedelta:
    """Return the least of the values that this share of all is not above; nearest rank."""
    return ordered[max(math.ceil(share * len(ordered)), 1) - 1]


def _by_chance(before: Sequence[timedelta], after: Sequence[timedelta]) -> float:
    """Return how likely two halves of a steady machine's cycles differ so much in their ranks.

    Rank sum by the normal law, ties averaged (H. B. Mann and D. R. Whitney, Annals of Mathematical
    Statistics 18, 1947, 50-60).
    """
    n, m = len(before), len(after)
    total = n + m
    own, ties = 0.0, 0
    for rank, size, of_before in _ranks(before, after):
        own += rank * of_before
        ties += size**3 - size
    spread = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    if spread <= 0:
        return 1.0
    return math.erfc(abs(own - n * (total + 1) / 2) / math.sqrt(2 * spread))


def _ranks(
    before: Sequence[timedelta], after: Sequence[timedelta]
) -> Iterator[tuple[float, int, int]]:
    """Yield the rank of each value, how many share it, and how many of these came before."""
    marked = sorted([(value, 1) for value in before] + [(value, 0) for value in after])
    passed = 0
    for _, group in groupby(marked, key=lambda one: one[0]):
        same = [early for _, early in group]
        yield passed + (len(same) + 1) / 2, len(same), sum(same)
        passed += len(same)
