"""A table fitted with modules: play, machine, wires and far ends, with time as an argument."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

from simulator.deeds import Act, Cue, Key, Sense, Touch
from simulator.log_lines import LogLine, edge_line, sensed_line
from simulator.machine import Machine, Motion
from simulator.modbus_far_ends import FarEnd, Talk
from simulator.modbus_fittings import Fittings
from simulator.modbus_mishaps import (
    NEAR_WRAP,
    Harmed,
    Mishap,
    Mute,
    NearWrap,
    PowerCut,
    Reboot,
    Unplugged,
)
from simulator.modbus_plant import SENSOR_CLOSES_FOR, Plant, button, sensor
from simulator.plays import Play
from table.events import DealEnded, TileDrawn
from table.happening import BoxReboot, SensedEvent, WireCut
from table.moment import Moment

SETTLED = timedelta(seconds=1)
"""From the first reading of a button until people begin to play."""


@dataclass(frozen=True, slots=True)
class Truth:
    """An edge as it was at the button, whatever became of it on the way."""

    at: Moment
    touch: Touch


class ModuleTable:
    """One table; whoever owns it carries the bytes and keeps the time.

    People begin to play when a host reads the buttons for the first time.
    """

    def __init__(
        self,
        fittings: Fittings,
        ends: Mapping[str, FarEnd],
        machine: Machine,
        play: Play,
        mishaps: Iterable[tuple[Moment, Mishap]] = (),
    ) -> None:
        self.fittings = fittings
        self.ends = ends
        self.plant = Plant(machine)
        self.truth: list[Truth] = []
        """Every edge of a button, in order."""
        self._machine = machine
        self._play = play
        self._mishaps: Iterator[tuple[Moment, Mishap]] = iter(mishaps)
        self._next_mishap = next(self._mishaps, None)
        self._mends_at: Moment | None = None
        self._power_at: Moment | None = None
        self._opens: deque[tuple[Moment, str]] = deque()
        self._signs: dict[str, bool] = {}
        self._began = False
        self._log: list[LogLine] = []

    @property
    def plugged_in(self) -> bool:
        """Whether the ports of the table can be reached."""
        return self._mends_at is None and not (self._power_at and self.fittings.ethernet)

    def hear(self, end: str, talk: Talk, chunk: bytes, now: Moment) -> None:
        """Take bytes from a host."""
        self.pass_time(now)
        if self.plugged_in:
            self.ends[end].hear(talk, chunk, now)
            self.pass_time(now)

    def transmit(self, end: str, now: Moment) -> list[tuple[Talk, bytes]]:
        """Return the bytes that have left a port by now."""
        leaving = self.ends[end].transmit(now)
        return leaving if self.plugged_in else []

    def wake_at(self) -> Moment | None:
        """Say when something happens or leaves next."""
        return _first([self._stirs_at(), *(end.wake_at() for end in self.ends.values())])

    def pass_time(self, now: Moment) -> None:
        """Do and let happen everything that is due, in order."""
        while (at := self._stirs_at()) and at <= now:
            self._stir(at)
        self._let_things_move(now)
        self._see_host(now)

    def take_log(self) -> list[LogLine]:
        """Hand over what is to be logged since this was last asked."""
        taken, self._log = self._log, []
        return taken

    def _stirs_at(self) -> Moment | None:
        mishap_at = self._next_mishap[0] if self._next_mishap else None
        opens_at = self._opens[0][0] if self._opens else None
        parts = (self.fittings.wake_at(), self.plant.wake_at(), self._play.wake_at())
        ends = (end.stirs_at() for end in self.ends.values())
        return _first([*parts, *ends, mishap_at, opens_at, self._mends_at, self._power_at])

    def _stir(self, at: Moment) -> None:
        self._let_things_move(at)
        self._mend(at)
        if self._next_mishap and self._next_mishap[0] <= at:
            befalls, self._next_mishap = self._next_mishap[1], next(self._mishaps, None)
            self.befall(befalls, at)
        while self._opens and self._opens[0][0] <= at:
            self.fittings.touch(self._opens.popleft()[1], at, closed=False)
        if (due := self._play.wake_at()) and due <= at:
            self._do(self._play.next_deed().act, at)
        self._let_things_move(at)
        for end in self.ends.values():
            end.pass_time(at)
        self._let_things_move(at)
        self._see_host(at)

    def _let_things_move(self, at: Moment) -> None:
        self.fittings.pass_time(at)
        for wire, change in self.fittings.told():
            self.plant.put(wire, change.at, on=change.on)
            self._note(change.at, {"wire": wire, "on": change.on})
        for happened in self.plant.pass_time(at):
            self._note(happened.at, sensed_line(happened.event))
            self._play.notice(happened.event, happened.at)
        signs = {} if self._power_at else self.plant.signs()
        for sign in sorted(signs.keys() | self._signs.keys()):
            if signs.get(sign, False) != self._signs.get(sign, False):
                self.fittings.touch(sign, at, closed=signs.get(sign, False))
        self._signs = signs

    def _do(self, act: Act, at: Moment) -> None:
        match act:
            case Touch():
                self.truth.append(Truth(at, act))
                self._note(at, edge_line(act))
                self.fittings.touch(button(act.seat, act.input), at, closed=act.down)
            case Sense(event):
                self._sense(event, at)
            case Key():
                self._push(act, at)
            case WireCut(span):
                self.befall(Unplugged(span), at)
            case BoxReboot():
                for name in self.fittings.modules:
                    self.befall(Reboot(name), at)
            case Cue():
                self._note(at, {"script": act})
            case Reboot() | Mute() | NearWrap() | PowerCut() | Unplugged() | Harmed():
                self.befall(act, at)

    def _push(self, key: Key, at: Moment) -> None:
        """Have somebody push a key of the machine itself."""
        if key is Key.START:
            self._machine.push_start(at)
        elif self._machine.hindrance(Motion.DICE) is None:
            self._machine.begin(Motion.DICE, at)

    def _sense(self, event: SensedEvent, at: Moment) -> None:
        """Have a sensor close its contact for a moment, or the machine do what it says."""
        if isinstance(event, TileDrawn | DealEnded):
            self._note(at, sensed_line(event))
            self.fittings.touch(sensor(event), at, closed=True)
            self._opens.append((at + SENSOR_CLOSES_FOR, sensor(event)))
        else:
            self._machine.report(event, at)

    def befall(self, mishap: Mishap, at: Moment) -> None:
        """Have something go wrong now."""
        self._note(at, {"mishap": type(mishap).__name__} | _said(mishap))
        match mishap:
            case Reboot(name):
                self.fittings.modules[name].restart(at)
            case Mute(name, span):
                self.fittings.modules[name].mute(at + span)
            case NearWrap(name):
                for contact in self.fittings.modules[name].contacts:
                    contact.approach_wrap(NEAR_WRAP)
            case PowerCut(span):
                self._power_at = at + span
                self.fittings.cut_power(at)
                self._machine.stop(at)
                self._hang_up()
            case Unplugged(span):
                self._mends_at = at + span
                # On a line that is shared the others go on.
                for module in self.fittings.modules.values():
                    module.mute(at + span)
                self._hang_up()
            case Harmed(harm, times):
                self.fittings.trouble.expect(harm, times)

    def _mend(self, at: Moment) -> None:
        if self._mends_at and self._mends_at <= at:
            self._mends_at = None
            self._note(at, {"mended": "cable"})
        if self._power_at and self._power_at <= at:
            self._power_at = None
            self.fittings.restart(at)
            self._note(at, {"mended": "power"})

    def _hang_up(self) -> None:
        if not self.plugged_in:
            for end in self.ends.values():
                end.hang_up()

    def _see_host(self, now: Moment) -> None:
        if not self._began and self.fittings.watched:
            self._began = True
            self._note(now, {"host": "reads"})
            self._play.begin(now + SETTLED)

    def _note(self, at: Moment, line: LogLine) -> None:
        self._log.append({"at_us": at.micros} | line)


def _first(moments: Iterable[Moment | None]) -> Moment | None:
    return min((moment for moment in moments if moment), default=None)


def _said(mishap: Mishap) -> LogLine:
    match mishap:
        case Reboot(name) | NearWrap(name):
            return {"module": name}
        case Mute(name, span):
            return {"module": name, "ms": span // timedelta(milliseconds=1)}
        case PowerCut(span) | Unplugged(span):
            return {"ms": span // timedelta(milliseconds=1)}
        case Harmed(harm, times):
            return {"harm": harm, "times": times}
