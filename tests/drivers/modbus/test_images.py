"""What replies of a module mean, whatever they hold."""

from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.images import (
    Flaw,
    Image,
    Misread,
    Part,
    joined,
    level,
    raw,
    split,
    taken,
    value,
)
from drivers.modbus.profile_layout import EdgeSource, Layout, Point
from drivers.modbus.profile_parts import Timing
from drivers.modbus.profile_words import Area, ByteOrder, Coding, Sensing, WordOrder
from drivers.modbus.reads import lies_in, sample_reads
from drivers.modbus.requests import Read
from tests.drivers.modbus.pressed_inputs import point, source, window

AT = window(0, 5)
POINTS = st.builds(
    lambda area, address, registers: point(
        f"{area}-{address}", area, address, registers=1 if area.of_bits else registers
    ),
    st.sampled_from(Area),
    st.integers(0, 40),
    st.sampled_from([1, 2, 4]),
)


def timing(*, bits: int = 2000, registers: int = 125, spans: bool = False) -> Timing:
    return Timing.model_validate(
        {
            "source": "none",
            "reply_timeout_milliseconds": 100,
            "most_bits": bits,
            "most_registers": registers,
            "spans_holes": spans,
        }
    )


def layout(*points: Point) -> Layout:
    return Layout({one.name: one for one in points}, {}, {}, (), {})


def pressed(name: str, watch: Point, level_point: Point | None = None) -> EdgeSource:
    sensing = Sensing.LEVEL if watch.area.of_bits else Sensing.COUNTER
    return replace(source(sensing), name=name, watch=watch, level=level_point)


def part(words: list[int], function: int = 3) -> Part:
    made = taken(Read(function, 0, len(words)), words, AT)
    assert isinstance(made, Part)
    return made


def test_eight_inputs_of_four_seats_are_one_request() -> None:
    inputs = [point(f"in{n}", Area.DISCRETE, n) for n in range(8)]
    edges = [pressed(one.name, one) for one in inputs]
    assert sample_reads(timing(), layout(*inputs), edges, ()) == (Read(2, 0, 8),)


def test_counters_are_read_before_the_levels_beside_them() -> None:
    levels = [point(f"in{n}", Area.DISCRETE, n) for n in range(2)]
    counters = [point(f"count{n}", Area.INPUT, 60 + 2 * n, registers=2) for n in range(2)]
    edges = [pressed(one.name, one, beside) for one, beside in zip(counters, levels, strict=True)]
    reads = sample_reads(timing(), layout(*levels, *counters), edges, ())
    assert reads == (Read(4, 60, 4), Read(2, 0, 2))


@pytest.mark.parametrize(("spans", "count"), [(True, 1), (False, 2)])
def test_a_hole_is_read_over_only_where_the_profile_says_so(*, spans: bool, count: int) -> None:
    ends = [point("low", Area.HOLDING, 0), point("high", Area.HOLDING, 9)]
    assert len(sample_reads(timing(spans=spans), layout(*ends), (), ends)) == count


def test_addresses_that_hold_something_else_are_no_hole() -> None:
    signals = [point(f"r{n}", Area.HOLDING, n) for n in range(10)]
    ends = [signals[0], signals[9]]
    assert sample_reads(timing(), layout(*signals), (), ends) == (Read(3, 0, 10),)


@given(
    points=st.lists(POINTS, min_size=1, max_size=8),
    most=st.integers(4, 60),
    spans=st.booleans(),
)
def test_every_point_is_read_whole_and_no_read_is_longer_than_it_may_be(
    *, points: list[Point], most: int, spans: bool
) -> None:
    limits = timing(bits=most, registers=most, spans=spans)
    reads = sample_reads(limits, layout(*points), (), points)
    assert all(any(lies_in(one, read) for read in reads) for one in points)
    assert all(read.count <= most for read in reads)
    assert len(set(reads)) == len(reads)


@given(st.sets(st.integers(0, 30), min_size=1, max_size=7), st.integers(1, 12))
def test_no_way_to_cut_them_needs_fewer_reads(addresses: set[int], most: int) -> None:
    points = [point(f"r{at}", Area.HOLDING, at) for at in addresses]
    limits = timing(registers=most, spans=True)
    made = len(sample_reads(limits, layout(*points), (), points))
    places = sorted(addresses)
    fewer = (
        all(high[-1] - high[0] < most for high in cuts(places, ends))
        for count in range(made - 1)
        for ends in combinations(range(1, len(places)), count)
    )
    assert not any(fewer)


def cuts(places: list[int], ends: tuple[int, ...]) -> list[list[int]]:
    bounds = [0, *ends, len(places)]
    return [places[low:high] for low, high in pairwise(bounds)]


@given(st.integers(0, 2**64 - 1), st.sampled_from(WordOrder), st.sampled_from(ByteOrder))
def test_a_number_taken_apart_comes_together_again(
    number: int, words: WordOrder, byte: ByteOrder
) -> None:
    one = replace(point("n", Area.HOLDING, registers=4), word_order=words, byte_order=byte)
    assert joined(one, split(one, number)) == number


def test_the_word_order_is_that_of_the_maker() -> None:
    adam = replace(point("n", Area.HOLDING, registers=2), word_order=WordOrder.LOW_FIRST)
    moxa = point("n", Area.HOLDING, registers=2)
    assert raw(part([0x0001, 0x0002]), adam) == 0x20001
    assert raw(part([0x0001, 0x0002]), moxa) == 0x10002


def test_an_inverted_input_is_on_where_its_bit_is_clear() -> None:
    inverted = replace(point("in1"), inverted=True)
    assert level(part([0], function=2), inverted) is True


def test_a_level_may_be_a_number_of_a_register() -> None:
    board = replace(point("in1", Area.HOLDING), reads={"off": 0, "on": 1})
    assert level(part([1]), board) is True
    unknown = level(part([0x0100]), board)
    assert unknown == Misread(Flaw.UNKNOWN_VALUE, "in1: 256 is neither on nor off")


@pytest.mark.parametrize(
    ("coding", "words", "text"),
    [
        (Coding.TEXT, [0x5742, 0x2D4D, 0x3800], "WB-M8"),
        (Coding.WIDE_TEXT, [0x57, 0x42, 0x20], "WB"),
    ],
)
def test_a_text_ends_with_its_letters(coding: Coding, words: list[int], text: str) -> None:
    model = replace(point("model", Area.HOLDING, registers=3), coding=coding)
    one = part(words)
    assert value(Image({one.read: one}), model) == text


@pytest.mark.parametrize("values", [[], [1], [1, 0, 1]])
def test_a_reply_of_the_wrong_length_is_named(values: list[int]) -> None:
    misread = taken(Read(2, 16, 2), values, AT)
    assert misread == Misread(
        Flaw.WRONG_LENGTH,
        f"function 2, addresses 16 to 17: {len(values)} values instead of 2",
    )


@given(
    st.sampled_from([1, 2, 3, 4]),
    st.lists(st.integers(-2, 2**17), max_size=6),
    st.lists(st.tuples(POINTS, st.sampled_from(Coding), st.booleans()), max_size=4),
)
def test_any_reply_is_a_part_or_a_flaw_and_any_point_of_it_a_value_or_a_flaw(
    function: int, values: list[int], wanted: list[tuple[Point, Coding, bool]]
) -> None:
    made = taken(Read(function, 0, max(1, len(values))), values, AT)
    if isinstance(made, Misread):
        return
    image = Image({made.read: made})
    for one, coding, inverted in wanted:
        changed = replace(one, coding=coding, inverted=inverted)
        assert isinstance(value(image, changed), int | str | Misread)
        if lies_in(changed, made.read):
            assert isinstance(level(made, changed), bool | Misread)
