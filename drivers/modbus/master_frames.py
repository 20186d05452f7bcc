"""Frames around function and data, and finding them again in whatever a line delivers.

Layout:
    RTU: unit (1), function and data, CRC-16 (2, low byte first). The length follows from the
    function, so damage is searched for the one answer that is awaited, and for nothing else.

    TCP: transaction (2), protocol 0 (2), length of what follows (2), unit (1), function and data.

The CRC and both headers are pymodbus' own; its decoders are not used, because they take a frame of
the right unit for the answer whatever its function and length are.
"""

from collections.abc import Iterator
from typing import Protocol, TypeAlias

from pymodbus.framer import FramerRTU, FramerSocket
from pymodbus.pdu import DecodePDU

from drivers.modbus.lines import FrameKind
from drivers.modbus.master_answers import EXCEPTION, Trouble

Heard: TypeAlias = tuple[int, bytes] | Trouble
"""Unit, and function with data, of a sound frame; or what was found instead of one."""

_RTU_MOST = 256
_RTU_AROUND = 3
"""Unit and CRC."""
_READS = {1, 2, 3, 4}
_ECHOED = {5, 6, 15, 16}
_TCP_HEAD = 7
_TCP_LEAST, _TCP_MOST = 2, 254
"""What the length of a TCP frame can be."""
_TRANSACTIONS = 2**16
_DECODER = DecodePDU(is_server=False)


class Frames(Protocol):
    """How one line carries requests and answers."""

    def ask(self, unit: int, payload: bytes, answer_bytes: int) -> bytes:
        """Return the frame of a request, and forget whatever came before."""

    def hear(self, chunk: bytes) -> Iterator[Heard]:
        """Take bytes; yield what they make up."""

    @property
    def rest(self) -> Trouble | None:
        """What bytes are that nothing was made of yet; None if there are none."""


def frames(kind: FrameKind) -> Frames:
    """Return the frames of a line."""
    return RtuFrames() if kind is FrameKind.RTU else TcpFrames()


class RtuFrames:
    """Frames that are told apart by their length and their CRC.

    Some adapters hear what they send themselves. The echo of a single write is its answer to the
    bit, so an adapter that echoed a read once must echo a write before it is believed.
    """

    def __init__(self) -> None:
        self._framer = FramerRTU(_DECODER)
        self._echo = b""
        self._echoes = False
        self._heard = b""
        self._unit = self._function = 0
        self._size = _RTU_MOST

    def ask(self, unit: int, payload: bytes, answer_bytes: int) -> bytes:
        """Return the frame of a request, and forget whatever came before."""
        self._heard = b""
        self._unit, self._function = unit, payload[0]
        self._size = answer_bytes + _RTU_AROUND
        asked = self._framer.encode(payload, unit, 0)
        self._echo = asked if self._echoes or self._function in _READS else b""
        return asked

    @property
    def rest(self) -> Trouble | None:
        """What bytes are that nothing was made of yet; None if there are none."""
        if len(self._heard) >= self._size:
            return Trouble.DAMAGED
        return Trouble.CUT_SHORT if self._heard else None

    def hear(self, chunk: bytes) -> Iterator[Heard]:
        """Take bytes; yield what they make up."""
        self._heard += chunk
        if self._echo and self._heard.startswith(self._echo):
            self._heard, self._echo = self._heard[len(self._echo) :], b""
            self._echoes = True
            yield Trouble.ECHO
        while found := self._find():
            start, end = found
            frame, self._heard = self._heard[start:end], self._heard[end:]
            if start:
                yield Trouble.DAMAGED
            yield frame[0], frame[1:-2]
        if len(self._heard) > _RTU_MOST:
            self._heard = b""
            yield Trouble.DAMAGED

    def _find(self) -> tuple[int, int] | None:
        """Return where a sound frame lies: any at the front, behind damage only the awaited one."""
        for start in range(len(self._heard) - _RTU_AROUND):
            end = start + (self._awaited(start) if start else _size(self._heard))
            if start < end <= len(self._heard) and self._sound(start, end):
                return start, end
        return None

    def _awaited(self, start: int) -> int:
        unit, function = self._heard[start], self._heard[start + 1]
        if unit != self._unit or function & ~EXCEPTION != self._function:
            return 0
        return 2 + _RTU_AROUND if function & EXCEPTION else self._size

    def _sound(self, start: int, end: int) -> bool:
        return sound(self._heard[start:end])


def sound(frame: bytes) -> bool:
    """Say whether the last two bytes are the CRC of those before."""
    return FramerRTU.check_CRC(frame[:-2], int.from_bytes(frame[-2:], "big"))


def _size(heard: bytes) -> int:
    """Return how long the frame at the front says it is; 0 if no function tells."""
    function = heard[1]
    if function & EXCEPTION:
        return 2 + _RTU_AROUND
    if function in _READS:
        return 2 + heard[2] + _RTU_AROUND
    return 5 + _RTU_AROUND if function in _ECHOED else 0


class TcpFrames:
    """Frames that carry their length, and the number of the request they answer."""

    def __init__(self) -> None:
        self._framer = FramerSocket(_DECODER)
        self._heard = b""
        self._transaction = 0

    def ask(self, unit: int, payload: bytes, answer_bytes: int) -> bytes:  # noqa: ARG002 - frames of this kind carry it
        """Return the frame of a request; what it does not number is late from now on."""
        self._transaction = (self._transaction + 1) % _TRANSACTIONS
        return self._framer.encode(payload, unit, self._transaction)

    @property
    def rest(self) -> Trouble | None:
        """What bytes are that nothing was made of yet; None if there are none."""
        return Trouble.CUT_SHORT if self._heard else None

    def hear(self, chunk: bytes) -> Iterator[Heard]:
        """Take bytes; yield what they make up."""
        self._heard += chunk
        while len(self._heard) >= _TCP_HEAD:
            size = int.from_bytes(self._heard[4:6], "big")
            if any(self._heard[2:4]) or not _TCP_LEAST <= size <= _TCP_MOST:
                self._heard = b""
                yield Trouble.DAMAGED
                return
            if len(self._heard) < (end := 6 + size):
                return
            frame, self._heard = self._heard[:end], self._heard[end:]
            current = int.from_bytes(frame[:2], "big") == self._transaction
            yield (frame[6], frame[_TCP_HEAD:]) if current else Trouble.LATE
