"""Frames of Modbus on the two kinds of wire, as bytes and nothing else.

Written from the specifications and not from a codec of the drivers, so that each proves the other.

Layout:
    RTU: unit (1), function and data, CRC-16 with the low byte first. Silence ends a frame.
    TCP: transaction (2), protocol 0 (2), length of what follows (2), unit (1), function and data.

Source: Modbus over Serial Line V1.02, sections 2.5.1 and 6.2.2; Modbus Messaging on TCP/IP V1.0b,
section 3.1.
"""

from dataclasses import dataclass

SMALLEST_FRAME = 4
"""Unit, function, check."""
LARGEST_PDU = 253
HEADER = 7
SHORTEST_CALL = 2
"""Unit and function."""


def crc(frame: bytes) -> bytes:
    """Return the check of an RTU frame as it goes over the wire."""
    check = 0xFFFF
    for byte in frame:
        check ^= byte
        for _ in range(8):
            check = check >> 1 ^ (0xA001 if check & 1 else 0)
    return check.to_bytes(2, "little")


def rtu_frame(unit: int, pdu: bytes) -> bytes:
    """Return function and data as they go over a serial line."""
    frame = bytes([unit]) + pdu
    return frame + crc(frame)


def read_rtu(frame: bytes) -> tuple[int, bytes] | None:
    """Return unit and PDU of what came between two silences, None where it is no frame."""
    if not SMALLEST_FRAME <= len(frame) <= LARGEST_PDU + 3 or crc(frame[:-2]) != frame[-2:]:
        return None
    return frame[0], frame[1:-2]


@dataclass(frozen=True, slots=True)
class Call:
    """One request over TCP."""

    transaction: int
    unit: int
    pdu: bytes

    def reply(self, unit: int, pdu: bytes) -> bytes:
        """Return the reply as it goes over the wire."""
        length = (len(pdu) + 1).to_bytes(2, "big")
        return self.transaction.to_bytes(2, "big") + bytes(2) + length + bytes([unit]) + pdu


class TcpEar:
    """Cuts a stream into requests; after bytes that are no Modbus it hears nothing more."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self.broken = False
        """Whether bytes came that are no Modbus; a server hangs up then."""

    def feed(self, chunk: bytes) -> list[Call]:
        """Take bytes as they came and return the requests that are complete."""
        self._kept += chunk
        calls = []
        while not self.broken and (call := self._cut()):
            calls.append(call)
        return calls

    def _cut(self) -> Call | None:
        if len(self._kept) < HEADER:
            return None
        header, length = self._kept[:HEADER], int.from_bytes(self._kept[4:6], "big")
        self.broken = header[2:4] != bytes(2) or not SHORTEST_CALL <= length <= LARGEST_PDU + 1
        if self.broken or len(self._kept) < HEADER - 1 + length:
            return None
        pdu = bytes(self._kept[HEADER : HEADER - 1 + length])
        del self._kept[: HEADER - 1 + length]
        return Call(int.from_bytes(header[:2], "big"), header[6], pdu)
