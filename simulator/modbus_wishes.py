"""What the command line asks of a table fitted with modules."""

import argparse
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from simulator.machine import Machine
from simulator.modbus_fittings import BUS, Fittings, line_end
from simulator.modbus_kits import KITS, ModuleKit, Wire
from simulator.modbus_mishaps import Mishap, mishaps
from simulator.modbus_settings import bus_text, table_text
from simulator.modbus_shared_bus import UNITS_APART, SharedBus
from simulator.modbus_table import ModuleTable
from simulator.plays import Play
from simulator.trouble_wishes import TroubleWishes, whole
from table.errors import SettingsError
from table.moment import Moment

MOST_ON_ONE_BUS = 240 // UNITS_APART
"""The highest number of a module is 247 (Modbus over Serial Line V1.02, section 2.2)."""
POLLING = 10
"""A host that has read a button so often has seen all modules, and asks on. House choice."""
BAUDS = (1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200)


@dataclass(frozen=True, slots=True)
class ModuleWishes:
    """Which kit, how it is reached, and what goes wrong."""

    kit: ModuleKit
    wire: Wire
    baud: int
    trouble: TroubleWishes
    one_bus: bool = False
    """Whether the modules of all tables hang on one line."""
    mishaps_every: timedelta | None = None

    def build(self, machine: Machine, play: Play, random: Random, now: Moment) -> ModuleTable:
        """Fit a table with the kit, on ports of its own."""
        fittings = Fittings(self.kit, looks=POLLING)
        ends = fittings.far_ends(self.wire, self.baud, self.trouble.drawn(random))
        befall = self._mishaps(fittings, random, now)
        return ModuleTable(fittings, ends, machine, play, befall)

    def build_shared(
        self, players: Mapping[str, tuple[Machine, Play]], random: Random, now: Moment
    ) -> SharedBus:
        """Fit tables with the kit and hang them all on one line."""
        fitted = {
            name: Fittings(self.kit, place * UNITS_APART, POLLING)
            for place, name in enumerate(players)
        }
        modules = [module for each in fitted.values() for module in each.modules.values()]
        trouble = self.trouble.drawn(random)
        for place, each in enumerate(fitted.values()):
            each.trouble = trouble
            each.number(place)
        end = line_end(modules, self.wire, self.baud, trouble)
        tables = {
            name: ModuleTable(each, {}, *players[name], self._mishaps(each, random, now))
            for name, each in fitted.items()
        }
        return SharedBus(tables, end)

    def settings(
        self,
        names: Sequence[str],
        bus: str,
        places: Mapping[str, str],
        draws: Collection[str] = (),
    ) -> str:
        """Return what a daemon is told of tables.

        Args:
            names: the tables, in the order in which they were built.
            bus: what their port is called; ports of single modules have this before their name.
            places: where each port is.
            draws: the tables whose sensors of draws are made use of.
        """
        buses = {end: bus if end == BUS else f"{bus}-{end}" for end in places}
        sections = [bus_text(buses[end], at, self.wire, self.baud) for end, at in places.items()]
        for place, name in enumerate(names):
            units = {each.name: each.unit + place * UNITS_APART for each in self.kit.fittings}
            kit = self.kit if name in draws else self.kit.without_draws
            sections.append(table_text(name, kit, buses, units))
        return "\n".join(sections)

    def _mishaps(
        self, fittings: Fittings, random: Random, now: Moment
    ) -> Iterable[tuple[Moment, Mishap]]:
        if self.mishaps_every is None:
            return ()
        return mishaps(random, tuple(fittings.modules), now, self.mishaps_every)


def add_words(parser: argparse.ArgumentParser) -> None:
    """Add the words for tables with modules."""
    add = parser.add_argument_group("tables fitted with Modbus modules").add_argument
    add("--kit", choices=KITS, help="fit the tables with this kit in place of a table link")
    add("--wire", choices=tuple(Wire), help="how the kit is reached, if not in its usual way")
    add("--baud", type=int, choices=BAUDS, help="speed of the line, if not the usual one")
    add("--one-bus", action="store_true", help="let the modules of all tables hang on one line")
    add("--mishaps", type=whole, help="each so many seconds a reboot, power cut or the like")


def module_wishes(said: argparse.Namespace, trouble: TroubleWishes) -> ModuleWishes | None:
    """Return what is asked of modules, None where tables have none.

    Raises:
        SettingsError: words that mean nothing together.
    """
    words = ("wire", "baud", "one_bus", "mishaps")
    given = [word for word in words if getattr(said, word)]
    if said.kit is None:
        if given:
            message = f"--{given[0].replace('_', '-')} means nothing without --kit"
            raise SettingsError(message)
        return None
    kit = KITS[said.kit]
    wire = Wire(said.wire) if said.wire else kit.wires[0]
    _refuse_impossible(said, kit, wire)
    every = timedelta(seconds=said.mishaps) if said.mishaps else None
    return ModuleWishes(kit, wire, said.baud or kit.baud, trouble, said.one_bus, every)


def _refuse_impossible(said: argparse.Namespace, kit: ModuleKit, wire: Wire) -> None:
    if wire not in kit.wires:
        message = f"--wire {wire} is not possible with --kit {said.kit}: it has no serial port"
        raise SettingsError(message)
    if said.baud and wire is Wire.TCP:
        message = "--baud means nothing where a kit is reached over TCP"
        raise SettingsError(message)
    if said.speed != 1:
        message = "--speed is not possible with --kit: a line cannot run faster than it does"
        raise SettingsError(message)
    if said.one_bus and kit.ethernet:
        message = f"--one-bus is not possible with --kit {said.kit}: it has no serial port"
        raise SettingsError(message)
    if said.one_bus and len(set(said.table)) > MOST_ON_ONE_BUS:
        message = f"--one-bus is possible with at most {MOST_ON_ONE_BUS} tables"
        raise SettingsError(message)
    if said.draws and not kit.senses_draws:
        message = f"--draws is not possible with --kit {said.kit}: it senses no draws"
        raise SettingsError(message)
