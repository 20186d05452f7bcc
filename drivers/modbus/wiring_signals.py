"""What is wrong with what a table says is wired to the terminals of its modules."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias

from config.complaints import shown, similar
from drivers.modbus.functions import OF_A_PAUSE, SEAT_KINDS, Motor, Part, Sign, functions, part_of
from drivers.modbus.profile import Profile
from drivers.modbus.profile_layout import ON, Layout, lay_out
from drivers.modbus.profile_words import Access, Sensing
from drivers.modbus.pulse_steps import level_steps, pulse_steps
from drivers.modbus.wiring import place_of
from table.seat import Seat

TONE = timedelta(milliseconds=300)
"""The longest tone that is asked for (ADR 8)."""
_Fits: TypeAlias = Callable[[Layout, str], bool]


@dataclass(frozen=True, slots=True)
class Terminals:
    """The modules of one table."""

    place: str
    """Of the table in the file."""
    profiles: Mapping[str, Profile]
    """Of the modules whose profile is good; of others nothing more is said."""
    modules: frozenset[str]
    layouts: Mapping[str, Layout] = field(init=False)

    def __post_init__(self) -> None:
        laid = {name: lay_out(profile) for name, profile in self.profiles.items()}
        object.__setattr__(self, "layouts", laid)


def miswired_signals(terminals: Terminals, signals: Mapping[str, str]) -> Iterator[str]:
    """Return a sentence for each signal that cannot be, and for what is missing."""
    for function, written in signals.items():
        yield from _signal(terminals, function, written)
    yield from _twice(terminals.place, signals)
    yield from _missing(terminals.place, signals)
    yield from _unseen(terminals.place, signals)


def _signal(terminals: Terminals, function: str, written: str) -> Iterator[str]:
    at = f"{terminals.place}.signals.{function}"
    part, place = part_of(function), place_of(written)
    if part is None:
        yield f"{at} is not known; {similar(function, [*functions()])}"
        return
    if place.module not in terminals.modules:
        known = similar(place.module, sorted(terminals.modules))
        yield f"{at} is {shown(written)}, but no module is called {place.module}; {known}"
        return
    layout = terminals.layouts.get(place.module)
    if layout is None:
        return
    kind = _KINDS[part]
    fitting = [name for name in (*layout.edges, *layout.points) if kind.fits(layout, name)]
    if place.output in fitting:
        return
    model = terminals.profiles[place.module].header.id
    known = f"{similar(place.output, list(dict.fromkeys(fitting)))}" if fitting else "it has none"
    if place.output in {*layout.edges, *layout.points}:
        yield f"{at} is {shown(written)}, but it must be {kind.needs} of {model}; {known}"
    else:
        yield f"{at} is {shown(written)}, but {model} has no {place.output}; {known}"


def _twice(place: str, signals: Mapping[str, str]) -> Iterator[str]:
    """Complain about a terminal with two uses; one buzzer may serve several seats."""
    taken: dict[str, str] = {}
    for function, written in signals.items():
        first = taken.setdefault(written, function)
        if first != function and not _may_be_one(first, function):
            yield (
                f"{place}.signals.{function} is {shown(written)}, but {first} is wired there; only"
                " buzzers of several seats may be one, and resume may be another key"
            )


def _may_be_one(first: str, second: str) -> bool:
    if part_of(first) is part_of(second) is Part.BUZZER:
        return True
    return Motor.RESUME in (first, second) and part_of(first) is part_of(second) is Part.MOTOR


def _missing(place: str, signals: Mapping[str, str]) -> Iterator[str]:
    """Complain about seats that are left out, and a table at which nobody can discard."""
    for kind in SEAT_KINDS:
        absent = [f"{kind}-{seat}" for seat in Seat if f"{kind}-{seat}" not in signals]
        if kind == "discard" and len(absent) == len(Seat):
            yield (
                f"{place}.signals has nothing to discard with; discard-1 to discard-4 are needed"
            )
        elif absent and len(absent) < len(Seat):
            yield (
                f"{place}.signals has no {', '.join(absent)}; all four seats have {kind}, or none"
            )


def _unseen(place: str, signals: Mapping[str, str]) -> Iterator[str]:
    """Complain about a pause that could be ordered, and whether it came would not be seen."""
    absent = [name for name in OF_A_PAUSE if name not in signals]
    if absent and {Motor.PAUSE, Motor.RESUME, Sign.CYCLE_PAUSED} & signals.keys():
        yield (
            f"{place}.signals has no {', '.join(absent)}; a cycle can be paused only with"
            f" {', '.join(OF_A_PAUSE)} together"
        )


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a terminal must be for a part of the table."""

    needs: str
    fits: _Fits


def _pressed(layout: Layout, name: str) -> bool:
    return name in layout.edges


def _seen(layout: Layout, name: str) -> bool:
    """Say whether a level can be read: an input, or a bit of its own."""
    edge = layout.edges.get(name)
    if edge is not None:
        return edge.sensing is Sensing.LEVEL or edge.level is not None
    point = layout.points.get(name)
    return point is not None and point.width == 1 and point.access is Access.READ


def _started(layout: Layout, name: str) -> bool:
    point = layout.points.get(name)
    limited = name in layout.pulses and name in layout.pulses_per_minute
    return point is not None and point.motor and limited


def _sounded(layout: Layout, name: str) -> bool:
    return name in layout.pulses and not isinstance(pulse_steps(layout, name, TONE), str)


def _lit(layout: Layout, name: str) -> bool:
    """Say whether an output can be left on; what is no output may be the start of one."""
    return name in layout.pulses and not isinstance(level_steps(layout, name, ON), str)


_KINDS = {
    Part.PRESSED: _Kind("an input that people press", _pressed),
    Part.SEEN: _Kind("an input whose level can be read", _seen),
    Part.MOTOR: _Kind("an output that may start a motor and has a limit of pulses", _started),
    Part.BUZZER: _Kind("an output that can be pulsed", _sounded),
    Part.LAMP: _Kind("an output that starts no motor and can be left on", _lit),
}
