"""Seats go round the table counter-clockwise; BySeat holds one value for each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.seat import BySeat, Seat

seats = st.sampled_from(Seat)
by_seat = st.builds(BySeat, *[st.integers()] * 4)


@pytest.mark.parametrize(
    ("seat", "lower", "opposite", "upper"),
    [
        (Seat.ONE, Seat.TWO, Seat.THREE, Seat.FOUR),
        (Seat.TWO, Seat.THREE, Seat.FOUR, Seat.ONE),
        (Seat.THREE, Seat.FOUR, Seat.ONE, Seat.TWO),
        (Seat.FOUR, Seat.ONE, Seat.TWO, Seat.THREE),
    ],
)
def test_each_seat_knows_its_three_neighbours(
    seat: Seat, lower: Seat, opposite: Seat, upper: Seat
) -> None:
    assert (seat.lower, seat.opposite, seat.upper) == (lower, opposite, upper)


@given(seats)
def test_four_turns_come_back_to_the_same_seat(seat: Seat) -> None:
    assert seat.lower.lower.lower.lower == seat
    assert seat.after(4) == seat


@given(seats, seats)
def test_the_steps_between_two_seats_lead_from_one_to_the_other(first: Seat, second: Seat) -> None:
    assert first.after(first.steps_to(second)) == second
    assert 0 <= first.steps_to(second) <= 3


@given(seats, seats)
def test_the_way_there_and_back_is_once_round_the_table(first: Seat, second: Seat) -> None:
    assert (first.steps_to(second) + second.steps_to(first)) % 4 == 0


def test_there_is_no_fifth_seat() -> None:
    with pytest.raises(ValueError, match="5 is not a valid Seat"):
        Seat(5)


def test_values_are_read_by_seat_and_in_order_of_the_seats() -> None:
    players = BySeat("a1", "a2", "a3", "a4")

    assert [players[seat] for seat in Seat] == ["a1", "a2", "a3", "a4"]
    assert list(players) == ["a1", "a2", "a3", "a4"]
    assert dict(players.items()) == {
        Seat.ONE: "a1",
        Seat.TWO: "a2",
        Seat.THREE: "a3",
        Seat.FOUR: "a4",
    }


def test_a_value_can_be_the_same_for_all_or_computed_for_each() -> None:
    assert BySeat.all(0) == BySeat(0, 0, 0, 0)
    assert BySeat.of(lambda seat: seat.opposite) == BySeat(
        Seat.THREE, Seat.FOUR, Seat.ONE, Seat.TWO
    )


@given(by_seat)
def test_mapping_reaches_every_seat_and_keeps_the_order(values: BySeat[int]) -> None:
    assert list(values.map(str)) == [str(value) for value in values]


@given(by_seat, seats, st.integers())
def test_putting_a_value_changes_that_seat_only(
    values: BySeat[int], seat: Seat, value: int
) -> None:
    changed = values.put(seat, value)

    assert changed[seat] == value
    assert all(changed[other] == values[other] for other in Seat if other != seat)
