"""What is wrong with the outputs of a profile: pulses, first writes, failsafe and limits."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from config.words import span
from drivers.modbus.profile import Profile
from drivers.modbus.profile_layout import Point, channels
from drivers.modbus.profile_names import METHODS, At, Names, Wrong, readable, writable
from drivers.modbus.profile_outputs import DeviceTimed, HostTimed, Initial, ModeDelay
from drivers.modbus.profile_words import Access
from table.moment import ZERO

LARGEST = 65535
MOTOR_LEAST, MOTOR_MOST = timedelta(milliseconds=100), timedelta(milliseconds=500)
"""House choice: what a press of a button on a table takes; a longer one may mean something else."""
NOT_NAMES = frozenset({"source", "doubt"})


def pulses(profile: Profile, names: Names) -> Iterator[Wrong]:
    """Complain about pulses that cannot be made, and motors that could be left running."""
    pulsed: Counter[str] = Counter()
    motors = {point.name for point in names.points.values() if point.motor}
    for at, name, pulse in _each(profile):
        yield from writable(names, at, name)
        yield from _beside(names, at, name, pulse)
        yield from _lengths(at, pulse)
        outputs = channels(profile, name)
        pulsed.update(outputs)
        if motors & set(outputs):
            yield from _of_motor(at, pulse)
        if (twice := next((one for one in outputs if pulsed[one] > 1), None)) is not None:
            yield Wrong(at, f"{twice} has two methods to pulse it; give one")
    yield from _motors(profile, names, pulsed)


def _each(profile: Profile) -> Iterator[tuple[At, str, HostTimed]]:
    for method in METHODS:
        for name, pulse in getattr(profile.pulses, method).items():
            yield ("pulses", method, name), name, pulse


def _beside(names: Names, at: At, name: str, pulse: HostTimed) -> Iterator[Wrong]:
    """Complain about the registers that a pulse is made with."""
    for key, signal in pulse:
        if isinstance(signal, str) and key not in NOT_NAMES:
            yield from names.along((*at, key), name, signal, name)
            yield from writable(names, (*at, key), signal) if names.known(signal) else ()
    if isinstance(pulse, ModeDelay):
        pairs = zip(names.known(pulse.mode), names.known(pulse.delay), strict=False)
        if any(mode.write_address + 1 != delay.write_address for mode, delay in pairs):
            yield Wrong(
                (*at, "delay"),
                f"{'.'.join(at)} writes mode and delay together, so {pulse.delay} must be the"
                f" address after {pulse.mode}",
            )


def _lengths(at: At, pulse: HostTimed) -> Iterator[Wrong]:
    key = ".".join(at)
    if pulse.least > pulse.most:
        yield Wrong(at, f"{key}: the least, {span(pulse.least)}, is more than {span(pulse.most)}")
    if not isinstance(pulse, DeviceTimed):
        return
    for name, length in (("least", pulse.least), ("most", pulse.most), ("step", pulse.step)):
        if length % pulse.unit != ZERO:
            yield Wrong(
                (*at, f"{name}_milliseconds"),
                f"{key}.{name}_milliseconds is {span(length)}, no multiple of the unit,"
                f" {span(pulse.unit)}",
            )
    if pulse.most // pulse.unit > LARGEST:
        yield Wrong(
            (*at, "most_milliseconds"),
            f"{key}.most_milliseconds is {pulse.most // pulse.unit} units of {span(pulse.unit)};"
            f" a register holds {LARGEST}",
        )


def _of_motor(at: At, pulse: HostTimed) -> Iterator[Wrong]:
    if pulse.most > MOTOR_MOST or pulse.least < MOTOR_LEAST:
        yield Wrong(
            at,
            f"{'.'.join(at)} may start a motor, so its pulses are from {span(MOTOR_LEAST)} to"
            f" {span(MOTOR_MOST)}",
        )


def _motors(profile: Profile, names: Names, pulsed: Counter[str]) -> Iterator[Wrong]:
    """Complain about a motor that nothing keeps from being held on or started too often."""
    limited = profile.limits.pulses_per_minute if profile.limits else {}
    rated = {one for name in limited for one in channels(profile, name)}
    for name, signal in profile.signals.items():
        outputs = set(channels(profile, name)) if signal.motor else set()
        at = ("signals", name, "motor")
        if any(names.points[one].access is Access.READ for one in outputs & set(names.points)):
            yield Wrong(at, f"signals.{name} may start a motor, but it is only read")
        if outputs - set(pulsed):
            yield Wrong(
                at, f"signals.{name} may start a motor, but [pulses] says not how it is ended"
            )
        if outputs - rated:
            yield Wrong(
                at,
                f"signals.{name} may start a motor, but limits.pulses_per_minute says not how"
                " often",
            )


def first_writes(profile: Profile, names: Names) -> Iterator[Wrong]:
    """Complain about what is written at connect."""
    for step, write in profile.init.items():
        at = ("init", step, "signal")
        yield from writable(names, at, write.signal)
        if write.read_back or write.only_if_different:
            yield from readable(names, at, write.signal) if names.known(write.signal) else ()
        for point in names.known(write.signal)[:1]:
            yield from _fits(step, write, point)


def _fits(step: str, write: Initial, point: Point) -> Iterator[Wrong]:
    if point.motor:
        yield Wrong(("init", step), f"init.{step} writes {point.name}, which may start a motor")
    if write.value >> point.width:
        yield Wrong(
            ("init", step, "value"),
            f"init.{step}.value is {write.value}, but {point.name} has {point.width} bits",
        )


def failsafe(profile: Profile, names: Names) -> Iterator[Wrong]:
    """Complain about outputs that would not fall off."""
    safe = profile.failsafe
    if safe is None:
        return
    yield from writable(names, ("failsafe", "timer"), safe.timer)
    if safe.states:
        yield from writable(names, ("failsafe", "states"), safe.states)
    if safe.wanted % safe.unit != ZERO:
        yield Wrong(
            ("failsafe", "wanted_milliseconds"),
            f"failsafe.wanted_milliseconds is {span(safe.wanted)}, no multiple of the unit,"
            f" {span(safe.unit)}",
        )


def limits(profile: Profile, names: Names) -> Iterator[Wrong]:
    """Complain about limits of what is no output."""
    if profile.limits is None:
        return
    for group in profile.limits.never_together:
        for name in group:
            yield from writable(names, ("limits", "never_together"), name)
    for name in profile.limits.not_at_start:
        yield from writable(names, ("limits", "not_at_start"), name)
    for name in profile.limits.pulses_per_minute:
        yield from writable(names, ("limits", "pulses_per_minute", name), name)
