"""The lines a bus can run on: RTU on a serial port, Modbus TCP, and RTU through a TCP gateway."""

from dataclasses import dataclass
from enum import Enum, auto

from drivers.port import Now
from drivers.serial_line import PLAIN, Character, Receiver, SerialLine, open_line

_GAP_CHARACTERS = 3.5
_FAST_BAUDRATE = 19200
_FAST_GAP_SECONDS = 0.00175
"""Silence between two frames (Modbus over Serial Line V1.02, section 2.5.1.1)."""
_SOCKET = "socket://"


class FrameKind(Enum):
    """What frames look like on a line."""

    RTU = auto()
    TCP = auto()


@dataclass(frozen=True, slots=True)
class BusLine:
    """Where a bus is reached, and how bytes travel on it."""

    url: str
    """Device path, or `socket://host:port`."""
    frames: FrameKind
    baudrate: int | None
    """Of the serial line, also of one behind a gateway; None where there is none."""
    character: Character = PLAIN

    @classmethod
    def rtu(cls, port: str, baudrate: int, character: Character = PLAIN) -> "BusLine":
        """Return a serial port."""
        return cls(port, FrameKind.RTU, baudrate, character)

    @classmethod
    def tcp(cls, host: str, port: int = 502) -> "BusLine":
        """Return a module on the network, or a gateway that speaks Modbus TCP."""
        return cls(f"{_SOCKET}{host}:{port}", FrameKind.TCP, None)

    @classmethod
    def rtu_over_tcp(cls, host: str, port: int, baudrate: int) -> "BusLine":
        """Return a gateway that hands bytes of a serial line through as they are."""
        return cls(f"{_SOCKET}{host}:{port}", FrameKind.RTU, baudrate)

    @property
    def name(self) -> str:
        """What people call it."""
        return self.url.removeprefix(_SOCKET)

    @property
    def on_network(self) -> bool:
        """Whether bytes come through a network, where a pause inside a frame means nothing."""
        return self.url.startswith(_SOCKET)

    @property
    def frame_gap_seconds(self) -> float:
        """Silence that ends a frame; none where frames carry their length."""
        if self.frames is FrameKind.TCP or self.baudrate is None:
            return 0
        if self.baudrate > _FAST_BAUDRATE:
            return _FAST_GAP_SECONDS
        return self.wire_seconds(1) * _GAP_CHARACTERS

    def wire_seconds(self, characters: int) -> float:
        """Return how long so many bytes are on the wire."""
        return characters * self.character.bits / self.baudrate if self.baudrate else 0

    async def open(self, now: Now, receiver: Receiver) -> SerialLine:
        """Open it and start to deliver.

        Raises:
            LinkUnavailable: the port is absent, busy, no serial port, or not reachable.
        """
        return await open_line(self.url, self.baudrate or 0, now, receiver, self.character)
