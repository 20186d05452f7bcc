"""The kits a table can be fitted with: which modules, and what is wired to their terminals.

Buttons and keys are where docs/hardware.md draws them; where the buttons fill the first module, a
second one takes what the machine shows, and a second relay module the buzzer that found no place.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TypeAlias

from simulator.modbus_advantech import adam_6050, adam_6060
from simulator.modbus_eletechsup import n4d8b08
from simulator.modbus_module import Module
from simulator.modbus_moxa import e1210, e1214
from simulator.modbus_plant import DEAL_END, Key, Sign, button, sensor
from simulator.modbus_waveshare import io_8ch, relay_8, relay_d_8ch
from simulator.modbus_wellpro import wp8026, wp8027
from simulator.modbus_wirenboard import mcm8, mr6c
from table.events import TileDrawn
from table.happening import Input
from table.moment import MILLISECOND
from table.seat import Seat


class Wire(StrEnum):
    """How a kit is reached."""

    RTU = "rtu"
    TCP = "tcp"
    RTU_OVER_TCP = "rtu-over-tcp"


Terminal: TypeAlias = tuple[str, int]
"""Name of the module and number of the channel, from 0."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """One module of a kit."""

    name: str
    make: Callable[[], Module]
    profile: str
    """Its id among those that the program ships."""
    unit: int = 1


@dataclass(frozen=True, slots=True)
class ModuleKit:
    """A kit and its wiring."""

    fittings: tuple[Fitting, ...]
    inputs: dict[str, Terminal]
    outputs: dict[Terminal, str]
    baud: int = 9600
    ethernet: bool = False
    """Whether each module has an address of its own and no serial port."""

    @property
    def senses_draws(self) -> bool:
        """Whether a sensor of draws is wired."""
        return set(DRAWS) <= set(self.inputs)

    @property
    def without_draws(self) -> "ModuleKit":
        """The same without sensors of draws: where one is wired, every draw must be sensed."""
        inputs = {wire: terminal for wire, terminal in self.inputs.items() if wire not in DRAWS}
        return replace(self, inputs=inputs)

    @property
    def wires(self) -> tuple[Wire, ...]:
        """How the kit can be reached, the usual way first."""
        return (Wire.TCP,) if self.ethernet else (Wire.RTU, Wire.TCP, Wire.RTU_OVER_TCP)


BUTTONS = tuple(button(seat, what) for seat in Seat for what in Input)
DRAWS = tuple(sensor(TileDrawn(seat)) for seat in Seat)
SET_FILTER = 10 * MILLISECOND
"""As docs/hardware.md asks for where a filter is set in the maker's program."""
LAMPS = tuple(f"lamp-{seat.value}" for seat in Seat)
BUZZERS = tuple(f"buzzer-{seat.value}" for seat in Seat)


def _inputs(module: str, wires: Iterable[str], first: int = 0) -> dict[str, Terminal]:
    return {str(wire): (module, first + place) for place, wire in enumerate(wires)}


def _outputs(module: str, wires: Iterable[str], first: int = 0) -> dict[Terminal, str]:
    return {(module, first + place): str(wire) for place, wire in enumerate(wires)}


KITS: dict[str, ModuleKit] = {
    "basic": ModuleKit(
        (
            Fitting("seats", io_8ch, "waveshare-io-8ch", 1),
            Fitting("keys", relay_8, "waveshare-relay-8", 2),
            Fitting("signs", io_8ch, "waveshare-io-8ch", 3),
        ),
        _inputs("seats", BUTTONS) | _inputs("signs", (*Sign, DEAL_END)),
        _outputs("seats", (*LAMPS, *BUZZERS)) | _outputs("keys", Key),
        baud=57_600,
    ),
    "counted": ModuleKit(
        (
            Fitting("seats", mcm8, "wb-mcm8", 1),
            Fitting("keys", mr6c, "wb-mr6c", 2),
            Fitting("signs", mcm8, "wb-mcm8", 3),
            Fitting("more", mr6c, "wb-mr6c", 4),
        ),
        _inputs("seats", BUTTONS) | _inputs("signs", (*Sign, DEAL_END)),
        _outputs("keys", (*Key, *BUZZERS[:3])) | _outputs("more", BUZZERS[3:], 3),
        baud=115_200,
    ),
    "ethernet": ModuleKit(
        (
            Fitting("seats", partial(adam_6050, filtered=SET_FILTER), "adam-6050"),
            Fitting("keys", partial(adam_6060, filtered=SET_FILTER), "adam-6060"),
        ),
        _inputs("seats", (*BUTTONS, *Sign)) | _inputs("keys", (DEAL_END, *DRAWS)),
        _outputs("keys", Key) | _outputs("seats", BUZZERS),
        ethernet=True,
    ),
    "odd": ModuleKit(
        (Fitting("board", n4d8b08, "eletechsup-n4d8b08", 1),),
        _inputs("board", BUTTONS),
        _outputs("board", (*Key, *BUZZERS)),
    ),
    "moxa": ModuleKit(
        (
            Fitting("seats", partial(e1210, filtered=SET_FILTER), "iologik-e1210"),
            Fitting("keys", partial(e1214, filtered=SET_FILTER), "iologik-e1214"),
            Fitting("more", partial(e1214, filtered=SET_FILTER), "iologik-e1214"),
        ),
        _inputs("seats", (*BUTTONS, *Sign)) | _inputs("keys", (DEAL_END, *DRAWS)),
        _outputs("keys", (*Key, *BUZZERS[:3])) | _outputs("more", BUZZERS[3:], 3),
        ethernet=True,
    ),
    "wellpro": ModuleKit(
        (Fitting("seats", wp8026, "wp8026", 1), Fitting("keys", wp8027, "wp8027", 2)),
        _inputs("seats", (*BUTTONS, *Sign, DEAL_END)),
        _outputs("keys", Key) | _outputs("keys", (*LAMPS, *BUZZERS), 4),
        baud=38_400,
    ),
    "relay-d": ModuleKit(
        (Fitting("board", relay_d_8ch, "waveshare-relay-d-8", 1),),
        _inputs("board", BUTTONS),
        _outputs("board", (*Key, *BUZZERS)),
    ),
}
"""The first four are those that venues are told of."""
