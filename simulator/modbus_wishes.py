"""What the command line asks of a table fitted with modules."""

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from simulator.machine import Machine
from simulator.modbus_fittings import Fittings
from simulator.modbus_kits import KITS, ModuleKit, Wire
from simulator.modbus_mishaps import mishaps
from simulator.modbus_table import ModuleTable
from simulator.modbus_trouble import Harm, Trouble
from simulator.plays import Play
from table.errors import SettingsError
from table.moment import MILLISECOND, ZERO, Moment

BAUDS = (1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200)


@dataclass(frozen=True, slots=True)
class ModuleWishes:
    """Which kit, how it is reached, and what goes wrong."""

    kit: ModuleKit
    wire: Wire
    baud: int
    harms: Mapping[Harm, int]
    """Percent of the requests."""
    jitter: timedelta
    mishaps_every: timedelta | None

    def build(self, machine: Machine, play: Play, random: Random, now: Moment) -> ModuleTable:
        """Fit a table with the kit."""
        fittings = Fittings(self.kit)
        trouble = Trouble(random, self.harms, self.jitter)
        ends = fittings.far_ends(self.wire, self.baud, trouble)
        befall = (
            mishaps(random, tuple(fittings.modules), now, self.mishaps_every)
            if self.mishaps_every
            else ()
        )
        return ModuleTable(fittings, ends, machine, play, befall)


def add_words(parser: argparse.ArgumentParser) -> None:
    """Add the words for tables with modules."""
    add = parser.add_argument_group("tables fitted with Modbus modules").add_argument
    add("--kit", choices=KITS, help="fit the tables with this kit in place of a table link")
    add("--wire", choices=tuple(Wire), help="how the kit is reached, if not in its usual way")
    add("--baud", type=int, choices=BAUDS, help="speed of the line, if not the usual one")
    add("--harm", type=_harms, help="percent of requests, as reply-lost=2,late=1; " + _known())
    add("--jitter", type=_whole, help="let replies come so many ms later at most")
    add("--mishaps", type=_whole, help="each so many seconds a reboot, power cut or the like")


def module_wishes(said: argparse.Namespace) -> ModuleWishes | None:
    """Return what is asked of modules, None where tables have none.

    Raises:
        SettingsError: words that mean nothing together.
    """
    words = ("wire", "baud", "harm", "jitter", "mishaps")
    given = [word for word in words if getattr(said, word) is not None]
    if said.kit is None:
        if given:
            message = f"--{given[0]} means nothing without --kit"
            raise SettingsError(message)
        return None
    kit = KITS[said.kit]
    wire = Wire(said.wire) if said.wire else kit.wires[0]
    _refuse_impossible(said, kit, wire)
    every = timedelta(seconds=said.mishaps) if said.mishaps else None
    jitter = (said.jitter or 0) * MILLISECOND
    return ModuleWishes(kit, wire, said.baud or kit.baud, said.harm or {}, jitter or ZERO, every)


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
    if said.draws and not kit.senses_draws:
        message = f"--draws is not possible with --kit {said.kit}: it senses no draws"
        raise SettingsError(message)


def _harms(words: str) -> dict[Harm, int]:
    harms: dict[Harm, int] = {}
    for word in words.split(","):
        found = re.fullmatch(r"([a-z-]+)=([0-9]{1,2}|100)", word)
        if found is None or found[1] not in set(Harm):
            message = f"'{word}' is no harm; {_known()}, each with =0 to =100"
            raise argparse.ArgumentTypeError(message)
        harms[Harm(found[1])] = int(found[2])
    if sum(harms.values()) > 100:  # noqa: PLR2004 -- percent
        message = f"'{words}' is more than 100 percent; at most one harm befalls a request"
        raise argparse.ArgumentTypeError(message)
    return harms


def _known() -> str:
    return "allowed: " + ", ".join(Harm)


def _whole(word: str) -> int:
    if re.fullmatch("[0-9]{1,5}", word) is None or int(word) == 0:
        message = f"'{word}' is no time; allowed: 1 to 99999"
        raise argparse.ArgumentTypeError(message)
    return int(word)
