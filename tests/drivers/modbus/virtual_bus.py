"""A bus in virtual time: what is written to it is answered as slowly as a real one would."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from drivers.modbus.lines import BusLine, FrameKind
from drivers.port import Now
from drivers.serial_line import Receiver
from table.errors import LinkLost, LinkUnavailable
from tests.drivers.modbus.paced_bus import reply_to


@dataclass
class Module:
    """One device.

    Attributes:
        thinks_seconds: from the end of a request to the beginning of the answer.
        answer: makes the bytes of the answer; none for silence.
    """

    thinks_seconds: float = 0.001
    answer: Callable[[bytes], bytes] = reply_to


def silence(_request: bytes) -> bytes:
    """Answer nothing."""
    return b""


@dataclass
class FarEnd:
    """Obeys `drivers.serial_line.SerialLine`; the other side of it are modules.

    Attributes:
        heard: when each request began to leave, and its bytes.
        said: when each answer had arrived.
    """

    modules: dict[int, Module]
    baudrate: int = 115200
    heard: list[tuple[float, bytes]] = field(default_factory=list)
    said: list[float] = field(default_factory=list)
    refuses: str = ""
    receiver: Receiver | None = None
    opened: int = 0
    closed: int = 0
    now: Now | None = None

    def write(self, chunk: bytes) -> None:
        loop = asyncio.get_running_loop()
        self.heard.append((loop.time(), chunk))
        module = self.modules.get(chunk[0])
        said = module.answer(chunk) if module else b""
        if module and said:
            wire = (len(chunk) + len(said)) * 10 / self.baudrate
            loop.call_later(wire + module.thinks_seconds, self.say, said)

    def say(self, chunk: bytes) -> None:
        """Have bytes arrive."""
        self.said.append(asyncio.get_running_loop().time())
        if self.receiver and self.now:
            self.receiver.arrived(chunk, self.now())

    def unplug(self) -> None:
        """Lose the line."""
        if self.receiver:
            self.receiver.lost(LinkLost("port far is lost: the device is gone"))

    async def close(self) -> None:
        self.closed += 1
        self.receiver = None

    def asked(self, unit: int) -> list[float]:
        """Return when a unit was asked."""
        return [at for at, frame in self.heard if frame[0] == unit]


@dataclass(frozen=True, slots=True)
class VirtualLine(BusLine):
    """A line to a far end of ours."""

    far: FarEnd | None = None

    async def open(self, now: Now, receiver: Receiver) -> FarEnd:
        assert self.far
        if self.far.refuses:
            raise LinkUnavailable(self.far.refuses)
        assert self.far.receiver is None, "opened twice"
        self.far.opened += 1
        self.far.receiver, self.far.now = receiver, now
        return self.far


def virtual_line(far: FarEnd) -> VirtualLine:
    """Return a serial line to modules."""
    return VirtualLine("far", FrameKind.RTU, far.baudrate, far=far)
