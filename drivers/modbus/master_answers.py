"""How a device answers a request, and every way in which it can fail to.

Replies and exception codes: Modbus Application Protocol Specification V1.1b3, sections 6 and 7.
"""

import struct
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from drivers.modbus.requests import COILS, REGISTERS, Read, Request, Write
from drivers.modbus.windows import Window

EXCEPTION = 0x80
"""Bit of the function code that marks an exception reply."""
_ECHO_BYTES = 5
"""Function, address, and value or count: what every write is answered with."""
_REFUSAL_BYTES = 2
_REASONS = {
    0x01: "it does not know this function",
    0x02: "it has nothing at this address",
    0x03: "it does not take this value",
    0x04: "it failed in carrying it out",
    0x05: "it takes the request and needs more time",
    0x06: "it is busy",
    0x07: "it cannot carry it out",
    0x08: "its memory has a parity error",
    0x0A: "the gateway has no path to it",
    0x0B: "the gateway got no answer from it",
}
_GATEWAY = {0x0A, 0x0B}


class Trouble(StrEnum):
    """What came instead of an answer, in words that complete "unit 3: ..."."""

    SILENT = "no answer in time"
    CUT_SHORT = "an answer that was cut short"
    DAMAGED = "bytes that are no sound frame"
    STRANGER = "a frame of another unit"
    OTHER_FUNCTION = "an answer to another function"
    OTHER_SHAPE = "an answer for another address or of another size"
    ECHO = "our own request, as an adapter heard it"
    LATE = "a frame nobody waited for"
    UNSURE = "an answer that may be that to an earlier request"
    LINE_LOST = "the line was lost before an answer came"


@dataclass(frozen=True, slots=True)
class Replied:
    """The device did it; a read has its values, bits as 0 and 1."""

    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """An exception reply: nothing was done."""

    code: int

    @property
    def reason(self) -> str:
        """The code in words."""
        said = _REASONS.get(self.code, "it gives no reason that the specification knows")
        return f"{said} (exception {self.code:#04x})"

    @property
    def by_gateway(self) -> bool:
        """Whether a gateway says it for a device that it cannot reach."""
        return self.code in _GATEWAY


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Nothing that can be believed came in time; a write may or may not have been obeyed."""

    trouble: Trouble

    @property
    def reason(self) -> str:
        """What came instead, in words."""
        return str(self.trouble)


Answer: TypeAlias = Replied | Refused | Unanswered


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request that was sent, and what became of it."""

    request: Request
    window: Window
    """From just before it was sent until the answer was read, or waiting was given up.

    That of a read that was answered is narrowed to when the device can have looked.
    """
    answer: Answer
    troubles: tuple[Trouble, ...] = ()
    """What else came while it was waited for."""


def payload(request: Request) -> bytes:
    """Return function and data of a request."""
    match request:
        case Read(function, address, count):
            return struct.pack(">BHH", function, address, count)
        case Write(function, address, values) if function == COILS:
            packed = sum(bool(bit) << place for place, bit in enumerate(values))
            size = (len(values) + 7) // 8
            head = struct.pack(">BHHB", function, address, len(values), size)
            return head + packed.to_bytes(size, "little")
        case Write(function, address, values) if function == REGISTERS:
            head = struct.pack(">BHHB", function, address, len(values), 2 * len(values))
            return head + struct.pack(f">{len(values)}H", *values)
        case Write(function, address, values):
            return struct.pack(">BHH", function, address, values[0])


def answer_bytes(request: Request) -> int:
    """Return how long function and data of its answer are."""
    if isinstance(request, Write):
        return _ECHO_BYTES
    return 2 + (-(-request.count // 8) if request.of_bits else 2 * request.count)


def judge(request: Request, heard: bytes) -> Answer | Trouble:
    """Say whether function and data that the right unit sent answer a request."""
    function = request.function
    if heard[0] == function | EXCEPTION:
        return Refused(heard[1]) if len(heard) == _REFUSAL_BYTES else Trouble.OTHER_SHAPE
    if heard[0] != function:
        return Trouble.OTHER_FUNCTION
    if isinstance(request, Write):
        return Replied() if heard == payload(request)[:_ECHO_BYTES] else Trouble.OTHER_SHAPE
    if len(heard) != answer_bytes(request) or heard[1] != len(heard) - 2:
        return Trouble.OTHER_SHAPE
    if request.of_bits:
        packed = int.from_bytes(heard[2:], "little")
        return Replied(tuple(packed >> place & 1 for place in range(request.count)))
    return Replied(struct.unpack(f">{request.count}H", heard[2:]))
