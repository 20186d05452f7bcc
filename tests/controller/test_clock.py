import asyncio
from datetime import timedelta

import pytest

from controller.clock import Clock, MonotonicClock, ScaledClock
from table.moment import MILLISECOND, ZERO, Moment
from tests.harness.virtual_clock import VirtualClock

SECOND = timedelta(seconds=1)


async def test_a_sleeper_never_wakes_before_its_moment() -> None:
    clock = MonotonicClock()
    deadlines = [clock.now() + timedelta(microseconds=137 * step) for step in range(200)]

    async def lateness(deadline: Moment) -> timedelta:
        await clock.sleep_until(deadline)
        return clock.now() - deadline

    assert min(await asyncio.gather(*map(lateness, deadlines))) >= ZERO


async def test_a_moment_that_has_passed_is_not_waited_for() -> None:
    clock = VirtualClock(Moment(1000))
    await clock.sleep_until(Moment(999))
    await MonotonicClock().sleep_until(Moment(0))


def test_the_wall_clock_is_aware_and_in_utc() -> None:
    assert MonotonicClock().utc().utcoffset() == ZERO


async def test_a_scaled_clock_runs_at_its_speed() -> None:
    real = VirtualClock(Moment(5_000_000))
    scaled = ScaledClock(2.5, real)
    utc = scaled.utc()
    await real.advance(4 * SECOND)
    assert scaled.now() == Moment(15_000_000)
    assert scaled.utc() - utc == 10 * SECOND


@pytest.mark.parametrize("speed", [0.3, 1, 7, 60, 1000])
async def test_a_scaled_sleeper_wakes_at_its_moment_and_not_before(speed: float) -> None:
    real = VirtualClock()
    scaled = ScaledClock(speed, real)
    deadline = scaled.now() + timedelta(microseconds=10_007)
    sleeper = asyncio.create_task(scaled.sleep_until(deadline))
    while not sleeper.done():
        await real.settle()
        await real.advance((real.next_deadline or real.now()) - real.now())
    assert ZERO <= scaled.now() - deadline < timedelta(microseconds=speed + 1)


@pytest.mark.parametrize("speed", [0, -1])
def test_a_speed_that_would_stop_time_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match="greater than 0"):
        ScaledClock(speed)


async def test_the_virtual_clock_stops_at_every_deadline_in_turn() -> None:
    clock: Clock = (virtual := VirtualClock())
    seen: list[Moment] = []

    async def tick(every: timedelta) -> None:
        while True:
            await clock.sleep_until(clock.now() + every)
            seen.append(clock.now())

    tasks = [asyncio.create_task(tick(step * MILLISECOND)) for step in (2, 3)]
    await virtual.advance(6 * MILLISECOND)
    for task in tasks:
        task.cancel()
    assert [moment.micros for moment in seen] == [2000, 3000, 4000, 6000, 6000]
    assert clock.now() == Moment(6000)
    await virtual.settle()
    assert virtual.next_deadline is None
