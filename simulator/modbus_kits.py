"""The kits a table can be fitted with: which modules, and what is wired to their terminals.

Kits as in the documents for venues; where the seats' buttons fill the first module, a second one
takes the lamps of the machine.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from simulator.modbus_advantech import adam_6050, adam_6060
from simulator.modbus_eletechsup import n4d8b08
from simulator.modbus_module import Module
from simulator.modbus_moxa import e1210, e1214
from simulator.modbus_plant import Key, Sign, button
from simulator.modbus_waveshare import io_8ch, relay_8, relay_d_8ch
from simulator.modbus_wellpro import wp8026, wp8027
from simulator.modbus_wirenboard import mcm8, mr6c
from table.happening import Input
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
    def wires(self) -> tuple[Wire, ...]:
        """How the kit can be reached, the usual way first."""
        return (Wire.TCP,) if self.ethernet else (Wire.RTU, Wire.TCP, Wire.RTU_OVER_TCP)


BUTTONS = tuple(button(seat, what) for what in Input for seat in Seat)
LAMPS = tuple(f"lamp-{seat.value}" for seat in Seat)
BUZZERS = tuple(f"buzzer-{seat.value}" for seat in Seat)


def _inputs(module: str, wires: Iterable[str], first: int = 0) -> dict[str, Terminal]:
    return {str(wire): (module, first + place) for place, wire in enumerate(wires)}


def _outputs(module: str, wires: Iterable[str], first: int = 0) -> dict[Terminal, str]:
    return {(module, first + place): str(wire) for place, wire in enumerate(wires)}


KITS: dict[str, ModuleKit] = {
    "basic": ModuleKit(
        (Fitting("seats", io_8ch, 1), Fitting("keys", relay_8, 2), Fitting("signs", io_8ch, 3)),
        _inputs("seats", BUTTONS) | _inputs("signs", Sign),
        _outputs("seats", (*LAMPS, *BUZZERS)) | _outputs("keys", Key),
        baud=57_600,
    ),
    "counted": ModuleKit(
        (
            Fitting("seats", mcm8, 1),
            Fitting("keys", mr6c, 2),
            Fitting("signs", mcm8, 3),
            Fitting("more", mr6c, 4),
        ),
        _inputs("seats", BUTTONS) | _inputs("signs", Sign),
        _outputs("keys", (*Key, *BUZZERS[:3])) | _outputs("more", BUZZERS[3:], 3),
        baud=115_200,
    ),
    "ethernet": ModuleKit(
        (Fitting("seats", adam_6050), Fitting("keys", adam_6060)),
        _inputs("seats", (*BUTTONS, *Sign)),
        _outputs("keys", Key) | _outputs("seats", BUZZERS),
        ethernet=True,
    ),
    "odd": ModuleKit(
        (Fitting("board", n4d8b08, 1),),
        _inputs("board", BUTTONS),
        _outputs("board", (*Key, *BUZZERS)),
    ),
    "moxa": ModuleKit(
        (Fitting("seats", e1210), Fitting("keys", e1214)),
        _inputs("seats", (*BUTTONS, *Sign)),
        _outputs("keys", (*Key, *BUZZERS[:3])),
        ethernet=True,
    ),
    "wellpro": ModuleKit(
        (Fitting("seats", wp8026, 1), Fitting("keys", wp8027, 2)),
        _inputs("seats", (*BUTTONS, *Sign)),
        _outputs("keys", Key) | _outputs("keys", (*LAMPS, *BUZZERS), 4),
        baud=38_400,
    ),
    "relay-d": ModuleKit(
        (Fitting("board", relay_d_8ch, 1),),
        _inputs("board", BUTTONS),
        _outputs("board", (*Key, *BUZZERS)),
    ),
}
"""The first four are those that venues are told of."""
