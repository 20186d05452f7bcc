"""Tables of modules in this process, on real ports: two on one serial line, one on the network."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from random import Random

from simulator.clock import ScaledClock
from simulator.machine import Machine
from simulator.modbus_fittings import BUS, Fittings, line_end
from simulator.modbus_kits import KITS, Wire
from simulator.modbus_live import LiveModules
from simulator.modbus_mishaps import PowerCut
from simulator.modbus_plant import Key
from simulator.modbus_settings import bus_text, table_text
from simulator.modbus_shared_bus import UNITS_APART, SharedBus
from simulator.modbus_table import ModuleTable
from simulator.modbus_trouble import Trouble
from tests.simulator.modbus.fitted import Written

CLOCK = ScaledClock(Fraction(1))
BAUD = 115_200
BASIC, ETHERNET = KITS["basic"], KITS["ethernet"]


@dataclass(frozen=True)
class ModuleHall:
    """The tables t1 and t2 with basic kits on one line, and t3 with the Ethernet kit."""

    tables: dict[str, ModuleTable]
    settings: str
    """What a daemon is told of them."""

    def touch(self, table: str, wire: str, *, closed: bool) -> None:
        """Press or let go of a button."""
        self.tables[table].fittings.touch(wire, CLOCK.now(), closed=closed)

    def cut_power(self, table: str, span: timedelta) -> None:
        """Have the modules of a table be without power for a while."""
        self.tables[table].befall(PowerCut(span), CLOCK.now())

    def pushes(self, table: str) -> list[Key]:
        """Return which keys of the machine wires pushed so far."""
        return [pushed.key for pushed in self.tables[table].plant.pushes]


@contextmanager
def module_hall(folder: Path) -> Iterator[ModuleHall]:
    """Plug three tables in; their walls are not stacked yet."""
    shared = [Fittings(BASIC, place * UNITS_APART) for place in range(2)]
    modules = [module for each in shared for module in each.modules.values()]
    end = line_end(modules, Wire.RTU, BAUD, Trouble(Random(1)))
    near = {f"t{place}": _table(each) for place, each in enumerate(shared, 1)}
    single = Fittings(ETHERNET)
    far = ModuleTable(single, single.far_ends(), _empty(), Written())
    with ExitStack() as plugged:
        line = LiveModules("line", SharedBus(near, end), Wire.RTU, folder, CLOCK)
        network = LiveModules("t3", far, Wire.TCP, folder, CLOCK)
        for live in (line, network):
            plugged.callback(live.close)
            live.open()
        text = bus_text("north", line.places[BUS], Wire.RTU, BAUD)
        for place, name in enumerate(near):
            units = {each.name: each.unit + place * UNITS_APART for each in BASIC.fittings}
            text += table_text(name, BASIC, {BUS: "north"}, units)
        buses = {name: f"t3-{name}" for name in network.places}
        text += "".join(
            bus_text(buses[name], at, Wire.TCP, 0) for name, at in network.places.items()
        )
        text += table_text("t3", ETHERNET.without_draws, buses, dict.fromkeys(buses, 1))
        yield ModuleHall({**near, "t3": far}, text)


def _table(fittings: Fittings) -> ModuleTable:
    return ModuleTable(fittings, {}, _empty(), Written())


def _empty() -> Machine:
    """Return a machine that has something to shuffle."""
    machine = Machine(Random(1))
    machine.wall_ready = False
    return machine
