"""Made-up modules whose outputs are pulsed in every way there is, and how they obey."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from drivers.modbus.profile_layout import Layout, Point, Pulse
from drivers.modbus.profile_outputs import Flash, HostTimed, ModeDelay, StartCoil, WidthRegisters
from drivers.modbus.profile_words import Access, Area
from drivers.modbus.requests import Write
from tests.drivers.modbus.pressed_inputs import point

TIMES = {
    "source": "none",
    "unit_milliseconds": 100,
    "step_milliseconds": 100,
    "least_milliseconds": 100,
    "most_milliseconds": 500,
}
HOST = {key: value for key, value in TIMES.items() if key != "unit_milliseconds"}


def trigger(name: str, area: Area, address: int, *, registers: int = 1) -> Point:
    """Return what is only written, at its own address."""
    return replace(point(name, area, address, registers=registers), access=Access.WRITE)


FLASHED: Pulse = Flash.model_validate(TIMES | {"trigger": "flash"})
STARTED: Pulse = StartCoil.model_validate(
    TIMES | {"start": "start", "on_width": "on-width", "off_width": "off-width", "count": "times"}
)
WIDTHS: Pulse = WidthRegisters.model_validate(
    TIMES | {"high_width": "high", "low_width": "low", "count": "count"}
)
MODED: Pulse = ModeDelay.model_validate(TIMES | {"mode": "mode", "mode_value": 2, "delay": "delay"})
HOSTED: Pulse = HostTimed.model_validate(HOST)
BESIDE = {
    "flash": [trigger("flash", Area.COIL, 0x0200)],
    "start": [
        trigger("start", Area.COIL, 0x10),
        trigger("on-width", Area.HOLDING, 0x20),
        trigger("off-width", Area.HOLDING, 0x21),
        trigger("times", Area.HOLDING, 0x22),
    ],
    "widths": [
        trigger("high", Area.HOLDING, 24, registers=2),
        trigger("low", Area.HOLDING, 12, registers=2),
        trigger("count", Area.HOLDING, 36, registers=2),
    ],
    "mode": [trigger("mode", Area.HOLDING, 3), trigger("delay", Area.HOLDING, 4)],
    "host": [],
}
METHODS: Mapping[str, Pulse] = {
    "flash": FLASHED,
    "start": STARTED,
    "widths": WIDTHS,
    "mode": MODED,
    "host": HOSTED,
}


def relay(address: int = 0, *, motor: bool = True) -> Point:
    """Return an output that may start a motor."""
    return replace(point("relay", Area.COIL, address), motor=motor)


def layout(method: str, *, rate: int = 600, motor: bool = True) -> Layout:
    """Return a module with one output that is pulsed by a method."""
    points = [relay(motor=motor), *BESIDE[method]]
    return Layout(
        {one.name: one for one in points},
        {},
        {"relay": METHODS[method]},
        (),
        {"relay": rate},
    )


@dataclass
class Relay:
    """One output as a module of that method drives it; times in milliseconds."""

    method: str
    spans: list[tuple[int, int]] = field(default_factory=list)
    """From when until when it was on; the end of a pulse that the host ends moves forward."""
    widths: dict[int, int] = field(default_factory=dict)

    def obey(self, write: Write, at: int) -> None:
        """Carry out a write at a true moment."""
        words = write.values
        match self.method, write.function, write.address:
            case "flash", 5, 0x0200:
                self._on(at, words[0] * 100)
            case "start", 5, 0x10:
                self._on(at, self.widths[0x20] * 100)
            case "widths", 16, 36:
                self._on(at, self.widths[24] * 100)
            case "mode", 16, 3:
                self._on(at, words[1] * 100)
            case "host", 5, 0 if words[0]:
                self._on(at, 10**9)
            case _, 5, 0:
                self._off(at)
            case _:
                self.widths[write.address] = words[-1]

    def on(self, at: int) -> bool:
        """Say whether it is on."""
        return any(since <= at < until for since, until in self.spans)

    def _on(self, at: int, length: int) -> None:
        assert not self.on(at), "started again while it was on"
        self.spans.append((at, at + length))

    def _off(self, at: int) -> None:
        self.spans = [(since, max(since, min(until, at))) for since, until in self.spans]
