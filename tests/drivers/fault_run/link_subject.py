"""A table with a box on our own link."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from random import Random

from drivers.table_link.driver import SerialTableDriver
from simulator.box import EVERYTHING_BUT_DRAWS_AND_DICE, Model
from simulator.habits import Span, within
from simulator.simulated_table import Kit
from table.happening import WireCut
from table.moment import MILLISECOND, Moment
from tests.drivers.fault_run.box import CountedMachine, KnownTable
from tests.drivers.fault_run.box_port import BoxPort
from tests.drivers.fault_run.cable import CableHarm, Way
from tests.drivers.fault_run.evening import Evening
from tests.drivers.fault_run.subject import Disturbed, Grip, Moved
from tests.drivers.fault_run.virtual_time import now

PORT = "box"
_BOOTS = 2**32
_REST: Span = (3_000, 14_000)
_UNHEARD = timedelta(seconds=6)
"""A reboot forgets what was not acknowledged yet."""
_PERCENT = (0, 0, 1, 2, 4)


class LinkMishap(StrEnum):
    """What befalls box and cable beside single frames."""

    REBOOT = "reboot"
    UNPLUGGED = "unplugged"
    POWER_CUT = "power-cut"
    SILENT = "silent"
    """Nothing comes through either way; the port stays."""


_SPANS: Mapping[LinkMishap, Span] = {
    LinkMishap.UNPLUGGED: (200, 5_000),
    LinkMishap.POWER_CUT: (300, 5_000),
    LinkMishap.SILENT: (300, 4_000),
}
WRAPPED = "counter-wrap"
"""A boot whose time and numbers are about to begin at 0 again."""


class LinkSubject:
    """Obeys `tests.drivers.fault_run.subject.Subject`."""

    remembers = True

    def __init__(self, random: Random, evening: Evening) -> None:
        self._random = random
        self.evening = evening
        self.disturbed: list[Disturbed] = []
        self._mishaps: Counter[str] = Counter()
        self._machine = CountedMachine(random)
        model = Model("RUN-1", EVERYTHING_BUT_DRAWS_AND_DICE)
        kit = Kit(model, lambda: random.randrange(1, _BOOTS))
        self.table = KnownTable(kit, self._machine, evening, now(), random)
        self._ways = tuple(Way(random, {}) for _ in range(2))
        self.port = BoxPort(PORT, self.table, *self._ways)
        self.driver = SerialTableDriver(PORT, 115_200, model.serial, now)

    @property
    def befell(self) -> Counter[str]:
        """How often each fault happened."""
        harms: Counter[str] = sum((way.befell for way in self._ways), Counter())
        return harms + self._mishaps + Counter({WRAPPED: self.table.wrapping})

    def begin(self) -> None:
        """Plug it in."""
        self.port.turn()

    async def suffer(self, until: Moment) -> None:
        """Have things befall it until then; afterwards all is well."""
        for way in self._ways:
            way.percent = {harm: self._random.choice(_PERCENT) for harm in CableHarm}
        while now() < until:
            await asyncio.sleep(within(self._random, _REST).total_seconds())
            self._befall(self._random.choice(list(LinkMishap)), now())
        for way in self._ways:
            way.percent = {}

    def moved(self) -> list[Moved]:
        """Return every motor that the box started."""
        return [Moved(at, motion) for at, motion in self._machine.begun]

    def _befall(self, mishap: LinkMishap, at: Moment) -> None:
        self._mishaps[mishap] += 1
        if mishap in {LinkMishap.REBOOT, LinkMishap.POWER_CUT}:
            self.disturbed.append(Disturbed(at - _UNHEARD, at + _UNHEARD, Grip.MEMORY))
        span = within(self._random, _SPANS[mishap]) if mishap in _SPANS else timedelta(0)
        match mishap:
            case LinkMishap.REBOOT:
                self.table.reboot(at)
            case LinkMishap.UNPLUGGED:
                self.table.cut(WireCut(span), at)
            case LinkMishap.POWER_CUT:
                self._machine.stop(at)
                self.table.cut(WireCut(span), at)
                back = (span - MILLISECOND).total_seconds()
                asyncio.get_running_loop().call_later(back, lambda: self.table.reboot(now()))
            case LinkMishap.SILENT:
                for way in self._ways:
                    way.mute_until = at + span
        self.port.turn()
