"""Samples of an input against what was truly pressed."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from enum import Enum, auto
from itertools import cycle, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.gestures import Change
from drivers.modbus.edges import (
    Edge,
    Reading,
    Track,
    cleared,
    first_sample,
    holding,
    sampled,
    wants_clearing,
)
from drivers.modbus.presses import Jump, Restart
from drivers.modbus.profile_layout import EdgeSource
from drivers.modbus.profile_words import Clearing, Gesture, Reboot, Sensing
from drivers.modbus.windows import Window
from table.moment import Moment, Quality
from tests.drivers.modbus.pressed_inputs import (
    MS,
    Look,
    Module,
    Press,
    downs,
    holds_press,
    looks,
    presses,
    source,
    window,
)

DOWN, UP, HELD = Change.DOWN, Change.UP, Change.HELD
LAG = st.integers(0, 20)
Shown = Callable[[Look], Reading]


class Fate(Enum):
    """What becomes of a write that clears a latch."""

    DONE = auto()
    REPLY_LOST = auto()
    WRITE_LOST = auto()


class Clearable:
    """A latch, and what becomes of the writes that clear it."""

    def __init__(self, module: Module, fates: list[Fate]) -> None:
        self._module = module
        self._fates = cycle(fates)
        self._seen = 0

    def shown(self, look: Look) -> Reading:
        return Reading(self._module.count(look.at) > self._seen, self._module.down(look.at))

    def clear(self, track: Track, after: Look) -> Track:
        at = after.window.arrived
        fate = next(self._fates)
        if fate is not Fate.WRITE_LOST:
            self._seen = self._module.count(at.micros)
        return cleared(track, Window(at, at)) if fate is Fate.DONE else track


def followed(edge: EdgeSource, samples: Sequence[Look], shown: Shown) -> list[Edge]:
    """Return what the samples say."""
    track = first_sample(edge, shown(samples[0]), samples[0].window)
    said: list[Edge] = []
    for before, now in pairwise(samples):
        step = sampled(edge, track, shown(now), before.window, now.window)
        assert step.trouble is None
        track = step.track
        said += step.edges
    return said


def polled(*levels: tuple[int, int]) -> list[Change]:
    """Return the changes of a level that was sampled at these milliseconds, each in 2 ms."""
    edge = source(Sensing.LEVEL, debounce_ms=10)
    samples = [Look(window(at, at + 2), at) for at, _ in levels]
    shown = {at: Reading(down) for at, down in levels}
    return [edge.change for edge in followed(edge, samples, lambda look: shown[look.at])]


def end(history: Sequence[Press]) -> int:
    return (history[-1].up if history else 0) + 200 * MS


@given(st.data(), presses(), LAG)
def test_a_press_seen_by_level_lies_in_its_interval_and_none_is_invented(
    data: st.DataObject, history: list[Press], lag: int
) -> None:
    module = Module(history, lag * MS)
    edge = source(Sensing.LEVEL, debounce_ms=lag)
    samples = data.draw(looks(end(history)))
    said = downs(followed(edge, samples, lambda look: Reading(module.down(look.at))))
    waiting = list(history)
    for each in said:
        assert each.press.quality is Quality.POLLED
        match = next(press for press in waiting if holds_press(each, press))
        waiting = waiting[waiting.index(match) + 1 :]


@given(
    data=st.data(),
    history=presses(),
    lag=LAG,
    start=st.integers(0, 2**16 - 1),
    leveled=st.booleans(),
)
def test_a_counter_loses_no_press_and_invents_none_across_its_wrap(
    *, data: st.DataObject, history: list[Press], lag: int, start: int, leveled: bool
) -> None:
    module = Module(history, lag * MS)
    edge = source(Sensing.COUNTER, debounce_ms=lag)
    samples = data.draw(looks(end(history)))

    def shown(look: Look) -> Reading:
        level = module.down(look.at) if leveled else None
        return Reading((start + module.count(look.at)) % 2**16, level)

    said = downs(followed(edge, samples, shown))
    unseen = module.count(samples[0].at)
    assert len(said) == module.count(samples[-1].at) - unseen
    for each, press in zip(said, history[unseen:], strict=False):
        assert holds_press(each, press)
        assert each.press.quality is Quality.COUNTED


@given(presses(), LAG, st.data(), st.lists(st.sampled_from(Fate), min_size=1, max_size=5))
def test_a_press_that_a_latch_kept_lies_in_its_interval_whatever_becomes_of_its_clearing(
    history: list[Press], lag: int, data: st.DataObject, fates: list[Fate]
) -> None:
    module = Module(history, lag * MS)
    edge = source(Sensing.LATCH, debounce_ms=lag)
    samples = data.draw(looks(end(history)))
    latch = Clearable(module, fates)
    track = first_sample(edge, latch.shown(samples[0]), samples[0].window)
    said: list[Edge] = []
    for before, now in pairwise(samples):
        track = latch.clear(track, before) if wants_clearing(edge, track) else track
        step = sampled(edge, track, latch.shown(now), before.window, now.window)
        track, said = step.track, [*said, *step.edges]
    waiting = list(history)
    for each in downs(said):
        match = next(press for press in waiting if holds_press(each, press))
        waiting = waiting[waiting.index(match) + 1 :]


@given(presses(), st.data())
def test_a_press_is_never_said_to_have_lasted_longer_than_it_did(
    history: list[Press], data: st.DataObject
) -> None:
    module = Module(history)
    samples = data.draw(looks(end(history)))
    edge = source(Sensing.COUNTER)
    said = followed(
        edge, samples, lambda look: Reading(module.count(look.at), module.down(look.at))
    )
    seen = history[module.count(samples[0].at) :]
    ups = [each for each in said if each.change is UP]
    for each, press in zip(ups, seen, strict=False):
        assert each.lasted <= timedelta(microseconds=press.up - press.down)


@given(st.lists(st.integers(0, 2**32 - 1), min_size=2, max_size=8), st.sampled_from([20, 60_000]))
def test_whatever_a_counter_says_is_presses_a_restart_or_a_jump(
    counts: list[int], period: int
) -> None:
    edge = source(Sensing.COUNTER, wrap=2**32)
    track = first_sample(edge, Reading(counts[0]), window(0, 5))
    for place, (old, new) in enumerate(pairwise(counts), 1):
        before, now = (window(period * at, period * at + 5) for at in (place - 1, place))
        step = sampled(edge, track, Reading(new), before, now)
        presses = (new - old) % 2**32
        assert step.trouble is not None or len(downs(step.edges)) == presses
        assert not (step.trouble and step.edges)
        track = step.track
        assert track.count == new


def test_a_press_lies_between_asking_before_it_and_the_reply_after_it() -> None:
    edge = source(Sensing.LEVEL, debounce_ms=10)
    track = first_sample(edge, Reading(0), window(0, 4))
    (press,) = sampled(edge, track, Reading(1), window(20, 24), window(40, 44)).edges
    assert press.press.earliest == Moment(10 * MS)
    assert press.press.latest == Moment(44 * MS)


def test_presses_between_two_samples_each_have_the_whole_interval() -> None:
    edge = source(Sensing.COUNTER)
    track = first_sample(edge, Reading(65535, down=False), window(0, 5))
    said = sampled(edge, track, Reading(1, down=False), window(100, 105), window(200, 205)).edges
    assert [each.change for each in said] == [DOWN, UP, DOWN]
    assert {(each.press.earliest, each.press.latest) for each in said} == {
        (Moment(100 * MS), Moment(205 * MS))
    }


def test_a_count_that_fell_to_zero_is_a_restart_and_charges_nothing() -> None:
    edge = source(Sensing.COUNTER)
    track = first_sample(edge, Reading(4711), window(0, 5))
    step = sampled(edge, track, Reading(0), window(20, 25), window(40, 45))
    assert (step.trouble, step.edges) == (Restart(), ())
    again = sampled(edge, step.track, Reading(1), window(40, 45), window(60, 65))
    assert [each.change for each in again.edges] == [DOWN]


@pytest.mark.parametrize(("old", "new"), [(100, 5000), (60000, 30000)])
def test_a_count_no_hand_can_press_is_named_and_taken_anew(old: int, new: int) -> None:
    edge = source(Sensing.COUNTER)
    track = first_sample(edge, Reading(old), window(0, 5))
    step = sampled(edge, track, Reading(new), window(20, 25), window(40, 45))
    assert step.trouble == Jump(f"from {old} to {new} in 25 ms")
    assert step.edges == ()
    assert step.track.count == new


def test_a_counter_that_keeps_its_count_has_no_restart() -> None:
    edge = source(Sensing.COUNTER, reboot=Reboot.KEPT)
    track = first_sample(edge, Reading(4711), window(0, 5))
    step = sampled(edge, track, Reading(0), window(20, 25), window(40, 45))
    assert isinstance(step.trouble, Jump)


def test_a_counter_that_reading_sets_back_tells_presses_itself() -> None:
    edge = source(Sensing.COUNTER, clear=Clearing.BY_READING)
    samples = [Look(window(at, at + 5), at) for at in (0, 100, 200, 300)]
    counts = {0: 9, 100: 2, 200: 2, 300: 0}
    said = followed(edge, samples, lambda look: Reading(counts[look.at]))
    assert len(downs(said)) == 4


def test_a_bounce_of_a_level_after_it_changed_is_nothing() -> None:
    assert polled((0, 0), (3, 1), (6, 0), (9, 1), (30, 1), (40, 0), (43, 1), (46, 0), (80, 0)) == [
        DOWN,
        UP,
    ]


def test_a_release_too_soon_to_be_sure_of_is_told_when_it_stays() -> None:
    assert polled((0, 0), (20, 1), (25, 0)) == [DOWN]
    assert polled((0, 0), (20, 1), (25, 0), (45, 0)) == [DOWN, UP]


def test_a_press_too_soon_to_be_sure_of_keeps_the_interval_it_was_seen_in() -> None:
    edge = source(Sensing.LEVEL, debounce_ms=10)
    levels = {0: 1, 100: 0, 105: 1, 130: 1}
    samples = [Look(window(at, at + 2), at) for at in levels]
    said = followed(edge, samples, lambda look: Reading(levels[look.at]))
    assert [each.change for each in said] == [DOWN]
    assert (said[0].press.earliest, said[0].press.latest) == (Moment(90 * MS), Moment(107 * MS))


def test_an_input_held_when_it_is_first_seen_says_nothing() -> None:
    assert polled((0, 1), (20, 1), (2000, 1), (2020, 0), (2100, 0)) == []


def test_a_press_is_held_once_when_it_surely_lasted() -> None:
    edge = source(Sensing.LEVEL)
    hold = timedelta(seconds=1)
    track = first_sample(edge, Reading(0), window(0, 5))
    said: list[Edge] = []
    for at in (20, 1000, 1024, 1025, 2000):
        step = sampled(edge, track, Reading(1), window(at - 20, at - 15), window(at, at + 5))
        track, edges = holding(step.track, hold)
        said += [*step.edges, *edges]
    assert [(each.change, each.lasted) for each in said] == [
        (DOWN, timedelta(0)),
        (HELD, timedelta(milliseconds=1000)),
    ]


def test_a_latch_found_set_says_nothing_until_it_was_clear() -> None:
    edge = source(Sensing.LATCH)
    track = first_sample(edge, Reading(1), window(0, 5))
    assert wants_clearing(edge, track)
    still = sampled(edge, track, Reading(1), window(0, 5), window(20, 25))
    assert still.edges == ()
    clear = sampled(edge, still.track, Reading(0), window(20, 25), window(40, 45))
    assert not wants_clearing(edge, clear.track)
    (press,) = sampled(edge, clear.track, Reading(1), window(40, 45), window(60, 65)).edges
    assert press.press.earliest == Moment(40 * MS)
    assert press.press.quality is Quality.LATCHED


def test_a_latch_set_again_after_its_clearing_is_a_press_since_that_write() -> None:
    edge = source(Sensing.LATCH)
    track = cleared(first_sample(edge, Reading(1), window(0, 5)), window(8, 11))
    (press,) = sampled(edge, track, Reading(1), window(0, 5), window(20, 25)).edges
    assert press.press.earliest == Moment(8 * MS)


def test_a_sample_from_before_a_latch_was_cleared_is_no_press_when_it_comes_after() -> None:
    edge = source(Sensing.LATCH)
    track = cleared(first_sample(edge, Reading(1), window(0, 5)), window(22, 26))
    late = sampled(edge, track, Reading(1), window(0, 5), window(20, 24))
    assert late.edges == ()
    (press,) = sampled(edge, late.track, Reading(1), window(20, 24), window(40, 44)).edges
    assert press.press.earliest == Moment(22 * MS)


@pytest.mark.parametrize(
    ("gesture", "changes"),
    [
        (Gesture.SHORT, [DOWN, UP]),
        (Gesture.LONG, [DOWN, HELD, UP]),
        (Gesture.DOUBLE, [DOWN, UP, DOWN, UP]),
        (Gesture.SHORT_LONG, [DOWN, UP, DOWN, HELD, UP]),
    ],
)
def test_a_gesture_that_the_module_counts_becomes_its_edges(
    gesture: Gesture, changes: list[Change]
) -> None:
    edge = source(Sensing.PRESS_COUNTER, debounce_ms=1500, gesture=gesture)
    track = first_sample(edge, Reading(7), window(0, 5))
    said = sampled(edge, track, Reading(8), window(2000, 2005), window(2020, 2025)).edges
    assert [each.change for each in said] == changes
    assert said[0].press.earliest == Moment(500 * MS)
