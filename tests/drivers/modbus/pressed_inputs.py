"""True presses, the samples that look at them, and sources as a profile lays them out."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import cycle

from hypothesis import strategies as st

from drivers.gestures import Change
from drivers.modbus.edges import Edge
from drivers.modbus.profile_layout import NUMBERED, EdgeSource, Point
from drivers.modbus.profile_words import (
    Access,
    Area,
    ByteOrder,
    Clearing,
    Coding,
    Reboot,
    Sensing,
    WordOrder,
)
from drivers.modbus.windows import Window
from table.moment import Moment

MS = 1000
READ_BY = {Area.COIL: 1, Area.DISCRETE: 2, Area.HOLDING: 3, Area.INPUT: 4}


def point(
    name: str, area: Area = Area.DISCRETE, address: int = 0, *, registers: int = 1, width: int = 0
) -> Point:
    """Return a point of a made-up module that reads and writes at one address."""
    bits = width or (1 if area.of_bits else 16 * registers)
    write = {Area.COIL: 5, Area.HOLDING: 6 if registers == 1 else 16}
    return Point(
        name=name,
        area=area,
        address=address,
        write_address=address,
        bit=None,
        width=bits,
        registers=registers,
        coding=Coding.NUMBER,
        inverted=False,
        access=Access.READ_WRITE if area in write else Access.READ,
        word_order=WordOrder.HIGH_FIRST,
        byte_order=ByteOrder.HIGH_FIRST,
        read_function=READ_BY[area],
        write_function=write.get(area),
        reads=NUMBERED if bits == 1 else {},
        writes=NUMBERED if bits == 1 else {},
        motor=False,
    )


def source(sensing: Sensing, debounce_ms: int = 0, **more: object) -> EdgeSource:
    """Return an edge of a made-up module."""
    watch = point("watched")
    plain = EdgeSource(
        name="in1",
        sensing=sensing,
        watch=watch,
        level=None,
        wrap=2**16 if sensing.counts else None,
        clear=Clearing.WRITE_ZERO if sensing is Sensing.LATCH else Clearing.NEVER,
        clear_with=watch,
        reboot=Reboot.ZERO,
        gesture=None,
        debounce=timedelta(milliseconds=debounce_ms),
        snapshot="inputs",
    )
    return replace(plain, **more)  # type: ignore[arg-type]  # the tests name fields


@dataclass(frozen=True)
class Press:
    """A true press, in microseconds."""

    down: int
    up: int


@dataclass(frozen=True)
class Look:
    """A sample, and the true moment at which the module looked at its inputs."""

    window: Window
    at: int


@dataclass(frozen=True)
class Module:
    """An input as the module shows it, `lag` later than it is."""

    presses: Sequence[Press]
    lag: int = 0

    def down(self, at: int) -> bool:
        """The level it shows."""
        return any(press.down <= at - self.lag < press.up for press in self.presses)

    def count(self, at: int) -> int:
        """How many presses it has seen."""
        return bisect_right([press.down for press in self.presses], at - self.lag)


def window(asked_ms: float, arrived_ms: float) -> Window:
    """Return a window in milliseconds."""
    return Window(Moment(round(asked_ms * MS)), Moment(round(arrived_ms * MS)))


@st.composite
def presses(draw: st.DrawFn, most: int = 12) -> list[Press]:
    """Draw presses of one hand on one button: 50 ms apart at least, as short as 1 ms."""
    at, history = 100 * MS, []
    for _ in range(draw(st.integers(0, most))):
        at += draw(st.integers(0, 400 * MS))
        length = draw(st.integers(MS, 1500 * MS))
        history.append(Press(at, at + length))
        at += max(50 * MS, length + 2 * MS)
    return history


RHYTHM = st.lists(
    st.tuples(st.integers(0, 100 * MS), st.integers(0, 200 * MS), st.floats(0, 1)),
    min_size=1,
    max_size=8,
)
"""Rest before a request, wait for its reply, and where between the two the module looks."""


@st.composite
def looks(draw: st.DrawFn, until: int) -> list[Look]:
    """Draw samples of an irregular rhythm up to a moment and past it."""
    at, samples, rhythm = draw(st.integers(0, 90 * MS)), list[Look](), draw(RHYTHM)
    for rest, wait, share in cycle(rhythm):
        asked = at + rest + MS
        at = asked + wait
        samples.append(Look(Window(Moment(asked), Moment(at)), asked + round(wait * share)))
        if asked >= until:
            return samples
    return samples


def downs(edges: Sequence[Edge]) -> list[Edge]:
    """Return the presses among edges."""
    return [edge for edge in edges if edge.change is Change.DOWN]


def holds_press(edge: Edge, press: Press) -> bool:
    """Say whether the interval of an edge contains a true press."""
    return edge.press.earliest <= Moment(press.down) <= edge.press.latest
