"""The fewest reads by which one sample of a module is taken."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from drivers.modbus.profile_layout import EdgeSource, Layout, Point
from drivers.modbus.profile_parts import Timing
from drivers.modbus.profile_words import Access, Sensing
from drivers.modbus.requests import BIT_READS, Read


@dataclass(frozen=True, slots=True, order=True)
class _Stretch:
    """Addresses that must come from one read."""

    first: int
    end: int


def sample_reads(
    timing: Timing, layout: Layout, edges: Iterable[EdgeSource], points: Iterable[Point]
) -> tuple[Read, ...]:
    """Return what one sample of these edges and points asks.

    Edges of one snapshot lie in one read wherever the limits of the module allow; a number is
    never torn. Counters and latches are read before levels, so that a press which a counter shows
    and the level does not is over.
    """
    edges = tuple(edges)
    stretches = {*_snapshots(timing, layout, edges), *map(_alone, points)}
    reads = [
        read
        for function, group in groupby(sorted(stretches), key=lambda place: place[0])
        for read in _joined(timing, layout, function, [place[1] for place in group])
    ]
    remembered = [edge.watch for edge in edges if edge.sensing is not Sensing.LEVEL]
    return tuple(sorted(reads, key=lambda read: not any(lies_in(one, read) for one in remembered)))


def lies_in(point: Point, read: Read) -> bool:
    """Say whether the whole of a point is in the reply to a read."""
    function, stretch = _alone(point)
    return function == read.function and read.address <= stretch.first and stretch.end <= read.end


def alone(point: Point) -> Read:
    """Return the read of one point by itself."""
    function, stretch = _alone(point)
    return Read(function, stretch.first, stretch.end - stretch.first)


def _alone(point: Point) -> tuple[int, _Stretch]:
    return point.read_function, _Stretch(point.address, point.address + point.registers)


def _snapshots(
    timing: Timing, layout: Layout, edges: tuple[EdgeSource, ...]
) -> Iterator[tuple[int, _Stretch]]:
    """Give each snapshot as one stretch for each function, or in pieces where it cannot be one."""
    groups: dict[tuple[int, str], set[_Stretch]] = {}
    for edge in edges:
        for point in (edge.watch, edge.level):
            if point is not None:
                function, stretch = _alone(point)
                groups.setdefault((function, edge.snapshot), set()).add(stretch)
    for (function, _), pieces in groups.items():
        whole = _Stretch(min(pieces).first, max(piece.end for piece in pieces))
        one = _may_be_one(timing, layout, function, whole)
        yield from ((function, piece) for piece in ((whole,) if one else pieces))


def _joined(
    timing: Timing, layout: Layout, function: int, stretches: list[_Stretch]
) -> Iterator[Read]:
    """Join stretches from the lowest on, each read as long as it may be: no way needs fewer."""
    at, *following = stretches
    for stretch in following:
        longer = _Stretch(at.first, max(at.end, stretch.end))
        if _may_be_one(timing, layout, function, longer):
            at = longer
        else:
            yield Read(function, at.first, at.end - at.first)
            at = stretch
    yield Read(function, at.first, at.end - at.first)


def _may_be_one(timing: Timing, layout: Layout, function: int, whole: _Stretch) -> bool:
    most = timing.most_bits if function in BIT_READS else timing.most_registers
    if whole.end - whole.first > most:
        return False
    return timing.spans_holes or _held(layout, function) >= set(range(whole.first, whole.end))


def _held(layout: Layout, function: int) -> set[int]:
    """Return the addresses of which the profile knows that they can be read."""
    return {
        address
        for point in layout.points.values()
        if point.read_function == function and point.access is not Access.WRITE
        for address in range(point.address, point.address + point.registers)
    }
