"""Times, places and sanctions as a referee reads them."""

import pytest

from board.words import limit, measured, ordinal, ruling, sanction, seat_name, seconds, took
from mqtt.parts import RulingFields
from table.seat import Seat
from table.wind import Wind
from tests.board import scenery


def test_a_foul_is_told_with_both_readings_and_the_limit() -> None:
    told = took(scenery.alert("t1", 1))
    assert told == "Discard took 10.009\N{EN DASH}10.011 s, limit 10 s"


def test_a_reading_is_cut_and_never_rounded_up() -> None:
    assert seconds(10_009_999) == "10.009"


def test_a_reading_just_over_the_limit_shows_that_it_is_over() -> None:
    assert measured(10_000_400, 10_000_900, 10_000_000) == "10.000400\N{EN DASH}10.000900 s"


def test_two_equal_readings_are_told_once() -> None:
    assert measured(3_009_000, 3_009_000, 3_000_000) == "3.009 s"


@pytest.mark.parametrize(
    ("micros", "words"), [(10_000_000, "10 s"), (3_500_000, "3.5 s"), (100_000_000, "100 s")]
)
def test_a_limit_has_no_more_decimals_than_it_needs(micros: int, words: str) -> None:
    assert limit(micros) == words


def test_a_seat_is_named_with_its_wind() -> None:
    assert seat_name(Seat.THREE, {Seat.THREE: Wind.SOUTH}) == "Seat 3 南 South"
    assert seat_name(Seat.THREE, {}) == "Seat 3"


@pytest.mark.parametrize(
    ("number", "place"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd")],
)
def test_repeats_are_counted_in_places(number: int, place: str) -> None:
    assert ordinal(number) == place


def test_a_sanction_is_said_as_a_referee_says_it() -> None:
    assert sanction(scenery.WARNING) == "Warning"
    assert sanction(scenery.minus(20)) == "\N{MINUS SIGN}20 points"


def test_a_ruling_names_person_and_reason() -> None:
    waived = RulingFields(person="Referee West", reason="Seen by the referee")
    assert ruling(waived) == "Waived · Referee West: Seen by the referee"
