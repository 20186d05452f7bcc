"""Moments, intervals and the time between two happenings."""

from datetime import timedelta

from hypothesis import event, given
from hypothesis import strategies as st

from table.moment import (
    MICROSECOND,
    MILLISECOND,
    DeviceStamp,
    Elapsed,
    Interval,
    Moment,
    Quality,
    elapsed,
    overlap,
)

LIMIT = timedelta(seconds=10)
"""mcr-2014 art. 6 (出牌)."""

moments = st.integers(min_value=0, max_value=10**12).map(Moment)
spans = st.integers(min_value=-(10**12), max_value=10**12).map(lambda us: us * MICROSECOND)
widths = st.integers(min_value=0, max_value=10**7).map(lambda us: us * MICROSECOND)


def interval(
    earliest: int, latest: int, stamp: DeviceStamp | None = None, quality: Quality = Quality.DEVICE
) -> Interval:
    return Interval(Moment(earliest), Moment(latest), quality, stamp)


def stamp(
    at: timedelta, clock: str = "box-7/1", resolution: timedelta = MILLISECOND
) -> DeviceStamp:
    return DeviceStamp(clock, at, resolution)


@st.composite
def happenings(draw: st.DrawFn) -> tuple[Moment, Interval]:
    """Draw when something truly happened, and an interval that holds it."""
    truly = draw(moments)
    return truly, Interval(truly - draw(widths), truly + draw(widths), Quality.POLLED)


@given(moments, spans)
def test_adding_a_span_and_taking_it_away_comes_back(moment: Moment, span: timedelta) -> None:
    assert (moment + span) - span == moment
    assert (moment + span) - moment == span


@given(moments, moments)
def test_a_later_moment_is_greater(first: Moment, second: Moment) -> None:
    assert (first < second) == (second - first > timedelta(0))


def test_a_microsecond_is_never_lost_in_a_long_session() -> None:
    start = Moment(0)
    assert (start + timedelta(days=400) + MICROSECOND).micros == 400 * 86_400 * 10**6 + 1


def test_an_exact_happening_is_an_interval_without_width() -> None:
    known = Interval.exactly(Moment(5))

    assert known == Interval(Moment(5), Moment(5), Quality.REFEREE)
    assert Interval.exactly(Moment(5), Quality.PAD).quality is Quality.PAD


def test_a_shifted_interval_keeps_width_and_quality() -> None:
    assert interval(100, 300).shifted(timedelta(microseconds=50)) == interval(150, 350)


def test_shifting_moves_the_device_stamp_too() -> None:
    pressed = interval(0, 900, stamp(timedelta(seconds=4)))

    shifted = pressed.shifted(timedelta(seconds=3))

    assert shifted.stamp == stamp(timedelta(seconds=7))
    assert elapsed(pressed, shifted) == Elapsed(
        timedelta(seconds=2, milliseconds=999), timedelta(seconds=3, milliseconds=1)
    )


@given(happenings(), happenings())
def test_the_true_time_lies_between_least_and_most(
    first: tuple[Moment, Interval], second: tuple[Moment, Interval]
) -> None:
    (began, start), (ended, end) = first, second

    between = elapsed(start, end)

    assert between.least <= ended - began <= between.most


@given(happenings(), happenings())
def test_nobody_is_over_a_limit_that_was_truly_kept(
    first: tuple[Moment, Interval], second: tuple[Moment, Interval]
) -> None:
    (began, start), (ended, end) = first, second
    kept = ended - began
    event("the reading alone would exceed it" if elapsed(start, end).most > kept else "exact")

    assert not elapsed(start, end).over(kept)


@given(happenings(), happenings())
def test_the_way_back_has_the_same_readings_with_the_other_sign(
    first: tuple[Moment, Interval], second: tuple[Moment, Interval]
) -> None:
    there, back = elapsed(first[1], second[1]), elapsed(second[1], first[1])

    assert (back.least, back.most) == (-there.most, -there.least)


def test_stamps_of_one_device_cancel_the_doubt_of_the_link() -> None:
    start = interval(0, 400_000, stamp(timedelta(seconds=1)))
    end = interval(9_800_000, 10_500_000, stamp(timedelta(seconds=11, milliseconds=10)))

    assert elapsed(start, end) == Elapsed(
        timedelta(seconds=10, milliseconds=9), timedelta(seconds=10, milliseconds=11)
    )


def test_the_coarser_of_two_stamps_decides_the_doubt() -> None:
    fine = interval(0, 0, stamp(timedelta(seconds=1)))
    coarse = interval(0, 0, stamp(timedelta(seconds=2), resolution=20 * MILLISECOND))

    assert elapsed(fine, coarse) == elapsed(
        interval(0, 0, stamp(timedelta(seconds=1), resolution=20 * MILLISECOND)), coarse
    )
    assert elapsed(fine, coarse).most - elapsed(fine, coarse).least == 40 * MILLISECOND


def test_stamps_of_two_boots_do_not_compare() -> None:
    start = interval(1_000, 2_000, stamp(timedelta(hours=3), clock="box-7/1"))
    end = interval(11_000, 13_000, stamp(timedelta(seconds=1), clock="box-7/2"))

    assert elapsed(start, end) == Elapsed(9 * MILLISECOND, 12 * MILLISECOND)


def test_a_stamp_on_one_side_only_does_not_help() -> None:
    stamped = interval(0, 1_000, stamp(timedelta(seconds=1)))

    assert elapsed(stamped, interval(5_000, 6_000)) == Elapsed(4 * MILLISECOND, 6 * MILLISECOND)
    assert elapsed(interval(0, 1_000), stamped) == Elapsed(-MILLISECOND, MILLISECOND)


def test_exactly_at_the_limit_is_in_time() -> None:
    assert not Elapsed(LIMIT, LIMIT).over(LIMIT)
    assert not Elapsed(LIMIT, LIMIT).too_close(LIMIT)


def test_a_microsecond_later_by_every_reading_is_over() -> None:
    late = Elapsed(LIMIT + MICROSECOND, LIMIT + MICROSECOND)

    assert late.over(LIMIT)
    assert not late.too_close(LIMIT)


def test_readings_on_both_sides_of_the_limit_are_too_close_to_call() -> None:
    doubtful = Elapsed(LIMIT, LIMIT + MICROSECOND)

    assert not doubtful.over(LIMIT)
    assert doubtful.too_close(LIMIT)


@given(spans, widths, spans)
def test_every_measurement_is_in_time_or_over_or_too_close(
    least: timedelta, width: timedelta, limit: timedelta
) -> None:
    measured = Elapsed(least, least + width)
    in_time = measured.most <= limit
    event("in time" if in_time else "over" if measured.over(limit) else "too close")

    assert [in_time, measured.over(limit), measured.too_close(limit)].count(True) == 1


def test_intervals_that_share_a_moment_are_simultaneous() -> None:
    assert overlap(interval(0, 10), interval(10, 20))
    assert overlap(interval(10, 20), interval(0, 10))


def test_intervals_with_a_gap_are_not_simultaneous() -> None:
    assert not overlap(interval(0, 10), interval(11, 20))
    assert not overlap(interval(11, 20), interval(0, 10))


@given(happenings(), happenings())
def test_simultaneity_is_mutual(
    first: tuple[Moment, Interval], second: tuple[Moment, Interval]
) -> None:
    event("together" if overlap(first[1], second[1]) else "apart")

    assert overlap(first[1], second[1]) == overlap(second[1], first[1])


def test_two_presses_of_one_device_a_resolution_apart_are_simultaneous() -> None:
    first = interval(0, 500_000, stamp(timedelta(seconds=1)))

    assert overlap(first, interval(0, 500_000, stamp(timedelta(seconds=1, milliseconds=1))))
    assert not overlap(first, interval(0, 500_000, stamp(timedelta(seconds=1, milliseconds=2))))
