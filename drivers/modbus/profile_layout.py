"""A profile laid out: every channel by itself, with addresses as they go over the wire."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias, TypeVar

from drivers.modbus.profile import Profile
from drivers.modbus.profile_outputs import (
    Flash,
    HostTimed,
    ModeDelay,
    StartCoil,
    WidthRegisters,
)
from drivers.modbus.profile_parts import EdgeRange, SignalRange
from drivers.modbus.profile_values import named, ranged
from drivers.modbus.profile_words import (
    Access,
    Area,
    ByteOrder,
    Clearing,
    Coding,
    Gesture,
    Reboot,
    Sensing,
    WordOrder,
)

Pulse: TypeAlias = Flash | StartCoil | WidthRegisters | ModeDelay | HostTimed
"""How one output is pulsed; the names in it are those of single points."""
T = TypeVar("T", bound=HostTimed)

READ_FUNCTIONS = {Area.COIL: 1, Area.DISCRETE: 2, Area.HOLDING: 3, Area.INPUT: 4}
"""Modbus Application Protocol Specification V1.1b3, section 6."""
OFF, ON = "off", "on"
BITS_OF_A_REGISTER = 16
NUMBERED = {"off": 0, "on": 1}


@dataclass(frozen=True, slots=True)
class Point:
    """One signal of a module."""

    name: str
    area: Area
    address: int
    """On the wire, from 0; where it is read."""
    write_address: int
    """On the wire, from 0; where it is written."""
    bit: int | None
    """Bit of a register, 0 the lowest; None where the whole address is meant."""
    width: int
    """Bits of a number."""
    registers: int
    """Addresses that it covers; 1 for a bit."""
    coding: Coding
    inverted: bool
    access: Access
    word_order: WordOrder
    byte_order: ByteOrder
    read_function: int
    write_function: int | None
    """5, 6, 15 or 16; None where it cannot be written."""
    reads: Mapping[str, int]
    """Word -> raw value as read, at least `off` and `on` for a single bit."""
    writes: Mapping[str, int]
    """Word -> raw value to write; a coil's FC 05 still sends 0xFF00 for 1."""
    motor: bool


@dataclass(frozen=True, slots=True)
class EdgeSource:
    """One input that people press."""

    name: str
    sensing: Sensing
    watch: Point
    level: Point | None
    wrap: int | None
    """A counter goes from this minus one to 0; None for levels and latches."""
    clear: Clearing
    clear_with: Point
    reboot: Reboot
    gesture: Gesture | None
    debounce: timedelta
    snapshot: str


@dataclass(frozen=True, slots=True)
class InitialWrite:
    """One write at connect."""

    step: str
    """Its name in the profile."""
    point: Point
    value: int
    read_back: bool
    only_if_different: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything of a profile that has an address."""

    points: Mapping[str, Point]
    edges: Mapping[str, EdgeSource]
    pulses: Mapping[str, Pulse]
    """By the name of the output."""
    init: tuple[InitialWrite, ...]
    """In the order in which they are written."""
    pulses_per_minute: Mapping[str, int]


def lay_out(profile: Profile) -> Layout:
    """Return every channel of a profile that has been checked.

    Raises:
        KeyError: a name is used that is no signal; `profile_file` refuses such a profile.
    """
    points = {point.name: point for point in every_point(profile)}
    return Layout(
        points=points,
        edges={edge.name: edge for edge in _edges(profile, points)},
        pulses=dict(_pulses(profile)),
        init=tuple(_init(profile, points)),
        pulses_per_minute=dict(_rates(profile)),
    )


def every_point(profile: Profile) -> Iterator[Point]:
    """Return the points of all signals, in the order of the file, however they clash."""
    for name, signal in profile.signals.items():
        for place, channel in enumerate(channels(profile, name)):
            yield _point(profile, signal, channel, place * signal.stride)


def channels(profile: Profile, name: str) -> list[str]:
    """Return the single names that a name stands for; itself where it is not a range."""
    signal = profile.signals.get(name)
    if not ranged(name) or signal is None or signal.n is None:
        return [name]
    return [named(name, number) for number in signal.n]


def _point(profile: Profile, signal: SignalRange, name: str, offset: int) -> Point:
    numbering = profile.numbering
    width = signal.width or (1 if signal.area.of_bits or signal.bit is not None else 16)
    registers = signal.registers or max(1, width // BITS_OF_A_REGISTER)
    access = signal.access or _usual_access(signal.area)
    start = signal.address if signal.write_address is None else signal.write_address
    reads = signal.reads or (NUMBERED if width == 1 else {})
    return Point(
        name=name,
        area=signal.area,
        address=signal.address + offset - numbering.first_address,
        write_address=start + offset - numbering.first_address,
        bit=signal.bit,
        width=width,
        registers=registers,
        coding=signal.coding,
        inverted=signal.inverted,
        access=access,
        word_order=signal.word_order or numbering.word_order,
        byte_order=signal.byte_order or numbering.byte_order,
        read_function=signal.read_function or READ_FUNCTIONS[signal.area],
        write_function=None if access is Access.READ else _write_function(signal, registers),
        reads=reads,
        writes=signal.writes or reads,
        motor=signal.motor,
    )


def _usual_access(area: Area) -> Access:
    return Access.READ if area in {Area.DISCRETE, Area.INPUT} else Access.READ_WRITE


def _write_function(signal: SignalRange, registers: int) -> int:
    if signal.write_function:
        return signal.write_function
    if signal.area is Area.COIL:
        return 5
    return 6 if registers == 1 else 16


def _edges(profile: Profile, points: Mapping[str, Point]) -> Iterator[EdgeSource]:
    for name, edge in profile.edges.items():
        for number in numbers(profile, name, edge.watch):
            yield _edge(points, edge, named(name, number), number)


def _edge(points: Mapping[str, Point], edge: EdgeRange, name: str, number: int) -> EdgeSource:
    watch = points[named(edge.watch, number)]
    return EdgeSource(
        name=name,
        sensing=edge.sensing,
        watch=watch,
        level=points[named(edge.level, number)] if edge.level else None,
        wrap=edge.wrap,
        clear=edge.clear or Clearing.NEVER,
        clear_with=points[named(edge.clear_with, number)] if edge.clear_with else watch,
        reboot=edge.reboot or Reboot.UNKNOWN,
        gesture=edge.gesture,
        debounce=edge.debounce,
        snapshot=edge.snapshot,
    )


def numbers(profile: Profile, name: str, signal: str) -> range:
    """Return the numbers that stand for `{n}` where `name` goes along with a signal."""
    known = profile.signals.get(signal)
    if not ranged(name) or known is None or known.n is None:
        return range(1)
    return known.n


def _pulses(profile: Profile) -> Iterator[tuple[str, Pulse]]:
    pulses = profile.pulses
    for method in (
        pulses.flash,
        pulses.start_coil,
        pulses.width_registers,
        pulses.mode_delay,
        pulses.host,
    ):
        for name, pulse in method.items():
            for number in numbers(profile, name, name):
                yield named(name, number), _single(pulse, number)


def _single(pulse: T, number: int) -> T:
    """Return a pulse in which every name is that of a single point."""
    named_ones = {
        field: named(value, number)
        for field, value in pulse
        if isinstance(value, str) and field not in {"source", "doubt"}
    }
    return pulse.model_copy(update=named_ones)


def _init(profile: Profile, points: Mapping[str, Point]) -> Iterator[InitialWrite]:
    for step, write in profile.init.items():
        for name in channels(profile, write.signal):
            yield InitialWrite(
                step, points[name], write.value, write.read_back, write.only_if_different
            )


def _rates(profile: Profile) -> Iterator[tuple[str, int]]:
    limits = profile.limits
    for name, rate in limits.pulses_per_minute.items() if limits else ():
        for channel in channels(profile, name):
            yield channel, rate
