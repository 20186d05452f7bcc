"""A serial port of the fault run: a driver on one end, a box on the other, a cable between."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from drivers.port import Now
from drivers.serial_line import Receiver
from drivers.table_link import talk
from table.errors import LinkLost, LinkUnavailable
from tests.drivers.fault_run.box import KnownTable
from tests.drivers.fault_run.cable import Way
from tests.drivers.fault_run.virtual_time import now, seconds_until


class BoxPort:
    """A port whose other end is a box; drives its table as time passes."""

    def __init__(self, name: str, table: KnownTable, to_box: Way, to_host: Way) -> None:
        self.name = name
        self._table = table
        self._to_box = to_box
        self._to_host = to_host
        self._line: _Line | None = None
        self._timer: asyncio.TimerHandle | None = None

    def open(self, receiver: Receiver) -> "_Line":
        """Open it.

        Raises:
            LinkUnavailable: the cable is out.
        """
        if not self._table.wire_whole:
            msg = f"port {self.name} cannot be opened: no such device"
            raise LinkUnavailable(msg)
        assert self._line is None, "opened twice"
        self._line = _Line(self, receiver)
        return self._line

    def turn(self) -> None:
        """Let the table do what is due, and wake when more is."""
        at = now()
        self._table.pass_time(at)
        if not self._table.wire_whole:
            self._hang_up()
        if leaving := self._table.transmit(at):
            self._carry(self._to_host, leaving, self._arrive)
        self._table.take_log()
        if self._timer:
            self._timer.cancel()
        wait = seconds_until(self._table.wake_at(at))
        self._timer = asyncio.get_running_loop().call_later(wait, self.turn)

    def say(self, chunk: bytes) -> None:
        """Take bytes of the host."""
        self._carry(self._to_box, chunk, self._hear)

    def holds(self, line: "_Line") -> bool:
        """Say whether a line is the open one."""
        return line is self._line

    def closed(self) -> None:
        """Learn that the host gave the port back."""
        self._line = None

    def _carry(self, way: Way, chunk: bytes, deliver: "Callable[[_Line, bytes], None]") -> None:
        if self._line is None:
            return
        for moment, arriving in way.carry(chunk, now()):
            arrive = partial(deliver, self._line, arriving)
            asyncio.get_running_loop().call_later(seconds_until(moment), arrive)

    def _arrive(self, line: "_Line", chunk: bytes) -> None:
        if line is self._line:
            line.receiver.arrived(chunk, now())

    def _hear(self, line: "_Line", chunk: bytes) -> None:
        if line is self._line:
            self._table.hear(chunk, now())
            self.turn()

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line:
            line.receiver.lost(LinkLost(f"port {self.name} is lost: the device is gone"))


class _Line:
    """Obeys `drivers.serial_line.SerialLine`."""

    def __init__(self, port: BoxPort, receiver: Receiver) -> None:
        self._port = port
        self.receiver = receiver

    def write(self, chunk: bytes) -> None:
        if self._port.holds(self):
            self._port.say(chunk)

    async def close(self) -> None:
        if self._port.holds(self):
            self._port.closed()


@contextmanager
def plugged(port: BoxPort) -> Iterator[None]:
    """Have drivers of the link find this port and no other."""

    async def open_line(
        name: str, _baudrate: int, _now: Now, receiver: Receiver, *_: object
    ) -> _Line:
        assert name == port.name
        return port.open(receiver)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(talk, "open_line", open_line)
        yield
