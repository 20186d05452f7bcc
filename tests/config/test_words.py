from datetime import timedelta

import pytest

from config.words import words
from table.sanctions import WARNING, points
from timing.rules import TurnStart


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (timedelta(seconds=20), "20 s"),
        (timedelta(milliseconds=15500), "15.5 s"),
        (timedelta(microseconds=1_000_001), "1.000001 s"),
        (timedelta(milliseconds=300), "300 ms"),
        (timedelta(microseconds=1), "0.001 ms"),
        (timedelta(0), "0 s"),
        ((), "none"),
        (True, "yes"),
        (False, "no"),
        (4, "4"),
        (TurnStart.DRAW, "draw"),
        ((WARNING, points(5)), "warning, 5"),
    ],
)
def test_a_value_is_written_for_people(value: object, said: str) -> None:
    assert words(value) == said
