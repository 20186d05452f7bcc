"""A node's clock seen from here is never later than the truth."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from board.node_clock import NodeClock
from table.moment import MICROSECOND, MILLISECOND, Moment

START = Moment(5_000_000_000)


def after(span: timedelta) -> Moment:
    return START + span


def test_a_heartbeat_sets_the_clock() -> None:
    clock = NodeClock.first(1, 60_000, START)
    assert clock.now_ms(after(timedelta(seconds=2))) == 62_000


def test_a_late_heartbeat_does_not_set_the_clock_back() -> None:
    clock = NodeClock.first(1, 60_000, START)
    late = clock.beat(1, 62_000, after(timedelta(seconds=2, milliseconds=900)))
    assert late.now_ms(after(timedelta(seconds=3))) == 63_000


def test_a_new_session_starts_the_clock_afresh() -> None:
    clock = NodeClock.first(1, 600_000, START).beat(2, 10, after(timedelta(seconds=2)))
    assert clock.now_ms(after(timedelta(seconds=3))) == 1_010


def test_a_node_is_stale_when_its_third_heartbeat_is_missing() -> None:
    clock = NodeClock.first(1, 60_000, START)
    assert not clock.stale(after(timedelta(seconds=6)))
    assert clock.stale(after(timedelta(seconds=6, milliseconds=501)))


@given(
    st.lists(st.integers(0, 5_000_000), min_size=1, max_size=40),
    st.integers(0, 2_000_000),
)
def test_the_clock_is_never_later_than_the_truth(delays: list[int], wait: int) -> None:
    """Whatever time each heartbeat takes on its way, 2 s apart."""
    clock: NodeClock | None = None
    arrived = START
    for number, delay in enumerate(delays):
        sent = number * 2_000_000
        arrived = max(arrived, START + (sent + delay) * MICROSECOND)
        uptime_ms = (sent * MICROSECOND) // MILLISECOND
        clock = (
            clock.beat(1, uptime_ms, arrived) if clock else NodeClock.first(1, uptime_ms, arrived)
        )
    assert clock
    now = arrived + wait * MICROSECOND
    assert clock.now_ms(now) <= (now - START) // MILLISECOND
