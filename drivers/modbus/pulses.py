"""Which commands may reach the outputs of a table now, and by which writes.

No output is pulsed again while it may still be on, and never two motors together. What is asked
for here goes out once: after a time-out nobody knows, and nothing is sent again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from drivers.modbus.functions import Motor, output_of
from drivers.modbus.profile_layout import OFF, ON, Layout
from drivers.modbus.profile_outputs import Limits
from drivers.modbus.pulse_steps import Steps, level_steps, off_steps, pulse_steps
from drivers.port import Answer, Outcome
from table.commands import SetLamp, SoundBuzzer, Stop, TableCommand
from table.moment import Moment

MOTOR_PULSE = timedelta(milliseconds=200)
"""A press that a table's button takes. House choice: hardware facts name 100 to 500 ms."""
LATEST = timedelta(seconds=2)
"""A request without an answer may still be carried out so late. House choice: gateways queue."""
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Place:
    """An output of a module of the table."""

    module: str
    output: str

    def __str__(self) -> str:
        return f"{self.module}.{self.output}"


@dataclass(frozen=True, slots=True)
class Outlets:
    """The outputs of a table, and what must never be done with them."""

    layouts: Mapping[str, Layout]
    """By the name of the module."""
    limits: Mapping[str, Limits]
    """Of the modules whose profile has some."""
    functions: Mapping[str, Place]
    """What each output is for."""


@dataclass(frozen=True, slots=True)
class Use:
    """What an output was used for."""

    begun: tuple[Moment, ...] = ()
    """When its pulses of the last minute were ordered."""
    until: Moment | None = None
    """When the last one is surely over; None while its writes are under way."""


@dataclass(frozen=True, slots=True)
class Orders:
    """Which outputs may be on."""

    uses: Mapping[Place, Use] = field(default_factory=dict)

    def busy(self, place: Place, now: Moment) -> bool:
        """Say whether a pulse of an output may not be over."""
        use = self.uses.get(place)
        return use is not None and (use.until is None or now < use.until)


@dataclass(frozen=True, slots=True)
class Job:
    """What one command does: writes to modules in order."""

    steps: tuple[tuple[str, Steps], ...]
    """Module and the writes that it takes."""
    pulses: Place | None = None
    """The output that `over` must be told of."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command that may be carried out, once."""

    orders: Orders
    job: Job


def accept(
    outlets: Outlets, orders: Orders, command: TableCommand, now: Moment
) -> Accepted | Answer:
    """Return what a command does, or why it is not done; stop is always done."""
    if isinstance(command, Stop):
        return Accepted(orders, Job(tuple(_stop(outlets))))
    name = output_of(command)
    place = None if name is None else outlets.functions.get(name)
    if place is None:
        return _refused(f"this table has no output for {type(command).__name__}")
    layout = outlets.layouts[place.module]
    if isinstance(command, SetLamp):
        steps = level_steps(layout, place.output, ON if command.lit else OFF)
        return _switched(orders, place, steps)
    wanted = command.length if isinstance(command, SoundBuzzer) else MOTOR_PULSE
    steps = pulse_steps(layout, place.output, wanted)
    reason = steps if isinstance(steps, str) else _in_the_way(outlets, orders, place, now)
    if reason or isinstance(steps, str):
        return _refused(reason)
    return Accepted(_begun(orders, place, now), Job(((place.module, steps),), place))


def over(orders: Orders, job: Job, ended: Moment, outcome: Outcome) -> Orders:
    """Take how the writes of a job ended; its output is free when the pulse surely is over.

    Args:
        orders: as `accept` returned them, or later.
        job: what was carried out.
        ended: when the last reply came, or waiting for it was given up.
        outcome: what became of it; nothing was begun if it was refused.
    """
    place = job.pulses
    use = None if place is None else orders.uses.get(place)
    if place is None or use is None:
        return orders
    length = max(steps.length for _, steps in job.steps)
    rest = {Outcome.DONE: length, Outcome.REFUSED: timedelta(0)}.get(outcome, length + LATEST)
    return Orders({**orders.uses, place: replace(use, until=ended + rest)})


def _refused(reason: str) -> Answer:
    return Answer(Outcome.REFUSED, reason)


def _switched(orders: Orders, place: Place, steps: Steps | str) -> Accepted | Answer:
    if isinstance(steps, str):
        return _refused(steps)
    return Accepted(orders, Job(((place.module, steps),)))


def _begun(orders: Orders, place: Place, now: Moment) -> Orders:
    before = orders.uses.get(place, Use()).begun
    recent = tuple(at for at in before if now - at < MINUTE)
    return Orders({**orders.uses, place: Use((*recent, now))})


def _in_the_way(outlets: Outlets, orders: Orders, place: Place, now: Moment) -> str:
    """Return why an output may not be pulsed now; empty if it may."""
    for other in (place, *_apart(outlets, place)):
        if orders.busy(other, now):
            return f"{place} waits: the pulse of {other} is not surely over"
    rate = outlets.layouts[place.module].pulses_per_minute.get(place.output)
    begun = orders.uses.get(place, Use()).begun
    if rate is not None and sum(now - at < MINUTE for at in begun) >= rate:
        return f"{place} was pulsed {rate} times within a minute, more is not allowed"
    return ""


def _apart(outlets: Outlets, place: Place) -> Iterator[Place]:
    """Give the outputs that must not be on together with one: by the profile, and all motors."""
    limits = outlets.limits.get(place.module)
    for group in limits.never_together if limits else ():
        if place.output in group:
            yield from (Place(place.module, output) for output in group)
    motors = [outlets.functions[name] for name in Motor if name in outlets.functions]
    if place in motors:
        yield from motors


def _may_start_motors(outlets: Outlets) -> Iterator[Place]:
    yield from (outlets.functions[name] for name in Motor if name in outlets.functions)
    for module, layout in outlets.layouts.items():
        yield from (Place(module, name) for name, point in layout.points.items() if point.motor)


def _stop(outlets: Outlets) -> Iterator[tuple[str, Steps]]:
    motors = set(_may_start_motors(outlets))
    for module, layout in outlets.layouts.items():
        names = sorted(place.output for place in motors if place.module == module)
        if names:
            yield module, off_steps(layout, names)
