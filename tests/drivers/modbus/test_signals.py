"""Samples of whole modules against what their inputs showed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.gestures import Change
from drivers.modbus.edges import Edge
from drivers.modbus.images import Misread, Part
from drivers.modbus.presses import Jump
from drivers.modbus.profile_layout import EdgeSource
from drivers.modbus.profile_words import Area, Clearing, Sensing
from drivers.modbus.requests import Read, Write
from drivers.modbus.signals import Signals, Told, forgotten, latch_cleared, sample, watching
from drivers.modbus.windows import Window
from drivers.modbus.writes import clearing
from table.moment import Moment
from tests.drivers.modbus.pressed_inputs import (
    MS,
    Module,
    Press,
    downs,
    holds_press,
    looks,
    point,
    presses,
    source,
    window,
)

HOLD = timedelta(seconds=1)
LEVELS, COUNTS = Read(2, 0, 4), Read(4, 0, 4)


def level_of(number: int) -> EdgeSource:
    watch = point(f"in{number}", Area.DISCRETE, number)
    return replace(source(Sensing.LEVEL), name=f"in{number}", watch=watch)


def count_of(number: int) -> EdgeSource:
    watch = point(f"count{number}", Area.INPUT, number)
    beside = point(f"in{number}", Area.DISCRETE, number)
    return replace(source(Sensing.COUNTER), name=f"in{number}", watch=watch, level=beside)


def reply(read: Read, values: Sequence[int], at: Window) -> Mapping[Read, Part]:
    return {read: Part(read, tuple(values), at)}


def counts(values: Sequence[int], levels: Sequence[int], at: Window) -> Mapping[Read, Part]:
    return {**reply(COUNTS, values, at), **reply(LEVELS, levels, at)}


def by_name(told: Sequence[Told]) -> dict[str, list[Edge]]:
    said: dict[str, list[Edge]] = {}
    for each in told:
        for name, edge in each.edges:
            said.setdefault(name, []).append(edge)
    return said


def played(signals: Signals, samples: Sequence[Mapping[Read, Part]]) -> list[Told]:
    told = []
    for parts in samples:
        told.append(sample(signals, parts, HOLD))
        signals = told[-1].signals
    return told


SEATS = st.lists(presses(4), min_size=4, max_size=4)


@given(SEATS, st.data(), st.permutations(range(4)), st.sampled_from([level_of, count_of]))
def test_the_order_in_which_seats_are_read_changes_nothing(
    seats: list[list[Press]], data: st.DataObject, order: list[int], kind: type
) -> None:
    modules = [Module(history) for history in seats]
    samples = [
        counts(
            [module.count(look.at) for module in modules],
            [module.down(look.at) for module in modules],
            look.window,
        )
        for look in data.draw(
            looks(max(history[-1].up for history in seats if history) if any(seats) else MS)
        )
    ]
    turned = [dict(reversed(list(parts.items()))) for parts in samples]
    reads = (COUNTS, LEVELS)
    told = played(watching(map(kind, range(4)), reads), samples)
    other = played(watching(map(kind, order), reads[::-1]), turned)
    assert by_name(told) == by_name(other)


@given(presses(8), st.data())
def test_a_press_across_samples_that_never_came_has_the_longer_interval(
    history: list[Press], data: st.DataObject
) -> None:
    module = Module(history)
    samples = data.draw(looks(history[-1].up if history else MS))
    came = [data.draw(st.integers(0, 3)) for _ in samples[:40]]
    parts = [
        {
            read: part
            for place, (read, part) in enumerate(
                counts([module.count(look.at)] * 4, [module.down(look.at)] * 4, look.window).items()
            )
            if share & (1 << place)
        }
        for look, share in zip(samples, came, strict=False)
    ]
    said = downs(by_name(played(watching([count_of(0)], (COUNTS, LEVELS)), parts)).get("in0", []))
    whole = [look for look, share in zip(samples, came, strict=False) if share == 3]
    first, last = (module.count(look.at) for look in (whole[0], whole[-1])) if whole else (0, 0)
    assert len(said) == last - first
    assert all(holds_press(*pair) for pair in zip(said, history[first:last], strict=True))


WORDS = st.lists(st.integers(0, 0xFFFF), min_size=4, max_size=4)
BITS = st.lists(st.integers(0, 1), min_size=4, max_size=4)


@given(st.lists(st.tuples(WORDS, BITS, st.integers(0, 2000)), max_size=8))
def test_whatever_the_replies_hold_is_answered(
    replies: list[tuple[list[int], list[int], int]],
) -> None:
    board = replace(level_of(3), watch=point("odd", Area.INPUT, 3), name="odd")
    sources = [count_of(0), count_of(1), level_of(2), board]
    at, samples = 0, []
    for words, bits, wait in replies:
        samples.append(counts(words, bits, window(at, at + wait)))
        at += wait + 5
    for told in played(watching(sources, (COUNTS, LEVELS)), samples):
        assert not (told.restarted and told.edges)
        assert all(isinstance(trouble, Misread | Jump) for _, trouble in told.troubles)


def test_samples_that_show_the_same_say_nothing_and_only_move_the_interval() -> None:
    still = [counts([7] * 4, [0] * 4, window(at, at + 5)) for at in range(0, 100, 20)]
    pressed = counts([7, 8, 7, 7], [0, 1, 0, 0], window(100, 105))
    *quiet, last = played(watching(map(count_of, range(4)), (COUNTS, LEVELS)), [*still, pressed])
    assert not any(told.edges or told.troubles or told.clear for told in quiet)
    ((name, edge),) = last.edges
    assert name == "in1"
    assert (edge.press.earliest, edge.press.latest) == (Moment(80 * MS), Moment(105 * MS))


def test_one_counter_that_fell_to_zero_restarts_the_module_and_says_no_press() -> None:
    samples = [
        counts([500, 3, 3, 3], [0, 0, 0, 0], window(0, 5)),
        counts([0, 4, 0, 0], [0, 1, 0, 0], window(20, 25)),
        counts([0, 5, 0, 0], [0, 1, 0, 0], window(40, 45)),
    ]
    told = played(watching(map(count_of, range(4)), (COUNTS, LEVELS)), samples)
    assert [each.restarted for each in told] == [False, True, False]
    assert told[1].edges == ()
    assert [(name, edge.change) for name, edge in told[2].edges] == [("in1", Change.DOWN)]


def test_a_value_nobody_knows_is_named_and_its_input_begins_anew() -> None:
    odd = replace(level_of(0), watch=point("in0", Area.INPUT, 0))
    read = Read(4, 0, 1)
    samples = [
        reply(read, [value], window(at, at + 5))
        for at, value in ((0, 0), (20, 0x0300), (40, 1), (60, 0), (80, 1))
    ]
    told = played(watching([odd], (read,)), samples)
    assert [len(each.troubles) for each in told] == [0, 1, 0, 0, 0]
    assert [edge.change for each in told for _, edge in each.edges] == [Change.DOWN]


def test_a_latch_is_cleared_until_that_is_acknowledged() -> None:
    latch = replace(
        source(Sensing.LATCH),
        watch=point("latch", Area.COIL, 35),
        clear_with=point("latch", Area.COIL, 35),
        clear=Clearing.WRITE_ZERO,
    )
    assert clearing(latch) == Write(5, 35, (0,))
    read = Read(1, 35, 1)
    samples = [reply(read, [bit], window(at, at + 5)) for at, bit in ((0, 0), (20, 1), (40, 1))]
    first, pressed, still = played(watching([latch], (read,)), samples)
    assert [told.clear for told in (first, pressed, still)] == [(), (latch,), (latch,)]
    signals = latch_cleared(still.signals, "in1", window(46, 48))
    (again,) = played(signals, [reply(read, [1], window(60, 65))])
    assert [edge.press.earliest for _, edge in again.edges] == [Moment(46 * MS)]


def test_after_an_outage_the_next_sample_is_the_first() -> None:
    signals = watching([count_of(0)], (COUNTS, LEVELS))
    (told,) = played(signals, [counts([1] * 4, [0] * 4, window(0, 5))])
    after = played(
        forgotten(told.signals),
        [
            counts([3] * 4, [0] * 4, window(9000, 9005)),
            counts([4] * 4, [0] * 4, window(9020, 9025)),
        ],
    )
    assert [len(each.edges) for each in after] == [0, 1]


def test_an_input_that_no_read_holds_is_a_bug_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no read of the sample holds in0"):
        watching([level_of(0)], (COUNTS,))
