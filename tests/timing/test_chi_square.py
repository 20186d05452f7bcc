"""Chi-square by closed sums, beside what was printed long before."""

import math
from itertools import pairwise

import pytest

from timing.chi_square import critical, found, noncentrality_found, upper_tail

PRINTED = {
    1: (1.64, 2.71, 3.84, 5.02, 6.63, 7.88, 10.8),
    2: (3.22, 4.61, 5.99, 7.38, 9.21, 10.6, 13.8),
    3: (4.64, 6.25, 7.81, 9.35, 11.3, 12.8, 16.3),
    4: (5.99, 7.78, 9.49, 11.1, 13.3, 14.9, 18.5),
    5: (7.29, 9.24, 11.1, 12.8, 15.1, 16.7, 20.5),
    10: (13.4, 16.0, 18.3, 20.5, 23.2, 25.2, 29.6),
    11: (14.6, 17.3, 19.7, 21.9, 24.7, 26.8, 31.3),
    16: (20.5, 23.5, 26.3, 28.8, 32.0, 34.3, 39.3),
}
"""Right tails by degrees of freedom, in three figures: M. Baron, Probability and Statistics for
Computer Scientists, table A6 (https://wildart.github.io/CSC21700/chi2-table.pdf)."""
RIGHT_TAILS = (0.2, 0.1, 0.05, 0.025, 0.01, 0.005, 0.001)
LONGER = {(5, 0.95): 1.14548, (5, 0.05): 11.07050, (10, 0.05): 18.30704, (10, 0.005): 25.18818}
"""Five decimals, from the table in the exam papers of NUST, Windhoek."""


@pytest.mark.parametrize("degrees", PRINTED)
def test_critical_values_are_those_of_the_printed_table(degrees: int) -> None:
    computed = [float(f"{critical(tail, degrees):.3g}") for tail in RIGHT_TAILS]
    assert computed == list(PRINTED[degrees])


@pytest.mark.parametrize(("place", "printed"), LONGER.items())
def test_critical_values_hold_to_five_decimals(place: tuple[int, float], printed: float) -> None:
    degrees, tail = place
    assert critical(tail, degrees) == pytest.approx(printed, abs=2e-5)


@pytest.mark.parametrize("degrees", range(1, 12))
def test_a_tail_begins_with_certainty_and_only_falls(degrees: int) -> None:
    tails = [upper_tail(statistic / 4, degrees) for statistic in range(400)]
    assert tails[0] == 1
    assert all(a > b > 0 for a, b in pairwise(tails[1:]))


def test_a_tail_far_out_is_neither_lost_nor_below_zero() -> None:
    assert 0 < upper_tail(700, 5) < 1e-100
    assert upper_tail(1e6, 10) == 0


def test_where_nothing_departs_it_is_found_as_often_as_chance_says() -> None:
    assert found(0, critical(0.01, 5), 5) == pytest.approx(0.01)


def test_one_degree_of_freedom_is_a_normal_law_twice() -> None:
    shift, statistic = 3.0, critical(0.05, 1)
    edge = math.sqrt(statistic)
    tails = (
        math.erfc((edge - shift) / math.sqrt(2)) / 2 + math.erfc((edge + shift) / math.sqrt(2)) / 2
    )
    assert found(shift**2, statistic, 1) == pytest.approx(tails)


@pytest.mark.parametrize(("power", "degrees"), [(0.9, 1), (0.9, 5), (0.5, 10)])
def test_a_departure_of_the_stated_size_is_found_as_often_as_stated(
    power: float, degrees: int
) -> None:
    size = noncentrality_found(power, 1e-5, degrees)
    assert found(size, critical(1e-5, degrees), degrees) == pytest.approx(power)
