"""Kits whose buttons are pressed by lot, the truth about it, and what a driver said of it."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from statistics import median_low

from drivers.modbus.lines import BusLine
from drivers.modbus.link import ModbusTableLink
from drivers.port import Now
from drivers.serial_line import PLAIN, Character
from simulator.deeds import Deed
from simulator.machine import Machine
from simulator.modbus_far_ends import FarEnd, LineSpeed, RtuEnd
from simulator.modbus_fittings import AT_ONCE, BUS, Fittings
from simulator.modbus_kits import KITS
from simulator.modbus_table import ModuleTable
from simulator.modbus_trouble import Trouble
from table.events import (
    ClaimPressed,
    DiscardPressed,
    DiscardReleased,
    MachineEvent,
    Observed,
)
from table.happening import Input
from table.moment import MILLISECOND, ZERO, Interval, Moment
from table.seat import Seat
from tests.simulator.modbus.fitted import Written, tap

SEATS_MODULE = {"basic": "seats", "counted": "seats", "ethernet": "seats", "odd": "board"}
DEBOUNCE = {
    kit: ms * MILLISECOND
    for kit, ms in {"basic": 5, "counted": 10, "ethernet": 10, "odd": 5}.items()
}
"""As their profiles have it."""
SHORTEST = {"basic": 50, "counted": 12, "ethernet": 12, "odd": 120}
"""Milliseconds. A level must be seen once: longer than two polls. A counter needs its filter."""
TOLD_BY_LEVEL = {"basic", "odd"}
"""Kits that promise nothing of a press shorter than the time between two samples."""
LONGEST_MS = 300
PAUSE_MS = (120, 400)
BUTTONS = tuple((seat, what) for seat in Seat for what in Input)

MEASURED_WITHIN = timedelta(seconds=1)
Button = tuple[int, str]


@dataclass
class Waiting(Written):
    """Deeds that begin when they are told to."""

    def begin(self, now: Moment) -> None:
        """Wait on: that somebody reads the buttons does not mean that he is ready."""

    @property
    def lasts(self) -> timedelta:
        """How long the deeds take that are left."""
        return self.deeds[-1][0]

    def begin_now(self, now: Moment) -> None:
        """Begin."""
        self.begun = now


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press as it was."""

    button: Button
    at: Moment
    lasts: timedelta


@dataclass(frozen=True, slots=True)
class Told:
    """A press as it was told."""

    button: Button
    when: Interval


@dataclass
class Hearing:
    """What a driver said of one table.

    Attributes:
        told: presses.
        strange: what else it said, and nothing caused.
        periods: from one question to the next, measured again and again.
        gaps: when that was measured, and the longest time between two of the newest samples.
    """

    now: Now
    told: list[Told] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    periods: list[timedelta] = field(default_factory=list)
    gaps: list[tuple[Moment, timedelta]] = field(default_factory=list)

    async def listen(self, events: AsyncIterator[Observed]) -> None:
        async for observed in events:
            self.hear(observed)

    def hear(self, observed: Observed) -> None:
        match observed.event:
            case DiscardPressed(seat=seat):
                self.told.append(Told((seat, Input.DISCARD), observed.when))
            case ClaimPressed(seat=seat):
                self.told.append(Told((seat, Input.CLAIM), observed.when))
            case DiscardReleased():
                pass
            case event:
                if not isinstance(event, MachineEvent):
                    self.strange.append(str(event))

    def measure(self, link: ModbusTableLink, module: str) -> None:
        """Note how closely the module of the seats is watched now."""
        pace = link.paces[module]
        self.periods.append(pace.achieved)
        self.gaps.append((self.now(), pace.widest))

    def may_miss(self, press: Pressed) -> bool:
        """Say whether a press can have come and gone between two samples."""
        until = press.at + MEASURED_WITHIN
        return any(gap >= press.lasts for at, gap in self.gaps if press.at <= at <= until)


@dataclass(frozen=True)
class Verdict:
    """Presses of one kit against what was told of them."""

    presses: int
    held: int
    short: int
    """Pressed and let go between two samples that lay further apart than they should have."""
    missed: int
    invented: int
    strange: list[str]
    period: timedelta
    width: timedelta
    widest: timedelta


def judged(kit: str, truths: Sequence[list[Pressed]], hearings: Sequence[Hearing]) -> Verdict:
    """Hold what was told of some tables against the truth."""
    told = [one for hearing in hearings for one in hearing.told]
    unheld = [
        (hearing, press)
        for truth, hearing in zip(truths, hearings, strict=True)
        for press in _unheld(truth, hearing)
    ]
    presses = sum(map(len, truths))
    held = presses - len(unheld)
    short = [one for hearing, one in unheld if kit in TOLD_BY_LEVEL and hearing.may_miss(one)]
    widths = [one.when.latest - one.when.earliest for one in told]
    return Verdict(
        presses,
        held,
        short=len(short),
        missed=len(unheld) - len(short),
        invented=len(told) - held,
        strange=[one for hearing in hearings for one in hearing.strange],
        period=median_low(period for hearing in hearings for period in hearing.periods),
        width=median_low(widths),
        widest=max(widths),
    )


def _unheld(truth: Iterable[Pressed], hearing: Hearing) -> list[Pressed]:
    """Return the presses that have no interval of their own that holds them, in their order."""
    waiting = sorted(truth, key=lambda press: press.at)
    for one in hearing.told:
        held = (
            press
            for press in waiting
            if press.button == one.button and one.when.earliest <= press.at <= one.when.latest
        )
        if (first := next(held, None)) is not None:
            waiting.remove(first)
    return waiting


def pressed_by_lot(random: Random, kit: str, presses: int) -> list[tuple[timedelta, Deed]]:
    """Draw presses, as many on each button, of random length at random moments."""
    deeds: list[Deed] = []
    for seat, what in BUTTONS:
        at = random.randrange(500_000)
        for _ in range(presses // len(BUTTONS)):
            length = random.randint(SHORTEST[kit], LONGEST_MS)
            deeds += tap(seat, what, timedelta(microseconds=at), length)
            at += (length + random.randint(*PAUSE_MS)) * 1000 + random.randrange(1000)
    return sorted(((deed.at - Moment(0), deed) for deed in deeds), key=lambda one: one[0])


def character_of(kit: str) -> Character:
    """Return how bytes travel; modules of Wiren Board have two stop bits."""
    return Character(stop_bits=2) if kit == "counted" else PLAIN


def pressed_table(kit: str, play: Waiting) -> ModuleTable:
    """Return a table whose line is as fast as its kit is set to, to the bit."""
    known = KITS[kit]
    fittings = Fittings(known)
    ends: Mapping[str, FarEnd]
    if known.ethernet:
        ends = fittings.far_ends()
    else:
        speed = LineSpeed(known.baud, character_of(kit).bits)
        ends = {BUS: RtuEnd(speed, tuple(fittings.modules.values()), Trouble(Random(0)), AT_ONCE)}
    return ModuleTable(fittings, ends, Machine(Random(1)), play)


def truth_of(table: ModuleTable) -> list[Pressed]:
    """Return every press of a table that is over."""
    presses, down = list[Pressed](), dict[Button, Moment]()
    for truth in table.truth:
        button = (truth.touch.seat, truth.touch.input)
        if truth.touch.down:
            down[button] = truth.at
        else:
            began = down.pop(button)
            presses.append(Pressed(button, began, truth.at - began))
    return presses


def waits_for_module(kit: str) -> timedelta:
    """Return how long the simulated module of the seats takes from a request to its reply."""
    known = KITS[kit]
    made = next(each for each in known.fittings if each.name == SEATS_MODULE[kit]).make()
    silence = ZERO if known.ethernet else LineSpeed(known.baud, character_of(kit).bits).gap
    return silence + made.turnaround


def port_lines(kit: str, ports: Sequence[str]) -> list[BusLine]:
    """Return the lines to ports, as a host is told of them."""
    if KITS[kit].ethernet:
        addresses = [port.removeprefix("tcp://").rpartition(":") for port in ports]
        return [BusLine.tcp(host, int(number)) for host, _, number in addresses]
    return [BusLine.rtu(port, KITS[kit].baud, character_of(kit)) for port in ports]
