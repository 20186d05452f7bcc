"""A table with the modules of a kit."""

import asyncio
from collections import Counter
from datetime import timedelta
from random import Random

from drivers.modbus.bus import Bus
from drivers.modbus.driver import ModbusTableDriver
from drivers.modbus.functions import seat_signal
from simulator.machine import Machine
from simulator.modbus_fittings import Fittings
from simulator.modbus_kits import KITS, Wire
from simulator.modbus_mishaps import Mishap, Mute, NearWrap, PowerCut, Reboot, Unplugged, mishaps
from simulator.modbus_module import BOOTS_FOR, Module
from simulator.modbus_table import ModuleTable
from simulator.modbus_trouble import Harm, Sent, Trouble
from table.moment import MILLISECOND, ZERO, Moment
from tests.drivers.fault_run.evening import Evening
from tests.drivers.fault_run.module_ports import ModulePorts, lines
from tests.drivers.fault_run.subject import Disturbed, Grip, Moved
from tests.drivers.fault_run.virtual_time import now, seconds_until
from tests.drivers.modbus.kit_table import fitted_on

PERIOD = timedelta(milliseconds=30)
_EVERY = timedelta(seconds=8)
_PERCENT = (0, 0, 1, 1, 2)
_AROUND = timedelta(milliseconds=400)
"""A harmed request and those that must come after it, until the next sample is good."""
_AFTERWARDS = timedelta(seconds=1)
_JITTER = 3 * MILLISECOND


class KnownTrouble(Trouble):
    """Trouble of which the moments are known; none while `at_rest`."""

    def __init__(self, random: Random, disturbed: list[Disturbed]) -> None:
        percent = {harm: random.choice(_PERCENT) for harm in Harm}
        super().__init__(random, percent, _JITTER)
        self._disturbed = disturbed
        self.at_rest = False

    def serve(self, module: Module, pdu: bytes, now: Moment) -> list[Sent]:
        if self.at_rest:
            reply = module.serve(pdu, now)
            return [Sent(module.unit, reply)] if reply else []
        before = self.befell.total()
        sent = super().serve(module, pdu, now)
        if self.befell.total() > before:
            late = max((one.after for one in sent), default=ZERO)
            self._disturbed.append(Disturbed(now - _AROUND, now + late + _AROUND, Grip.SAMPLE))
        return sent


class ModuleSubject:
    """Obeys `tests.drivers.fault_run.subject.Subject`."""

    def __init__(self, kit: str, wire: Wire, random: Random, evening: Evening) -> None:
        self._random = random
        self.evening = evening
        self.disturbed: list[Disturbed] = []
        self._mishaps: Counter[str] = Counter()
        self._trouble = KnownTrouble(random, self.disturbed)
        fittings = Fittings(KITS[kit])
        ends = fittings.far_ends(wire, trouble=self._trouble)
        self.table = ModuleTable(fittings, ends, Machine(random), evening)
        self.ports = ModulePorts(self.table)
        buses = [Bus(line, now) for line in lines(self.ports, self.table, KITS[kit], wire)]
        self._fitted = fitted_on(kit, buses, PERIOD)
        self.driver = ModbusTableDriver(self._fitted, now)

    @property
    def remembers(self) -> bool:
        """Whether the modules count presses."""
        return any(
            module.layout.edges[signal].sensing.counts
            for name, module in self._fitted.modules.items()
            for signal, function in self._fitted.signals_of(name).items()
            if seat_signal(function)
        )

    @property
    def befell(self) -> Counter[str]:
        """How often each fault happened."""
        return Counter({str(harm): n for harm, n in self._trouble.befell.items()}) + self._mishaps

    def begin(self) -> None:
        """Plug it in."""
        self.ports.turn()

    async def suffer(self, until: Moment) -> None:
        """Have things befall it until then; afterwards all is well."""
        names = tuple(self.table.fittings.modules)
        for at, mishap in mishaps(self._random, names, now(), _EVERY):
            if at > until:
                break
            await asyncio.sleep(seconds_until(at))
            self._befall(mishap, now())
        self._trouble.at_rest = True

    def moved(self) -> list[Moved]:
        """Return every key of the machine that was pushed by a wire."""
        return [Moved(push.at, push.key) for push in self.table.plant.pushes]

    def _befall(self, mishap: Mishap, at: Moment) -> None:
        self._mishaps[_name(mishap)] += 1
        span = getattr(mishap, "span", ZERO)
        grip = Grip.SAMPLE if isinstance(mishap, Mute) else Grip.MEMORY
        self.disturbed.append(Disturbed(at - _AROUND, at + span + BOOTS_FOR + _AFTERWARDS, grip))
        self.table.befall(mishap, at)
        self.ports.turn()


_NAMES: dict[type[Mishap], str] = {
    Reboot: "reboot",
    Mute: "silent",
    NearWrap: "counter-wrap",
    PowerCut: "power-cut",
    Unplugged: "unplugged",
}


def _name(mishap: Mishap) -> str:
    """Return the word of a fault; one without a word of ours has its own."""
    kind = type(mishap)
    return _NAMES.get(kind, kind.__name__.lower())
