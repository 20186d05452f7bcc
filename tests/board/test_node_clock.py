"""A node's clock seen from here is never later than the truth."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from board.node_clock import NodeClock
from table.moment import MICROSECOND, Moment

START = Moment(5_000_000_000)


def after(span: timedelta) -> Moment:
    return START + span


def test_a_heartbeat_sets_the_clock() -> None:
    clock = NodeClock.first(1, 60_000, START)
    assert clock.now_ms(after(timedelta(seconds=2))) == 61_999


def test_a_late_heartbeat_does_not_set_the_clock_back() -> None:
    clock = NodeClock.first(1, 60_000, START)
    late = clock.beat(1, 62_000, after(timedelta(seconds=2, milliseconds=900)))
    assert late.now_ms(after(timedelta(seconds=3))) == 62_998


def test_a_new_session_starts_the_clock_afresh() -> None:
    clock = NodeClock.first(1, 600_000, START).beat(2, 10, after(timedelta(seconds=2)))
    assert clock.now_ms(after(timedelta(seconds=3))) == 1_009


def test_a_node_is_stale_when_its_third_heartbeat_is_missing() -> None:
    clock = NodeClock.first(1, 60_000, START)
    assert not clock.stale(after(timedelta(seconds=6)))
    assert clock.stale(after(timedelta(seconds=6, milliseconds=501)))


@given(
    st.lists(st.integers(0, 5_000_000), min_size=1, max_size=40),
    st.integers(0, 2_000_000),
    st.integers(-450, 450),
)
def test_the_clock_is_never_later_than_the_truth(delays: list[int], wait: int, drift: int) -> None:
    """Whatever time each heartbeat takes on its way, 2 s apart, and whosever clock is faster.

    Drift is in parts in a million of the node's time.
    """
    clock: NodeClock | None = None
    arrived = START
    for number, delay in enumerate(delays):
        sent = number * 2_000_000
        arrived = max(arrived, START + (sent + delay) * MICROSECOND)
        uptime_ms = (sent + sent * drift // 1_000_000) // 1000
        clock = (
            clock.beat(1, uptime_ms, arrived) if clock else NodeClock.first(1, uptime_ms, arrived)
        )
    assert clock
    now = arrived + wait * MICROSECOND
    passed = (now - START) // MICROSECOND
    assert clock.now_ms(now) * 1000 <= passed + passed * drift // 1_000_000 + 1
