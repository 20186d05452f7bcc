"""Tables of modules in real time: their bytes on ports, their log in a file, one timer."""

import asyncio
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Protocol, TextIO

from simulator.clock import ScaledClock
from simulator.log_lines import LogLine
from simulator.modbus_far_ends import FarEnd, Talk
from simulator.modbus_fittings import BUS
from simulator.modbus_kits import Wire
from simulator.modbus_ports import LinePort, LoopbackPort, ModulePort
from table.moment import Moment


class Wired(Protocol):
    """One table with its ports, or several that share one."""

    ends: Mapping[str, FarEnd]

    @property
    def plugged_in(self) -> bool:
        """Whether the ports can be reached."""

    def hear(self, end: str, talk: Talk, chunk: bytes, now: Moment) -> None:
        """Take bytes from a host."""

    def transmit(self, end: str, now: Moment) -> list[tuple[Talk, bytes]]:
        """Return the bytes that have left a port by now."""

    def wake_at(self) -> Moment | None:
        """Say when something happens or leaves next."""

    def pass_time(self, now: Moment) -> None:
        """Do and let happen everything that is due, in order."""

    def take_log(self) -> list[LogLine]:
        """Hand over what is to be logged since this was last asked."""


class LiveModules:
    """Keeps what stands behind its ports going from `open` to `close`."""

    def __init__(
        self, name: str, table: Wired, wire: Wire, folder: Path, clock: ScaledClock
    ) -> None:
        self._table = table
        self._clock = clock
        self._log_path = folder / f"{name}.log.jsonl"
        self._ports: dict[str, ModulePort] = {
            end: self._port(end, wire, folder / name) for end in table.ends
        }
        self._timer: asyncio.TimerHandle | None = None
        self._log: TextIO | None = None

    @property
    def ports(self) -> list[str]:
        """What a host is told of each port: the module where it has its own, and where it is."""
        return [where if end == BUS else f"{end} {where}" for end, where in self.places.items()]

    @property
    def places(self) -> dict[str, str]:
        """Where each port is, by its end."""
        return {end: port.where for end, port in self._ports.items()}

    def open(self) -> None:
        """Plug the table in.

        Raises:
            SettingsError: something stands at the path of its port.
        """
        # Line by line, so that a reader of the log sees each line as it is written.
        self._log = self._log_path.open("a", encoding="utf-8", buffering=1)
        self._turn()

    def close(self) -> None:
        """Unplug the table and end its log."""
        if self._timer:
            self._timer.cancel()
        for port in self._ports.values():
            port.plug_out()
        if self._log:
            self._log.close()

    def _port(self, end: str, wire: Wire, link: Path) -> ModulePort:
        hear = partial(self._hear, end)
        if wire is Wire.RTU:
            return LinePort(link, hear)
        return LoopbackPort(hear, partial(self._gone, end))

    def _hear(self, end: str, talk: Talk, chunk: bytes) -> None:
        self._table.hear(end, talk, chunk, self._clock.now())
        if self._table.ends[end].broken(talk):
            self._ports[end].hang_up(talk)
            self._gone(end, talk)
        self._turn()

    def _gone(self, end: str, talk: Talk) -> None:
        self._table.ends[end].hang_up(talk)

    def _turn(self) -> None:
        now = self._clock.now()
        self._table.pass_time(now)
        self._follow_cables()
        for end, port in self._ports.items():
            for talk, data in self._table.transmit(end, now):
                port.send(talk, data)
        self._wake()
        # The log comes last: a full disk must not end the play.
        if self._log:
            self._log.writelines(json.dumps(line) + "\n" for line in self._table.take_log())

    def _follow_cables(self) -> None:
        for port in self._ports.values():
            if self._table.plugged_in and not port.plugged_in:
                port.plug_in()
            elif not self._table.plugged_in and port.plugged_in:
                port.plug_out()

    def _wake(self) -> None:
        if self._timer:
            self._timer.cancel()
        if moment := self._table.wake_at():
            wait = self._clock.wait(moment)
            self._timer = asyncio.get_running_loop().call_later(wait, self._turn)
