"""Winds move with the deal, seats do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.seat import BySeat, Seat
from table.wind import Wind, prevalent_wind, seat_wind

EAST, SOUTH, WEST, NORTH = Wind


@pytest.mark.parametrize(
    ("dealer", "winds"),
    [
        (Seat.ONE, BySeat(EAST, SOUTH, WEST, NORTH)),
        (Seat.TWO, BySeat(NORTH, EAST, SOUTH, WEST)),
        (Seat.THREE, BySeat(WEST, NORTH, EAST, SOUTH)),
        (Seat.FOUR, BySeat(SOUTH, WEST, NORTH, EAST)),
    ],
)
def test_the_dealer_is_east_and_play_runs_to_south(dealer: Seat, winds: BySeat[Wind]) -> None:
    assert BySeat.of(lambda seat: seat_wind(seat, dealer)) == winds


@pytest.mark.parametrize(
    ("first", "last", "wind"), [(1, 4, EAST), (5, 8, SOUTH), (9, 12, WEST), (13, 16, NORTH)]
)
def test_each_of_the_four_rounds_of_a_session_has_four_hands(
    first: int, last: int, wind: Wind
) -> None:
    assert {prevalent_wind(number) for number in range(first, last + 1)} == {wind}


@given(st.integers(min_value=1, max_value=1000))
def test_after_a_whole_session_the_winds_begin_again(number: int) -> None:
    assert prevalent_wind(number + 16) == prevalent_wind(number)
