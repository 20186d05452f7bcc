"""A crystal that wanders within its limits, through wraps and reboots, over a line that jitters.

The whole way from HELLO and SYNC_ECHO as they stand on the wire: readings are 32 bits.
"""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from drivers.table_link.clock_fit import DRIFT_PPM, KEPT
from drivers.table_link.frames import Frame
from drivers.table_link.messages import Hello, SyncEcho
from drivers.table_link.syncs import Syncs
from table.moment import Moment

SECOND = 1_000_000
MILLION = 1_000_000
WRAP = 2**32
FAR = Moment(10**18)


@dataclass(frozen=True)
class Wandering:
    """A crystal that keeps each rate for a while, and the last one for ever."""

    boot: int
    started_us: int
    """By the host's clock."""
    first_us: int
    """What the box's clock shows then."""
    rates: tuple[tuple[int, int], ...]
    """How long, in µs of the host, it runs how many millionths fast."""

    def raw(self, host_us: int) -> int:
        """Return what is read off the clock: whole ms, in 32 bits."""
        return self.whole(host_us) % WRAP

    def whole(self, host_us: int) -> int:
        return (self.first_us + self._ran(host_us - self.started_us) // MILLION) // 1000

    def _ran(self, span: int) -> int:
        """Return how far the clock went in a span of the host's, in millionths of a µs."""
        starts = [0, *accumulate(length for length, _ in self.rates)]
        at = min(bisect_right(starts, span), len(self.rates)) - 1
        done = sum(length * (MILLION + ppm) for length, ppm in self.rates[:at])
        return done + (span - starts[at]) * (MILLION + self.rates[at][1])


@dataclass(frozen=True)
class Trip:
    """The delays of one SYNC, and the time until the next, in µs."""

    there: int
    think: int
    back: int
    pause: int


trips = st.builds(
    Trip,
    st.integers(0, 300) | st.integers(0, 40_000),
    st.integers(0, 2000),
    st.integers(0, 300) | st.integers(0, 40_000),
    st.integers(0, 2 * SECOND) | st.just(2 * SECOND),
)
ppms = st.sampled_from([-DRIFT_PPM, DRIFT_PPM]) | st.integers(-DRIFT_PPM, DRIFT_PPM)
rates = st.lists(st.tuples(st.integers(SECOND // 10, 60 * SECOND), ppms), min_size=1, max_size=6)
firsts = st.integers(0, 10**9) | st.integers(WRAP * 1000 - 60 * SECOND, WRAP * 1000 - 1)


@st.composite
def crystals(draw: st.DrawFn, started_us: int = 10**10) -> Wandering:
    boot = draw(st.integers(1, WRAP - 1))
    return Wandering(boot, started_us, draw(firsts), tuple(draw(rates)))


def greeted(box: Wandering, at_us: int) -> Syncs:
    """Return the host's end as the box has said who it is."""
    hello = Hello("", "", "TL-1", "", "", box.boot, wraps=box.whole(at_us) // WRAP)
    return Syncs(hello, Frame(Hello.KIND, time=box.raw(at_us)))


def talked(box: Wandering, syncs: Syncs, at_us: int, talk: list[Trip]) -> int:
    """Let the host ask for the time again and again; return when it had the last answer."""
    for trip in talk:
        question = syncs.ask(Moment(at_us))
        heard = at_us + trip.there
        told = heard + trip.think
        at_us = told + trip.back
        echo = SyncEcho(box.boot, question.asked_us, box.raw(heard), box.raw(told))
        assert syncs.take(echo, Moment(at_us))
        at_us += trip.pause
    return at_us - talk[-1].pause


def assert_contains(box: Wandering, syncs: Syncs, true_us: int) -> None:
    assert syncs.fit
    interval = syncs.fit.interval(box.raw(true_us), FAR)
    assert interval.earliest.micros <= true_us <= interval.latest.micros
    assert interval.stamp
    assert interval.stamp.at == timedelta(milliseconds=box.whole(true_us))


talks = st.tuples(st.lists(trips, min_size=1, max_size=9), st.sampled_from([1, 5, KEPT // 2]))


@given(crystals(), talks, st.integers(0, 5 * SECOND), st.integers(-60 * SECOND, 10 * SECOND))
def test_however_a_crystal_wanders_within_its_limits_the_true_moment_lies_in_the_interval(
    box: Wandering, talk: tuple[list[Trip], int], greeting: int, away: int
) -> None:
    at = box.started_us + greeting
    syncs = greeted(box, at)
    last = talked(box, syncs, at, talk[0] * talk[1])
    assert_contains(box, syncs, max(last + away, box.started_us))


def test_a_crystal_that_turns_round_is_not_led_on_by_how_it_ran() -> None:
    """Fast for two minutes, then slow while no exchange is tight."""
    fast = 64 * 2 * SECOND
    box = Wandering(7, 0, 0, ((fast, DRIFT_PPM), (90 * SECOND, -DRIFT_PPM)))
    syncs = greeted(box, 0)
    tight, loose = Trip(100, 0, 100, 2 * SECOND), Trip(20_000, 0, 20_000, 2 * SECOND)
    last = talked(box, syncs, 0, [tight] * 63)
    last = talked(box, syncs, last + 2 * SECOND, [loose] * 30)
    assert_contains(box, syncs, last)


@given(crystals(), st.data())
def test_a_clock_that_began_anew_is_fitted_anew(box: Wandering, data: st.DataObject) -> None:
    talk = data.draw(st.lists(trips, min_size=1, max_size=9))
    last = talked(box, greeted(box, box.started_us), box.started_us, talk)
    again = data.draw(crystals(last + SECOND))
    syncs = greeted(again, again.started_us)
    last = talked(again, syncs, again.started_us, talk[:1])
    assert_contains(again, syncs, last)
    assert syncs.fit
    assert len(syncs.fit.exchanges) == 1
