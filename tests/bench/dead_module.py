"""One dead module among eight on a bus: how much longer the others wait for their polls.

Each module is a table of its own as far as the bus knows, with the time-outs of its profile. Every
line is played in virtual time, where nothing but the line takes any, and some over a
pseudo-terminal too, whose figures are the machine's as well and are not judged.
"""

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from statistics import mean

from drivers.modbus.bus import Bus
from drivers.modbus.fitted import Module
from drivers.modbus.lines import BusLine
from drivers.modbus.profile import Profile
from drivers.modbus.profile_file import read_profile, shipped_profiles
from drivers.modbus.requests import Read
from tests.bench.finding import Finding
from tests.bench.spread import milliseconds
from tests.drivers.modbus.paced_bus import Module as PacedModule
from tests.drivers.modbus.paced_bus import bus_in_a_thread
from tests.drivers.modbus.virtual_bus import FarEnd, silence, virtual_line
from tests.drivers.modbus.virtual_bus import Module as VirtualModule
from tests.harness.virtual_loop import loop_now, played

GOAL = 0.1
EIGHT = range(1, 9)
DEAD = 8
PERIOD = timedelta(milliseconds=1)
"""As often as the line lets them be polled."""
PROFILES = ("waveshare-io-8ch", "wb-mcm8", "eletechsup-n4d8b08", "wp8026")
BAUDRATES = (115_200, 9600)
INPUTS = Read(2, 0, 8)
VIRTUAL, PTY = "virtual", "pty"
VIRTUAL_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Periods:
    """What the seven living modules of one kind had, in microseconds."""

    line: str
    profile: str
    baudrate: int
    time_out: timedelta
    before: float
    """Mean time between two polls of one of them, the eighth alive and not polled."""
    beside: float
    """The same beside the dead one, once it is known to be dead."""
    widest: float
    """Longest such time beside the dead one."""

    @property
    def growth(self) -> float:
        """What the dead one costs the others, as a part of their period."""
        return self.beside / self.before - 1


def measure(seconds: float) -> Finding:
    """Poll buses with and without a dead module; those in virtual time for longer."""
    logging.getLogger("drivers").setLevel(logging.CRITICAL)  # it tells of the dead ones
    lines = [(name, baudrate) for name in PROFILES for baudrate in BAUDRATES]
    reckoned = [_periods(VIRTUAL, *line, VIRTUAL_SECONDS) for line in lines]
    return _finding([*reckoned, *(_periods(PTY, *line, seconds) for line in lines[:2])])


def _periods(line: str, name: str, baudrate: int, seconds: float) -> Periods:
    profile = read_profile(shipped_profiles()[name])

    def gaps(*, dead: bool) -> list[float]:
        if line == VIRTUAL:
            return played(lambda: _virtual_gaps(profile, baudrate, seconds, dead=dead))
        return asyncio.run(_pty_gaps(profile, baudrate, seconds, dead=dead))

    before, beside = gaps(dead=False), gaps(dead=True)
    time_out = profile.timing.reply_timeout
    return Periods(line, name, baudrate, time_out, mean(before), mean(beside), max(beside))


async def _virtual_gaps(
    profile: Profile, baudrate: int, seconds: float, *, dead: bool
) -> list[float]:
    modules = {unit: VirtualModule() for unit in EIGHT}
    if dead:
        modules[DEAD].answer = silence
    far = FarEnd(modules, baudrate)
    return await _gaps(virtual_line(far), far.heard, profile, seconds, dead=dead)


async def _pty_gaps(profile: Profile, baudrate: int, seconds: float, *, dead: bool) -> list[float]:
    modules = {unit: PacedModule(silent=dead and unit == DEAD) for unit in EIGHT}
    with bus_in_a_thread(modules, baudrate) as wire:
        line = BusLine.rtu(wire.port.path, baudrate)
        return await _gaps(line, wire.heard, profile, seconds, dead=dead)


async def _gaps(
    line: BusLine,
    heard: list[tuple[float, bytes]],
    profile: Profile,
    seconds: float,
    *,
    dead: bool,
) -> list[float]:
    """Return the times between two polls of the first module, once a dead one is known for that."""
    bus = Bus(line, loop_now)
    manners = Module(bus, profile, DEAD).manners
    async with bus.joined(lambda _cause: None) as member:
        for unit in EIGHT if dead else EIGHT[:-1]:
            member.poll(member.meet(unit, manners), (INPUTS,), PERIOD, lambda _exchanges: None)
        await asyncio.sleep(2 * manners.fail_count * manners.reply_within.total_seconds() + 0.5)
        begun = loop_now().micros / 1e6
        await asyncio.sleep(seconds)
    asked = [at for at, frame in heard if frame[0] == EIGHT[0] and at >= begun]
    return [(after - before) * 1e6 for before, after in pairwise(asked)]


def _finding(found: list[Periods]) -> Finding:
    return Finding(
        number=3,
        title="one dead module among eight on a bus",
        goal=f"the others' poll period grows by less than {GOAL:.0%}",
        beside="the same bus with the seven alone, before. A line paced at the baud rate, modules"
        " that think for 1 ms, 8 inputs read at once and as often as the line lets them, time-outs"
        " of the profiles. Judged in virtual time, where only the line takes any; over a"
        " pseudo-terminal the load of the machine is in the figures too. The widest gap is that in"
        " which the dead one is asked.",
        columns=(
            "line",
            "profile",
            "baud",
            "time-out",
            "before",
            "beside a dead one",
            "growth",
            "widest",
        ),
        rows=tuple(
            (
                each.line,
                each.profile,
                str(each.baudrate),
                milliseconds(each.time_out / timedelta(microseconds=1)),
                milliseconds(each.before),
                milliseconds(each.beside),
                f"{each.growth:+.1%}",
                milliseconds(each.widest),
            )
            for each in found
        ),
        misses=tuple(
            f"a dead {each.profile} at {each.baudrate} baud lengthens the others' period by"
            f" {each.growth:.0%}"
            for each in found
            if each.line == VIRTUAL and each.growth >= GOAL
        ),
    )
