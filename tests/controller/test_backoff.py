from collections.abc import Iterator
from datetime import timedelta
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from controller.backoff import FIRST, LONGEST, STABLE, Backoff
from table.moment import ZERO


def _delays(who: str) -> Iterator[timedelta]:
    backoff = Backoff(who)
    while True:
        backoff = backoff.failed()
        yield backoff.delay


def test_the_first_attempt_is_made_at_once() -> None:
    assert Backoff("t1").delay == ZERO


def test_delays_double_from_a_quarter_of_a_second_to_fifteen_seconds() -> None:
    nominal = [timedelta(seconds=s) for s in (0.25, 0.5, 1, 2, 4, 8, 15, 15, 15)]
    for delay, longest in zip(_delays("t1"), nominal, strict=False):
        assert longest * 3 / 4 <= delay <= longest


@given(who=st.text(max_size=20), failures=st.integers(1, 10**6))
def test_every_delay_lies_between_its_bounds(who: str, failures: int) -> None:
    assert FIRST * 3 / 4 <= Backoff(who, failures).delay <= LONGEST


def test_tables_that_broke_together_do_not_return_at_once() -> None:
    fifth = {next(islice(_delays(f"t{number}"), 4, None)) for number in range(40)}
    assert len(fifth) > 30


def test_the_same_outage_is_waited_for_in_the_same_way() -> None:
    assert list(islice(_delays("broker"), 10)) == list(islice(_delays("broker"), 10))


def test_a_connection_that_proved_itself_starts_anew() -> None:
    worn = Backoff("t1", 9)
    assert worn.failed(STABLE) == Backoff("t1", 1)
    assert worn.failed(STABLE - timedelta(microseconds=1)) == Backoff("t1", 10)
