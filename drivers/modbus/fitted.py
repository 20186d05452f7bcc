"""A table as it is fitted with modules: where each is, and what its signals are for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from drivers.gestures import SeatInput
from drivers.modbus.bus import Bus
from drivers.modbus.bus_queue import Manners
from drivers.modbus.functions import (
    DEAL_END,
    OF_A_PAUSE,
    Motor,
    Part,
    Sign,
    part_of,
    seat_signal,
)
from drivers.modbus.profile import Profile
from drivers.modbus.profile_layout import EdgeSource, Layout, lay_out
from drivers.modbus.pulses import Outlets, Place
from drivers.modbus.seats import tells_releases
from drivers.port import Capability, Grade
from table.seat import Seat

HOLD = timedelta(seconds=1)
_MOTORS = {
    Motor.SHUFFLE: Capability.SHUFFLE,
    Motor.LIFT: Capability.LIFT,
    Motor.DICE: Capability.DICE_ROLL,
}
_SINGLE = {
    DEAL_END: Capability.DEAL_END_SENSE,
    Sign.WALL_READY: Capability.WALL_READY,
    Motor.LIFT: Capability.LIFT_TOGGLE,
}
"""A contact across the key of the lift pushes a key that goes both ways."""
_OF_EACH_SEAT = {
    SeatInput.DISCARD: Capability.DISCARD_INPUT,
    SeatInput.CLAIM: Capability.CLAIM_INPUT,
    SeatInput.DRAW: Capability.DRAW_SENSE,
    "lamp": Capability.LAMP,
    "buzzer": Capability.BUZZER,
}


@dataclass(frozen=True, slots=True)
class Module:
    """One module of a table."""

    bus: Bus
    profile: Profile
    unit: int
    expected_serial: str = ""
    """Another module is refused; empty where any will do."""
    layout: Layout = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "layout", lay_out(self.profile))

    @property
    def manners(self) -> Manners:
        """How its profile wants it to be asked."""
        timing = self.profile.timing
        return Manners(
            timing.reply_timeout,
            timing.frame_gap,
            timing.request_gap,
            timing.fail_count,
            timing.offline_probe,
            self.profile.link.broadcast,
        )


@dataclass(frozen=True, slots=True)
class Fitted:
    """One table."""

    modules: Mapping[str, Module]
    functions: Mapping[str, Place]
    """Where each function is wired, for example `discard-1` to `di.in1`."""
    period: timedelta
    """How often the inputs are wanted."""
    hold: timedelta = HOLD

    @property
    def outlets(self) -> Outlets:
        """Its outputs."""
        layouts = {name: module.layout for name, module in self.modules.items()}
        limits = {
            name: module.profile.limits
            for name, module in self.modules.items()
            if module.profile.limits
        }
        return Outlets(layouts, limits, self.functions)

    def signals_of(self, module: str) -> dict[str, str]:
        """Return the function of each signal of one module."""
        return {
            place.output: function
            for function, place in self.functions.items()
            if place.module == module
        }

    @property
    def pressed(self) -> frozenset[str]:
        """The modules that seats press inputs of."""
        pressed = (name for name in self.functions if part_of(name) is Part.PRESSED)
        return frozenset(self.functions[name].module for name in pressed)

    @property
    def debounce(self) -> timedelta:
        """By how much a module may see a press late."""
        return max((source.debounce for source in self._pressed()), default=timedelta(0))

    @property
    def capabilities(self) -> dict[Capability, Grade]:
        """What the wiring can do; everything is soldered on."""
        able = {capability for name, capability in _MOTORS.items() if name in self.functions}
        able |= {
            capability
            for kind, capability in _OF_EACH_SEAT.items()
            if all(f"{kind}-{seat}" in self.functions for seat in Seat)
        }
        able |= {one for name, one in _SINGLE.items() if name in self.functions}
        if all(name in self.functions for name in OF_A_PAUSE):
            able.add(Capability.REOPEN)
        pressed = list(self._pressed())
        if pressed and all(map(tells_releases, pressed)):
            able.add(Capability.HOLD_SENSE)
        return {one: Grade.RETROFIT if one in able else Grade.ABSENT for one in Capability}

    def _pressed(self) -> Iterator[EdgeSource]:
        for function, place in self.functions.items():
            signal = seat_signal(function)
            if signal and signal.input is not SeatInput.DRAW:
                yield self.modules[place.module].layout.edges[place.output]
