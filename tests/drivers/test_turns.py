from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.turns import next_turn

PERIOD = 0.25


@given(st.text(), st.floats(0, 1e6))
def test_a_turn_comes_within_a_period_and_the_next_one_a_period_later(
    name: str, now: float
) -> None:
    turn = next_turn(name, now, PERIOD)
    assert now < turn <= now + PERIOD * 1.01 + 1e-6
    assert next_turn(name, turn, PERIOD) == pytest.approx(turn + PERIOD)


@given(st.text(), st.floats(0, 1e6), st.floats(0, PERIOD / 200))
def test_a_timer_that_rings_a_little_early_skips_no_turn_and_repeats_none(
    name: str, now: float, early: float
) -> None:
    turn = next_turn(name, now, PERIOD)
    assert next_turn(name, turn - early, PERIOD) == pytest.approx(turn + PERIOD)


def test_a_hall_is_spread_over_the_whole_period() -> None:
    turns = sorted(next_turn(f"/dev/table-{number}", 0, PERIOD) for number in range(64))
    assert turns[0] < PERIOD / 8
    assert turns[-1] > PERIOD * 7 / 8
    widest = max(late - soon for soon, late in pairwise(turns))
    assert widest < PERIOD / 8
