"""A login's allowance of orders, to the microsecond."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqtt.rate import MOST_LOGINS, Rates
from table.moment import MICROSECOND, Moment

START = Moment(5_000_000)
NOTHING = timedelta(0)
SECOND = timedelta(seconds=1)


def taken(rates: Rates, count: int, now: Moment, login: str = "desk") -> list[timedelta]:
    return [rates.wait(login, now) for _ in range(count)]


def test_a_login_that_was_silent_may_send_its_whole_allowance_at_once_and_no_more() -> None:
    waits = taken(Rates(20, 60), 61, START)
    assert waits == [NOTHING] * 60 + [timedelta(milliseconds=50)]


def test_an_order_is_allowed_at_the_very_microsecond_that_was_told() -> None:
    rates = Rates(3, 1)
    assert rates.wait("desk", START) == NOTHING
    wait = rates.wait("desk", START)
    assert wait == timedelta(microseconds=333_334)
    assert rates.wait("desk", START + (wait - MICROSECOND)) == MICROSECOND
    assert rates.wait("desk", START + wait) == NOTHING


def test_being_held_up_costs_nothing() -> None:
    rates = Rates(1, 1)
    assert taken(rates, 100, START)[0] == NOTHING
    assert rates.wait("desk", START + SECOND) == NOTHING


def test_one_login_does_not_hold_up_another() -> None:
    rates = Rates(20, 60)
    taken(rates, 100, START)
    assert taken(rates, 60, START, "board") == [NOTHING] * 60


def test_a_login_that_sends_for_ever_at_its_rate_is_never_held_up() -> None:
    rates = Rates(20, 1)
    waits = [rates.wait("desk", START + number * SECOND / 20) for number in range(200)]
    assert waits == [NOTHING] * 200


def test_however_many_logins_there_are_only_the_newest_are_remembered() -> None:
    rates = Rates(1, 1)
    for number in range(MOST_LOGINS):
        assert rates.wait(f"login-{number}", START) == NOTHING
    assert rates.wait("login-1", START) == SECOND
    assert rates.wait("one-more", START) == NOTHING
    assert rates.wait("login-0", START) == NOTHING  # it went first, so its allowance is whole
    assert rates.wait("login-1", START) == SECOND


@given(
    st.integers(1, 50),
    st.integers(1, 20),
    st.lists(st.integers(0, 400_000), min_size=1, max_size=60),
)
def test_in_no_stretch_of_time_does_a_login_get_more_than_its_allowance(
    per_second: int, at_once: int, gaps: list[int]
) -> None:
    rates, now = Rates(per_second, at_once), START
    granted: list[Moment] = []
    for gap in gaps:
        now += gap * MICROSECOND
        wait = rates.wait("desk", now)
        if not wait:
            granted.append(now)
        else:
            assert wait <= timedelta(seconds=1) / per_second + MICROSECOND
    for first, begin in enumerate(granted):
        for last in range(first, len(granted)):
            passed = (granted[last] - begin) // MICROSECOND
            assert last - first + 1 <= at_once + passed * per_second / 1_000_000


@pytest.mark.parametrize("per_second", [1, 3, 20, 1000])
def test_whoever_comes_when_told_is_let_in(per_second: int) -> None:
    rates, now = Rates(per_second, 2), START
    for _ in range(20):
        now += rates.wait("desk", now)
    assert rates.wait("desk", now + SECOND / per_second + MICROSECOND) == NOTHING
