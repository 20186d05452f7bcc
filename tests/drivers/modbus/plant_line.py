"""A simulated table of modules on lines in virtual time: no port, no delay but that of the wire."""

import asyncio
from dataclasses import dataclass
from functools import partial

from drivers.modbus.lines import BusLine
from drivers.port import Now
from drivers.serial_line import Receiver
from simulator.modbus_table import ModuleTable
from table.moment import Moment


class VirtualPlant:
    """Carries the bytes of a table, whose time is that of the running loop.

    Args:
        table: the far end of all of its lines.
        now: reads the clock of the loop.
    """

    def __init__(self, table: ModuleTable, now: Now) -> None:
        self.table = table
        self._now = now
        self._receivers: dict[str, Receiver] = {}
        self._timer: asyncio.TimerHandle | None = None

    def hear(self, end: str, chunk: bytes) -> None:
        """Take bytes of a host."""
        self.table.hear(end, 0, chunk, self._now())
        self.turn()

    def turn(self) -> None:
        """Let happen what is due, deliver what has left, and come again."""
        now = self._now()
        self.table.pass_time(now)
        self.table.take_log()
        for end, receiver in self._receivers.items():
            for _, chunk in self.table.transmit(end, now):
                receiver.arrived(chunk, now)
        if self._timer:
            self._timer.cancel()
        if at := self.table.wake_at():
            self._timer = asyncio.get_running_loop().call_at(_seconds(at), self.turn)

    def line(self, like: BusLine, end: str) -> "PlantLine":
        """Return the line to one port of the table."""
        return PlantLine(like.url, like.frames, like.baudrate, like.character, self, end)

    def listen(self, end: str, receiver: Receiver) -> "OpenLine":
        """Open a line."""
        self._receivers[end] = receiver
        return OpenLine(self, end)

    def forget(self, end: str) -> None:
        """Close a line."""
        self._receivers.pop(end, None)


@dataclass(frozen=True)
class OpenLine:
    """Obeys `drivers.serial_line.SerialLine`."""

    plant: VirtualPlant
    end: str

    def write(self, chunk: bytes) -> None:
        asyncio.get_running_loop().call_soon(partial(self.plant.hear, self.end, chunk))

    async def close(self) -> None:
        self.plant.forget(self.end)


@dataclass(frozen=True, slots=True)
class PlantLine(BusLine):
    """A line to a virtual plant."""

    plant: VirtualPlant | None = None
    end: str = ""

    async def open(self, now: Now, receiver: Receiver) -> OpenLine:  # noqa: ARG002 - one clock
        assert self.plant
        return self.plant.listen(self.end, receiver)


def _seconds(at: Moment) -> float:
    return at.micros / 1e6
