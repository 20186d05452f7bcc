"""The chi-square distribution, by closed sums; pure.

With whole degrees of freedom the regularised gamma function is a finite sum (M. Abramowitz and
I. A. Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5), so nothing is approximated.
"""

import math
from collections.abc import Callable, Iterator

_FAR = 2.0**20
_HALVINGS = 80
_NEGLIGIBLE = 1e-12
_MOST_TERMS = 100_000


def upper_tail(statistic: float, degrees: int) -> float:
    """Return how likely a chi-square is at least this large by chance.

    Args:
        statistic: at least 0.
        degrees: of freedom, at least 1.
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    odd = degrees % 2
    tail = math.erfc(math.sqrt(half)) if odd else 0.0
    return tail + sum(_term(half, 1 + odd / 2 + step) for step in range(degrees // 2))


def _term(half: float, power: float) -> float:
    """Return one term of the sum, by logarithms, because its factors alone run out of range."""
    return math.exp((power - 1) * math.log(half) - half - math.lgamma(power))


def critical(chance: float, degrees: int) -> float:
    """Return the statistic that chance alone reaches or exceeds with this probability."""
    return _where(lambda statistic: upper_tail(statistic, degrees) <= chance)


def found(noncentrality: float, statistic: float, degrees: int) -> float:
    """Return how likely a real departure of this size reaches or exceeds the statistic.

    The noncentral distribution is a Poisson mixture of central ones (same handbook, 26.4.25).
    """
    return sum(
        weight * upper_tail(statistic, degrees + 2 * more)
        for more, weight in enumerate(_poisson(noncentrality / 2))
    )


def _poisson(mean: float) -> Iterator[float]:
    """Yield the probabilities of 0, 1, 2 …, until the rest does not matter."""
    rest, number = 1.0, 0
    while rest > _NEGLIGIBLE and number < _MOST_TERMS:
        weight = _term(mean, number + 1) if mean else 1.0
        yield weight
        rest, number = rest - weight, number + 1


def noncentrality_found(power: float, chance: float, degrees: int) -> float:
    """Return the size of a departure that is found with probability `power`.

    Args:
        power: how likely it is to be found.
        chance: how likely chance alone is called a departure.
        degrees: of freedom.
    """
    statistic = critical(chance, degrees)
    return _where(lambda size: found(size, statistic, degrees) >= power)


def _where(reached: Callable[[float], bool]) -> float:
    """Return the least number from which on something holds, which holds far out."""
    low, high = 0.0, 1.0
    while not reached(high) and high < _FAR:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
