"""The true moment lies in the interval, whatever the wire delays and the crystals do."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.table_link.clock_fit import DRIFT_PPM, KEPT, ClockFit, DeviceClock, Exchange
from table.moment import Moment, Quality

SECOND = 1_000_000
WRAP = 2**32


@dataclass(frozen=True, slots=True)
class World:
    """A box whose clock started at a moment of the daemon's and runs a little off."""

    started_us: int
    ppm: int
    resolution_us: int = 1000

    def device_ms(self, host_us: int) -> int:
        """Return what the box's clock shows, truncated to its resolution."""
        true_us = (host_us - self.started_us) * (1_000_000 + self.ppm) // 1_000_000
        return true_us // self.resolution_us * self.resolution_us // 1000

    def exchange(self, asked_us: int, way_there: int, think: int, way_back: int) -> Exchange:
        """Play one SYNC with these delays in µs."""
        heard = asked_us + way_there
        told = heard + think
        return Exchange(asked_us, self.device_ms(heard), self.device_ms(told), told + way_back)


FAR = Moment(10**18)
delays = st.integers(0, 300) | st.integers(0, 40_000)


def _clock(world: World, at_us: int) -> DeviceClock:
    return DeviceClock("TL-1/00000001", world.resolution_us, world.device_ms(at_us))


def _fit(world: World, exchanges: list[Exchange]) -> ClockFit:
    fit = ClockFit.begin(_clock(world, exchanges[0].asked_us), exchanges[0])
    for exchange in exchanges[1:]:
        fit = fit.after(exchange)
    return fit


@st.composite
def talks(draw: st.DrawFn) -> tuple[World, list[Exchange]]:
    """Draw a box and its exchanges, one each two seconds or so."""
    drift = st.integers(-DRIFT_PPM, DRIFT_PPM)
    world = World(draw(st.integers(0, 10**12)), draw(drift), draw(st.sampled_from([1000, 2000])))
    at, exchanges = world.started_us + draw(st.integers(0, 10**10)), []
    waits = draw(st.lists(st.tuples(delays, st.integers(0, 2000), delays), min_size=1, max_size=9))
    gap = draw(st.integers(0, 2 * SECOND))
    for there, think, back in waits * draw(st.sampled_from([1, 1, KEPT])):
        exchanges.append(world.exchange(at, there, think, back))
        at = exchanges[-1].answered_us + gap
    return world, exchanges[-2 * KEPT :]


@given(talks(), st.integers(-60 * SECOND, 10 * SECOND))
def test_the_true_moment_lies_in_the_interval(
    talk: tuple[World, list[Exchange]], away: int
) -> None:
    world, exchanges = talk
    true_us = exchanges[-1].answered_us + away
    interval = _fit(world, exchanges).interval(world.device_ms(true_us) % WRAP, FAR)
    assert interval.earliest.micros <= true_us <= interval.latest.micros


@given(talks())
def test_no_bound_is_smaller_than_half_the_best_round_trip(
    talk: tuple[World, list[Exchange]],
) -> None:
    world, exchanges = talk
    fit = _fit(world, exchanges)
    trips = [
        one.answered_us - one.asked_us - (one.told_ms - one.heard_ms) * 1000 for one in exchanges
    ]
    assert fit.bound() >= timedelta(microseconds=min(trips[-KEPT:]) // 2)
    interval = fit.interval(exchanges[-1].told_ms % WRAP, FAR)
    assert interval.latest - interval.earliest >= fit.bound() * 2 - timedelta(microseconds=2)


@given(st.integers(-400, 400), st.lists(st.tuples(delays, delays), min_size=40, max_size=60))
def test_a_crystal_beyond_its_limits_is_fitted_or_found_out(
    ppm: int, ways: list[tuple[int, int]]
) -> None:
    world = World(0, ppm)
    exchanges = [
        world.exchange((1 + number) * 2 * SECOND, 150 + there % 1000, 0, 150 + back % 1000)
        for number, (there, back) in enumerate(ways)
    ]
    fit = _fit(world, exchanges)
    true_us = exchanges[-1].answered_us + SECOND
    interval = fit.interval(world.device_ms(true_us), FAR)
    # Nothing is promised here; a millisecond is what such a box may be off.
    assert interval.earliest.micros - 1000 <= true_us <= interval.latest.micros + 1000


def test_a_steady_drift_is_measured() -> None:
    world = World(0, 300)
    ways = [world.exchange(at * 2 * SECOND, 200, 0, 200) for at in range(1, KEPT)]
    # The daemon's clock runs 300 millionths slower; what is certain of it is fitted.
    assert -300_000 <= _fit(world, ways).drift_ppb <= -250_000


def test_a_drift_within_the_limits_is_left_to_the_bound() -> None:
    world = World(0, DRIFT_PPM)
    ways = [world.exchange(at * 2 * SECOND, 200, 0, 200) for at in range(1, KEPT)]
    assert _fit(world, ways).drift_ppb == 0


@given(talks())
def test_the_latest_moment_is_never_after_the_event_was_seen(
    talk: tuple[World, list[Exchange]],
) -> None:
    world, exchanges = talk
    seen = Moment(exchanges[-1].answered_us)
    interval = _fit(world, exchanges).interval(world.device_ms(seen.micros) % WRAP, seen)
    assert interval.earliest <= interval.latest <= seen


@given(
    st.integers(0, 3 * WRAP),
    st.integers(-(WRAP // 2 - 1), WRAP // 2 - 1).filter(lambda away: away != 0),
)
def test_a_reading_is_extended_to_the_nearest_one(known: int, away: int) -> None:
    clock = DeviceClock("TL-1/00000001", 1000, known)
    assert clock.extended((known + away) % WRAP) == known + away


def test_two_stamps_across_the_wrap_are_as_far_apart_as_they_were() -> None:
    world = World(0, 0)
    wrapped_at = WRAP * 1000
    fit = _fit(world, [world.exchange(wrapped_at - SECOND, 100, 0, 100)])
    before = fit.interval(WRAP - 40, FAR)
    after = fit.interval(60, FAR)
    assert before.stamp
    assert after.stamp
    assert after.stamp.at - before.stamp.at == timedelta(milliseconds=100)
    assert after.stamp.clock == before.stamp.clock


def test_a_clock_that_was_set_begins_a_new_fit() -> None:
    world, later = World(0, 0), World(5 * SECOND, 0)
    fit = _fit(world, [world.exchange(at * SECOND, 100, 0, 100) for at in range(10, 20)])
    fit = fit.after(later.exchange(20 * SECOND, 100, 0, 100))
    true_us = 21 * SECOND
    interval = fit.interval(later.device_ms(true_us), FAR)
    assert interval.earliest.micros <= true_us <= interval.latest.micros


def test_an_exchange_no_clock_can_have_made_is_left_out() -> None:
    world = World(0, 0)
    fit = _fit(world, [world.exchange(10 * SECOND, 100, 0, 100)])
    assert fit.after(Exchange(12 * SECOND, 12_000, 12_500, 12 * SECOND + 200)) == fit


@pytest.mark.parametrize("resolution_us", [1000, 4000])
def test_an_interval_says_how_it_was_found(resolution_us: int) -> None:
    world = World(0, 0, resolution_us)
    fit = _fit(world, [world.exchange(10 * SECOND, 100, 0, 100)])
    interval = fit.interval(9_000, FAR)
    assert interval.quality is Quality.DEVICE
    assert interval.stamp
    assert interval.stamp.resolution == timedelta(microseconds=resolution_us)
    assert interval.stamp.at == timedelta(seconds=9)
