"""Frames of a Modbus line in words, as `tablewarden wire` and the log show them."""

import struct
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from drivers.modbus.lines import FrameKind
from drivers.modbus.master_answers import Refused, Replied, judge
from drivers.modbus.master_frames import sound
from drivers.modbus.requests import BIT_READS, COILS, REGISTERS, SINGLE_COIL, Read, Request, Write
from drivers.recorder import SENT, Noted

_NAMES = {
    1: "read coils",
    2: "read discrete inputs",
    3: "read holding registers",
    4: "read input registers",
    5: "write coil",
    6: "write register",
    15: "write coils",
    16: "write registers",
}
_TCP_HEAD = 7
_RTU_LEAST = 4
_WRITE_HEAD = 6
_SHOWN_BYTES = 24


def words_of(kind: FrameKind) -> Callable[[Iterable[Noted]], Iterator[str]]:
    """Return what says the frames of a kind of line in words; all are noted as bytes."""
    return partial(_words, kind)


def _words(kind: FrameKind, noted: Iterable[Noted]) -> Iterator[str]:
    asked, unit, request = b"", 0, None
    for one in noted:
        raw = bytes(one.what) if isinstance(one.what, bytes | bytearray) else b""
        if one.way == SENT:
            asked, (unit, said) = raw, _cut(kind, raw) or (0, b"")
            request = _request(said) if said else None
            yield f"unit {unit}: {_asked(request)}" if request else f"bytes {_hex(raw)}"
        else:
            yield _answered(kind, raw.removeprefix(asked) or raw, unit, request)


def _answered(kind: FrameKind, raw: bytes, unit: int, request: Request | None) -> str:
    frame = _cut(kind, raw)
    if frame is None:
        return f"no sound frame: {_hex(raw)}"
    if request is None or frame[0] != unit:
        return f"unit {frame[0]}, whom nobody asked: {_hex(frame[1])}"
    answer = judge(request, frame[1])
    if isinstance(answer, Refused):
        return f"unit {unit}: refuses, {answer.reason}"
    if not isinstance(answer, Replied):
        return f"unit {unit}: {answer}: {_hex(frame[1])}"
    if isinstance(request, Write):
        return f"unit {unit}: done"
    return f"unit {unit}: {_numbers(request.function, answer.values)}"


def _cut(kind: FrameKind, raw: bytes) -> tuple[int, bytes] | None:
    """Return unit, and function with data, of the one sound frame that bytes are."""
    if kind is FrameKind.TCP:
        whole = len(raw) > _TCP_HEAD and int.from_bytes(raw[4:6], "big") == len(raw) - 6
        return (raw[6], raw[_TCP_HEAD:]) if whole else None
    return (raw[0], raw[1:-2]) if len(raw) > _RTU_LEAST and sound(raw) else None


def _request(said: bytes) -> Request | None:
    """Return the request that function and data are; None for one that we never make."""
    function, address, number = struct.unpack_from(">BHH", said)
    if function not in _NAMES:
        return None
    if function == COILS:
        packed = int.from_bytes(said[_WRITE_HEAD:], "little")
        return Write(function, address, tuple(packed >> bit & 1 for bit in range(number)))
    if function == REGISTERS:
        return Write(function, address, struct.unpack_from(f">{number}H", said, _WRITE_HEAD))
    return (
        Read(function, address, number)
        if function < SINGLE_COIL
        else Write(function, address, (number,))
    )


def _asked(request: Request) -> str:
    name = _NAMES[request.function]
    if isinstance(request, Read):
        last = f" to {request.end - 1}" if request.count > 1 else ""
        return f"{name} {request.address}{last}"
    return f"{name} {request.address}: {_numbers(request.function, request.values)}"


def _numbers(function: int, values: Iterable[int]) -> str:
    bits = function in BIT_READS or function == COILS
    return " ".join(str(one) if bits else f"{one:04x}" for one in values)


def _hex(raw: bytes) -> str:
    return raw[:_SHOWN_BYTES].hex(" ") + (" ..." if len(raw) > _SHOWN_BYTES else "")
