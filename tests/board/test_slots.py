"""The digits of a clock: one rounding rule, and never less time than the daemon has."""

import pytest

from board.slots import Clock, face, remaining_ms


def clock(remaining: int, *, running: bool = True, over: bool = False) -> Clock:
    return Clock(
        node="n1/3", total=10_000, remaining=remaining, as_of=60_000, running=running, over=over
    )


@pytest.mark.parametrize(
    ("passed_ms", "shown"),
    [(0, "10"), (1, "10"), (1_000, "9"), (9_001, "1"), (9_999, "1"), (10_000, "0"), (12_000, "0")],
)
def test_a_running_clock_shows_seconds_rounded_up(passed_ms: int, shown: str) -> None:
    assert face(clock(10_000), {"n1/3": 60_000 + passed_ms}) == shown


def test_a_standing_clock_does_not_move() -> None:
    assert face(clock(4_200, running=False), {"n1/3": 99_000}) == "5"


def test_a_clock_that_is_over_shows_0() -> None:
    assert face(clock(10_000, over=True), {"n1/3": 60_000}) == "0"


def test_a_clock_of_a_node_that_is_not_heard_does_not_run_on() -> None:
    assert face(clock(8_000), {}) == "8"
    assert face(clock(8_000), {"n1/4": 65_000}) == "8"


def test_a_clock_never_shows_more_than_its_limit() -> None:
    assert remaining_ms(clock(10_000), {"n1/3": 58_000}) == 10_000


def test_long_clocks_show_minutes() -> None:
    assert face(clock(180_000, running=False), {}) == "3:00"


def test_no_clock_shows_a_dash() -> None:
    assert face(None, {}) == "\N{EN DASH}"
