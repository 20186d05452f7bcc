"""The writes that make one pulse, by the method of the output.

Sources: Waveshare Modbus RTU Relay wiki (flash on at 0x0200 + n, units of 100 ms); Advantech
ADAM-6060 map (pulse widths low and high, count registers); Moxa ioLogik E1200 user's manual (pulse
start coils); LC Technology 8R-D7 map (mode and delay); Wiren Board WB-MR6C template (no pulse of
its own, a host-loss timer). The numbers themselves stand in the profiles.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from drivers.modbus.images import Part, level
from drivers.modbus.profile_layout import OFF, ON, Layout, Point, Pulse
from drivers.modbus.profile_outputs import (
    DeviceTimed,
    Flash,
    HostTimed,
    ModeDelay,
    StartCoil,
    WidthRegisters,
)
from drivers.modbus.profile_words import Access
from drivers.modbus.reads import alone
from drivers.modbus.requests import REGISTERS, SINGLE_COIL, Read, Write
from drivers.modbus.writes import said, written
from table.moment import MILLISECOND, ZERO


@dataclass(frozen=True, slots=True)
class Step:
    """One write of a pulse."""

    write: Write
    starts: bool = False
    """From its sending on the output may be on: it goes out once, whatever becomes of it."""
    after: timedelta = ZERO
    """How long to wait after the reply to the step before."""
    until_answered: bool = False
    """Sent again until it is answered: it leaves an output as it should stay."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Writes in order; the next goes out only after a reply to the one before."""

    steps: tuple[Step, ...]
    length: timedelta = ZERO
    """How long the output is on."""
    output: Point | None = None
    """Where the pulse can be seen while it lasts; None where it cannot be read."""

    @property
    def proof(self) -> Read | None:
        """The read that shows whether a pulse took; asked at once, before the pulse is over."""
        return None if self.output is None else alone(self.output)


def pulse_steps(layout: Layout, output: str, wanted: timedelta) -> Steps | str:
    """Return the steps of one pulse of an output, or why there can be none."""
    pulse, point = layout.pulses.get(output), layout.points.get(output)
    if pulse is None:
        return f"{output} cannot be pulsed"
    length = fitted(pulse, wanted)
    if isinstance(length, str):
        return f"{output}: {length}"
    every = _steps(layout, output, pulse, length)
    steps = tuple(step for step in every if step)
    if len(steps) < len(every):
        return f"{output} cannot be written"
    return Steps(steps, length, _seen(point))


def fitted(pulse: Pulse, wanted: timedelta) -> timedelta | str:
    """Return the longest pulse that is no longer than wanted, or the shortest there is."""
    if wanted > pulse.most:
        return f"{wanted // MILLISECOND} ms is longer than {pulse.most // MILLISECOND} ms"
    step = max(pulse.step, pulse.unit if isinstance(pulse, DeviceTimed) else pulse.step)
    length = max(wanted, pulse.least) // step * step
    if length < pulse.least:
        length += step
    if length > pulse.most:
        return f"no multiple of {step // MILLISECOND} ms is allowed"
    return length


def off_steps(layout: Layout, outputs: Iterable[str]) -> Steps:
    """Return the writes that switch outputs off, whatever they are doing."""
    points = (layout.points[name] for name in outputs if name in layout.points)
    writes = (said(point, OFF) for point in points)
    return Steps(tuple(Step(write, until_answered=True) for write in writes if write))


def level_steps(layout: Layout, output: str, word: str) -> Steps | str:
    """Return the write that leaves an output on or off, or why there can be none."""
    point = layout.points.get(output)
    write = None if point is None else said(point, word)
    if point is None or write is None:
        return f"{output} cannot be switched {word}"
    if point.motor:
        return f"{output} may start a motor and is only ever pulsed"
    return Steps((Step(write, until_answered=True),), output=_seen(point))


def took(steps: Steps, part: Part) -> bool:
    """Say whether the reply to `proof` shows the pulse: then it is no longer uncertain."""
    return steps.output is not None and level(part, steps.output) is True


def _steps(layout: Layout, output: str, pulse: Pulse, length: timedelta) -> list[Step | None]:
    """Return the steps in order; None for one that cannot be written."""
    points = layout.points
    match pulse:
        case Flash(trigger=trigger, unit=unit):
            return [_starting(_flash(points[trigger], length // unit))]
        case StartCoil(unit=unit, on_width=on, off_width=off, count=count, start=start):
            widths = {on: length // unit, off: length // unit, count: 1}
            before = [_before(points, name, number) for name, number in widths.items() if name]
            return [*before, _starting(written(points[start], 1))]
        case WidthRegisters(unit=unit, high_width=high, low_width=low, count=count):
            before = [_before(points, name, length // unit) for name in (high, low)]
            return [*before, _starting(written(points[count], 1))]
        case ModeDelay(unit=unit, mode=mode, mode_value=value):
            return [_starting(_together(points[mode], value, length // unit))]
        case HostTimed():
            return [_starting(said(points[output], ON)), _over(points[output], length)]


def _over(output: Point, length: timedelta) -> Step | None:
    """Return the step by which the host ends a pulse."""
    write = said(output, OFF)
    return None if write is None else Step(write, after=length, until_answered=True)


def _seen(point: Point | None) -> Point | None:
    return point if point and point.access is not Access.WRITE else None


def _starting(write: Write | None) -> Step | None:
    return None if write is None else Step(write, starts=True)


def _before(points: Mapping[str, Point], name: str, number: int) -> Step | None:
    write = written(points[name], number)
    return None if write is None else Step(write)


def _flash(trigger: Point, units: int) -> Write | None:
    """Return the write whose word is the length; it is no coil that is only on or off."""
    if trigger.write_function == SINGLE_COIL:
        return Write(SINGLE_COIL, trigger.write_address, (units,))
    return written(trigger, units)


def _together(mode: Point, mode_value: int, units: int) -> Write:
    return Write(REGISTERS, mode.write_address, (mode_value, units))
