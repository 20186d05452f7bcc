"""A kit of the simulator on real ports, and the table that a driver takes it for."""

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

from drivers.modbus.bus import Bus
from drivers.modbus.driver import ModbusTableDriver
from drivers.modbus.fitted import Fitted, Module
from drivers.modbus.lines import BusLine
from drivers.modbus.profile_file import read_profile, shipped_profiles
from drivers.modbus.profile_layout import channels
from drivers.modbus.pulses import Place
from drivers.port import TableLink
from simulator.clock import ScaledClock
from simulator.modbus_kits import KITS, Terminal, Wire
from simulator.modbus_live import LiveModules
from simulator.modbus_mishaps import Mishap
from simulator.modbus_table import ModuleTable
from table.errors import LinkUnavailable
from tests.simulator.modbus.fitted import fitted

CLOCK = ScaledClock(Fraction(1))
GREETINGS = 5
PERIOD = timedelta(milliseconds=10)
PROFILES = {
    "basic": {
        "seats": "waveshare-io-8ch",
        "keys": "waveshare-relay-8",
        "signs": "waveshare-io-8ch",
    },
    "counted": {"seats": "wb-mcm8", "keys": "wb-mr6c", "signs": "wb-mcm8", "more": "wb-mr6c"},
    "ethernet": {"seats": "adam-6050", "keys": "adam-6060"},
    "odd": {"board": "eletechsup-n4d8b08"},
    "moxa": {"seats": "iologik-e1210", "keys": "iologik-e1214", "more": "iologik-e1214"},
    "wellpro": {"seats": "wp8026", "keys": "wp8027"},
    "relay-d": {"board": "waveshare-relay-d-8"},
}
SIGNS = {"ready": "wall-ready", "raised": "wall-raised", "jam": "fault-tile-jam"}


@dataclass
class KitTable:
    """Both ends of one table."""

    simulated: ModuleTable
    modules: LiveModules
    table: Fitted

    @property
    def driver(self) -> ModbusTableDriver:
        return ModbusTableDriver(self.table, CLOCK.now)

    def part(self, module: str) -> "KitTable":
        """Return one module of it as a table of its own, on the same bus."""
        functions = {
            name: place for name, place in self.table.functions.items() if place.module == module
        }
        alone = replace(
            self.table, modules={module: self.table.modules[module]}, functions=functions
        )
        return replace(self, table=alone)

    def press(self, wire: str, *, closed: bool) -> None:
        """Close or open the button of a seat."""
        self.simulated.fittings.touch(wire, CLOCK.now(), closed=closed)


@contextmanager
def kit_table(
    folder: Path, kit: str, wire: Wire, mishap: tuple[timedelta, Mishap] | None = None
) -> Iterator[KitTable]:
    """Plug a kit in; after a while something may go wrong."""
    mishaps = [(CLOCK.now() + mishap[0], mishap[1])] if mishap else []
    simulated = fitted(kit, mishaps=mishaps, wire=wire)
    modules = LiveModules("t1", simulated, wire, folder, CLOCK)
    try:
        modules.open()
        yield KitTable(simulated, modules, taken_for(kit, wire, modules.ports))
    finally:
        modules.close()


@asynccontextmanager
async def connected(driver: ModbusTableDriver) -> AsyncIterator[TableLink]:
    """Connect as the daemon does: again, where a busy machine kept a module from answering."""
    async with AsyncExitStack() as stack:
        yield await _greeted(driver, stack)


async def _greeted(driver: ModbusTableDriver, stack: AsyncExitStack) -> TableLink:
    for _ in range(GREETINGS - 1):
        with suppress(LinkUnavailable):
            return await stack.enter_async_context(driver.connect())
    return await stack.enter_async_context(driver.connect())


def taken_for(kit: str, wire: Wire, ports: list[str]) -> Fitted:
    """Return the table that a configuration would describe."""
    baud = KITS[kit].baud
    return fitted_on(kit, [Bus(_line(port, wire, baud), CLOCK.now) for port in ports])


def fitted_on(kit: str, buses: Sequence[Bus], period: timedelta = PERIOD) -> Fitted:
    """Return the table that has its modules on these buses, one after the other."""
    known = KITS[kit]
    modules = {
        fitting.name: Module(
            buses[place % len(buses)],
            read_profile(shipped_profiles()[PROFILES[kit][fitting.name]]),
            fitting.unit,
        )
        for place, fitting in enumerate(known.fittings)
    }
    functions = {
        SIGNS.get(name, name): Place(terminal[0], _input(modules, terminal))
        for name, terminal in known.inputs.items()
    }
    functions |= {
        name: Place(terminal[0], _output(modules, terminal))
        for terminal, name in known.outputs.items()
    }
    return Fitted(modules, functions, period)


def _line(port: str, wire: Wire, baud: int) -> BusLine:
    if found := re.search(r"tcp://([0-9.]+):([0-9]+)", port):
        host, number = found[1], int(found[2])
        if wire is Wire.TCP:
            return BusLine.tcp(host, number)
        return BusLine.rtu_over_tcp(host, number, baud)
    return BusLine.rtu(port.rpartition(" ")[2], baud)


def _input(modules: dict[str, Module], terminal: Terminal) -> str:
    module, channel = terminal
    return channels(modules[module].profile, "in{n}")[channel]


def _output(modules: dict[str, Module], terminal: Terminal) -> str:
    """Return the output of a channel; those that may start motors have the first ones."""
    module, channel = terminal
    profile = modules[module].profile
    known = (name for name in ("button{n}", "relay{n}", "out{n}") if name in profile.signals)
    return [output for name in known for output in channels(profile, name)][channel]
