"""Cuts a byte stream into frames, and makes bytes of a frame.

Layout (docs/table-link.md, "Frames"): COBS of header, payload and check, then one zero byte.
All numbers are little-endian.

    offset  width  header
    0       1      version (top two bits, now 1) and kind (low six bits)
    1       1      address, 0 point to point
    2       1      flags
    3       2      seq
    5       2      ack
    7       4      device time, ms since boot, modulo 2**32
    11      n      payload, at most 111 bytes
    11+n    4      CRC-32 (as in zlib) of everything before it
"""

from dataclasses import dataclass
from enum import StrEnum
from struct import Struct
from typing import TypeAlias
from zlib import crc32

from drivers.table_link.codes import Flag
from table.errors import FrameError

VERSION = 1
MOST_ON_WIRE = 128
"""Bytes of the longest frame, its zero included."""
_MOST_STUFFED = MOST_ON_WIRE - 1
_HEADER = Struct("<BBBHHI")
_CHECK = Struct("<I")
_LEAST_PLAIN = _HEADER.size + _CHECK.size
MOST_PAYLOAD = MOST_ON_WIRE - 2 - _LEAST_PLAIN
LAST_SEQ = 0xFFFF
"""Sequence numbers run 1 … 65535 and begin at 1 again; 0 says "none"."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame as it stands on the wire; `kind` may be a number nobody knows."""

    kind: int
    payload: bytes = b""
    seq: int = 0
    ack: int = 0
    time: int = 0
    """Device time in ms, 0 from a host."""
    flags: int = Flag.NONE
    address: int = 0


class Harm(StrEnum):
    """What is wrong with bytes that are no frame, or with a frame that is no message."""

    OVERLONG = "overlong"
    STUFFING = "stuffing"
    SHORT = "short"
    CHECK = "check"
    VERSION = "version"
    KIND = "kind"
    """A sound frame of a kind we do not know."""
    PAYLOAD = "payload"
    """A sound frame whose payload does not fit its kind."""


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes that had to be dropped, and why; at most one frame's worth is kept."""

    harm: Harm
    raw: bytes


Arrival: TypeAlias = Frame | Damage


def following(seq: int) -> int:
    """Return the sequence number after this one."""
    return seq % LAST_SEQ + 1


def steps(first: int, second: int) -> int:
    """Count how far the second sequence number is ahead of the first, 0 to 65534."""
    return (second - first) % LAST_SEQ


def is_from(first: int, seq: int) -> bool:
    """Say whether a sequence number is the first one or comes after it, on the nearer way round."""
    return steps(first, seq) <= LAST_SEQ // 2


def encode(frame: Frame) -> bytes:
    """Return the bytes of a frame with its closing zero.

    Raises:
        FrameError: the payload is too long.
    """
    if len(frame.payload) > MOST_PAYLOAD:
        msg = f"a payload has at most {MOST_PAYLOAD} bytes, this one {len(frame.payload)}"
        raise FrameError(msg)
    head = _HEADER.pack(
        VERSION << 6 | frame.kind, frame.address, frame.flags, frame.seq, frame.ack, frame.time
    )
    plain = head + frame.payload
    return stuff(plain + _CHECK.pack(crc32(plain)))


def stuff(plain: bytes) -> bytes:
    """Return the COBS form of at most 253 bytes, closed by its zero."""
    out = bytearray(1) + plain + b"\0"
    zero = len(out) - 1
    while zero:
        before = out.rfind(0, 0, zero)
        out[before] = zero - before
        zero = before
    return bytes(out)


def unstuff(stuffed: bytes) -> bytes | None:
    """Return the bytes before COBS, without the closing zero; None where they are no COBS."""
    out = bytearray(stuffed)
    at, end = 0, len(out)
    while at < end:
        step = out[at]
        out[at] = 0
        at += step
    return bytes(out[1:]) if at == end else None


def _read(stuffed: bytes) -> Arrival:
    plain = unstuff(stuffed)
    if plain is None:
        return Damage(Harm.STUFFING, stuffed)
    if len(plain) < _LEAST_PLAIN:
        return Damage(Harm.SHORT, stuffed)
    if crc32(plain[:-4]) != _CHECK.unpack_from(plain, len(plain) - 4)[0]:
        return Damage(Harm.CHECK, stuffed)
    first, address, flags, seq, ack, time = _HEADER.unpack_from(plain)
    if first >> 6 != VERSION:
        return Damage(Harm.VERSION, stuffed)
    return Frame(first & 0x3F, plain[_HEADER.size : -4], seq, ack, time, flags, address)


class Deframer:
    """Cuts frames out of a stream; what comes out does not depend on how the stream is cut."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> list[Arrival]:
        """Take the next bytes and return what they complete, frames and damage in order.

        Zeros with nothing between them are idle line and say nothing.
        """
        *whole, rest = (self._rest + chunk).split(b"\0")
        # One byte over the longest frame is kept: it marks the piece as overlong at its zero.
        self._rest = rest[: _MOST_STUFFED + 1]
        return [self._arrival(piece) for piece in whole if piece]

    def _arrival(self, piece: bytes) -> Arrival:
        if len(piece) > _MOST_STUFFED:
            return Damage(Harm.OVERLONG, piece[:_MOST_STUFFED])
        return _read(piece)
