"""The ports of simulated modules in virtual time: a bus of the driver on one end of each."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from drivers.modbus.lines import BusLine, FrameKind
from drivers.port import Now
from drivers.serial_line import Receiver
from simulator.modbus_kits import ModuleKit, Wire
from simulator.modbus_table import ModuleTable
from table.errors import LinkLost, LinkUnavailable
from tests.drivers.fault_run.virtual_time import now, seconds_until


class ModulePorts:
    """Every port of one table; drives it as time passes."""

    def __init__(self, table: ModuleTable) -> None:
        self._table = table
        self._talks = count(1)
        self._lines: dict[str, _Line] = {}
        self._timer: asyncio.TimerHandle | None = None

    def open(self, end: str, receiver: Receiver) -> "_Line":
        """Open a port.

        Raises:
            LinkUnavailable: it cannot be reached now.
        """
        self._table.pass_time(now())
        if not self._table.plugged_in:
            msg = f"port {end} cannot be opened: no such device"
            raise LinkUnavailable(msg)
        assert end not in self._lines, "opened twice"
        line = self._lines[end] = _Line(self, end, next(self._talks), receiver)
        self.turn()
        return line

    def say(self, line: "_Line", chunk: bytes) -> None:
        """Take bytes of the host."""
        if self._lines.get(line.end) is line:
            self._table.hear(line.end, line.talk, chunk, now())
            self._wake()

    def close(self, line: "_Line") -> None:
        """Learn that the host gave a port back."""
        if self._lines.get(line.end) is line:
            del self._lines[line.end]
            self._table.ends[line.end].hang_up(line.talk)

    def turn(self) -> None:
        """Let the table do what is due, and wake when more is."""
        at = now()
        self._table.pass_time(at)
        if not self._table.plugged_in:
            self._hang_up()
        for end in self._table.ends:
            for talk, said in self._table.transmit(end, at):
                line = self._lines.get(end)
                if line and line.talk == talk:
                    line.receiver.arrived(said, at)
        self._table.take_log()
        self._wake()

    def _wake(self) -> None:
        if self._timer:
            self._timer.cancel()
        if moment := self._table.wake_at():
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(seconds_until(moment), self.turn)

    def _hang_up(self) -> None:
        lines, self._lines = self._lines, {}
        for end, line in lines.items():
            line.receiver.lost(LinkLost(f"port {end} is lost: the device is gone"))


@dataclass(eq=False)
class _Line:
    """Obeys `drivers.serial_line.SerialLine`."""

    ports: ModulePorts
    end: str
    talk: int
    receiver: Receiver

    def write(self, chunk: bytes) -> None:
        # Later, as a port does: what comes of it must not meet a driver that is still writing.
        asyncio.get_running_loop().call_soon(self.ports.say, self, chunk)

    async def close(self) -> None:
        self.ports.close(self)


@dataclass(frozen=True, slots=True)
class PortLine(BusLine):
    """The line of a bus that leads to a port of ours."""

    ports: ModulePorts | None = None
    end: str = ""

    async def open(self, now: Now, receiver: Receiver) -> _Line:  # noqa: ARG002 -- a line
        assert self.ports
        return self.ports.open(self.end, receiver)


def lines(ports: ModulePorts, table: ModuleTable, kit: ModuleKit, wire: Wire) -> Iterator[PortLine]:
    """Give how each port of a table is reached."""
    for end in table.ends:
        match wire:
            case Wire.TCP:
                yield PortLine(f"socket://{end}:502", FrameKind.TCP, None, ports=ports, end=end)
            case Wire.RTU_OVER_TCP:
                url = f"socket://{end}:4196"
                yield PortLine(url, FrameKind.RTU, kit.baud, ports=ports, end=end)
            case Wire.RTU:
                yield PortLine(end, FrameKind.RTU, kit.baud, ports=ports, end=end)
