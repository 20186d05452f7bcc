"""A whole table: what is played, the machine, the box and the wire, with time as an argument."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from simulator.box import Box, Model
from simulator.deeds import Act, Cue, Key, Sense, Touch
from simulator.device_time import DeviceTime
from simulator.link_times import REAL, LinkTimes
from simulator.link_wire import LinkWire
from simulator.log_lines import LogLine, command_line, edge_line, sensed_line
from simulator.machine import Machine, Motion
from simulator.modbus_mishaps import (
    Harmed,
    Mishap,
    Mute,
    NearWrap,
    PowerCut,
    Reboot,
    Unplugged,
)
from simulator.plays import Play
from table.events import DealEnded, TileDrawn
from table.happening import BoxReboot, SensedEvent, WireCut
from table.moment import MICROSECOND, Moment

BootDraw: TypeAlias = Callable[[], int]
"""Draws the number of a boot."""


@dataclass(frozen=True, slots=True)
class Kit:
    """What a table's boxes are made from, one after each reboot."""

    model: Model
    boots: BootDraw
    times: LinkTimes = REAL
    wire: LinkWire = field(default_factory=LinkWire)


class SimulatedTable:
    """One table, switched on now; whoever owns it carries the bytes and keeps the time.

    People begin to play when a host follows the table for the first time.
    """

    def __init__(self, kit: Kit, machine: Machine, play: Play, now: Moment) -> None:
        self._kit = kit
        self._machine = machine
        self._play = play
        self._time, self._box = self._started(now)
        self._followed = False
        self._began = False
        self._mends_at: Moment | None = None
        self._power_at: Moment | None = None
        self._log: list[LogLine] = []

    @property
    def wire_whole(self) -> bool:
        """Whether the cable is in place."""
        return self._mends_at is None

    def hear(self, chunk: bytes, now: Moment) -> None:
        """Take bytes from the host; what they begin happens as time passes."""
        self.pass_time(now)
        self._box.hear(self._kit.wire.to_box(chunk, now), now)
        for command in self._box.commands:
            self._note(now, command_line(command))
        self._box.commands.clear()

    def pass_time(self, now: Moment) -> None:
        """Do and let happen everything that is due."""
        while (at := self._stirs_at()) is not None and at <= now:
            self._stir(at)
        self._let_machine_move(now)
        self._see_host(now)

    def transmit(self, now: Moment) -> bytes:
        """Return the bytes that leave now."""
        self._kit.wire.put(self._box.transmit(now), now)
        self._see_host(now)
        return self._kit.wire.from_box(now)

    def wake_at(self, now: Moment) -> Moment:
        """Say when something happens next, at the latest the next heartbeat."""
        moments = (self._stirs_at(), self._kit.wire.wake_at(), self._box.wake_at(now))
        return min(moment for moment in moments if moment)

    def take_log(self) -> list[LogLine]:
        """Hand over what is to be logged since this was last asked."""
        taken, self._log = self._log, []
        return taken

    def _stirs_at(self) -> Moment | None:
        moments = (self._box.stirs_at(), self._play.wake_at(), self._mends_at, self._power_at)
        return min((moment for moment in moments if moment), default=None)

    def _stir(self, at: Moment) -> None:
        self._let_machine_move(at)
        if self._mends_at == at:
            self._mends_at = None
            self._note(at, {"wire": "back"})
        if self._power_at == at:
            self._power_at = None
            self._reboot(at)
        if self._play.wake_at() == at:
            self._do(self._play.next_deed().act, at)
            self._let_machine_move(at)

    def _let_machine_move(self, at: Moment) -> None:
        for happened in self._box.pass_time(at):
            self._note(happened.at, sensed_line(happened.event))
            self._play.notice(happened.event, happened.at)

    def _do(self, act: Act, at: Moment) -> None:
        match act:
            case Touch():
                if self._power_at is None and self._box.touch(act, at):
                    self._note(at, edge_line(act))
            case Sense(event):
                self._sense(event, at)
            case Key.START:
                self._machine.push_start(at)
            case Key.DICE:
                if self._machine.hindrance(Motion.DICE) is None:
                    self._machine.begin(Motion.DICE, at)
            case Cue():
                self._note(at, {"script": act})
            case _:
                self._befall(act, at)

    def _befall(self, mishap: WireCut | BoxReboot | Mishap, at: Moment) -> None:
        match mishap:
            case WireCut(span) | Unplugged(span):
                self._mends_at = at + span
                self._note(at, {"wire": "cut"})
            case BoxReboot() | Reboot():
                self._reboot(at)
            case Mute(_, span):
                self._kit.wire.break_off(at + span)
                self._note(at, {"box": "mute"})
            case PowerCut(span):
                self._note(at, {"power": "cut"})
                self._machine.stop(at)
                self._kit.wire.break_off(at + span)
                self._power_at = at + span
            case Harmed(harm, times):
                self._kit.wire.trouble.expect(harm, times)
            case NearWrap():
                """A box has no counter that a host reads."""

    def _sense(self, event: SensedEvent, at: Moment) -> None:
        if isinstance(event, TileDrawn | DealEnded):
            self._box.sense(event, at)
            self._note(at, sensed_line(event))
        else:
            self._machine.report(event, at)

    def _reboot(self, at: Moment) -> None:
        self._note(at, {"box": "rebooted"})
        self._time, self._box = self._started(at)

    def _started(self, at: Moment) -> tuple[DeviceTime, Box]:
        time = DeviceTime(self._kit.boots(), at)
        return time, Box(self._kit.model, self._machine, time, self._kit.times)

    def _see_host(self, now: Moment) -> None:
        if self._followed == self._box.armed:
            return
        self._followed = self._box.armed
        self._note(now, {"host": "follows" if self._followed else "is gone"})
        if not self._began:
            self._began = True
            self._play.begin(now + self._kit.times.settled)

    def _note(self, at: Moment, line: LogLine) -> None:
        self._log.append({"device_us": (at - self._time.started) // MICROSECOND} | line)
