"""The lines a bus can run on: RTU on a serial port, Modbus TCP, and RTU through a TCP gateway."""

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, auto
from typing import Literal

from config.buses import Bus
from drivers.port import Now
from drivers.serial_line import PLAIN, Character, Receiver, SerialLine, open_line

_GAP_CHARACTERS = 3.5
_FAST_BAUDRATE = 19200
_FAST_GAP_SECONDS = 0.00175
"""Silence between two frames (Modbus over Serial Line V1.02, section 2.5.1.1)."""
_FASTEST = 0.94
"""A byte that is 1/18 shorter than the other end expects has its last bit read wrong.

House choice, ADR 36: no line is faster than that against the rate it is set to.
"""
_SOCKET = "socket://"
PARITIES: dict[str, Literal["N", "E", "O"]] = {"none": "N", "even": "E", "odd": "O"}
"""By the word of the configuration."""


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

    def surely_takes(self, characters: int) -> timedelta:
        """Return how long so many bytes in a row are on the wire at least.

        No time at all where nothing binds them to the baud rate: that of a gateway is only what
        somebody wrote down, while a port of ours at the wrong rate understands nobody. Of the stop
        bits only the first is sure, and the last byte is whole before it is over.
        """
        if self.frames is FrameKind.TCP or "://" in self.url or not self.baudrate:
            return timedelta(0)
        bits = characters * (self.character.bits - self.character.stop_bits + 1) - 1
        return timedelta(microseconds=int(bits * _FASTEST * 1_000_000 / self.baudrate))

    async def open(self, now: Now, receiver: Receiver) -> SerialLine:
        """Open it and start to deliver.

        Raises:
            LinkUnavailable: the port is absent, busy, no serial port, or not reachable.
        """
        return await open_line(self.url, self.baudrate or 0, now, receiver, self.character)


def line_of(bus: Bus) -> BusLine:
    """Return the line that a configuration describes."""
    character = Character(PARITIES[bus.parity], bus.stop_bits)
    if bus.host is None:
        return BusLine.rtu(bus.port, bus.baudrate or 0, character)
    if bus.serial:
        return replace(BusLine.rtu_over_tcp(*bus.host, bus.baudrate or 0), character=character)
    return BusLine.tcp(*bus.host)
