"""Answers of a module to any request (Modbus Application Protocol V1.1b3, section 6)."""

from collections.abc import Iterable
from enum import IntEnum

from simulator.modbus_cells import Area, Bank, Refusal


class Function(IntEnum):
    """The functions our modules know."""

    READ_COILS = 0x01
    READ_DISCRETES = 0x02
    READ_HOLDINGS = 0x03
    READ_INPUTS = 0x04
    WRITE_COIL = 0x05
    WRITE_REGISTER = 0x06
    WRITE_COILS = 0x0F
    WRITE_REGISTERS = 0x10


READ = {
    Function.READ_COILS: (Area.COIL, 2000),
    Function.READ_DISCRETES: (Area.DISCRETE, 2000),
    Function.READ_HOLDINGS: (Area.HOLDING, 125),
    Function.READ_INPUTS: (Area.INPUT, 125),
}
"""Area and the most cells in one request."""
MOST_COILS_WRITTEN = 1968
MOST_REGISTERS_WRITTEN = 123
REFUSED = 0x80


def refused(function: int, code: Refusal) -> bytes:
    """Return the exception reply to a function."""
    return bytes([function | REFUSED, code])


def answer(pdu: bytes, bank: Bank) -> bytes:
    """Carry out a request of at least one byte and return the reply."""
    function, body = pdu[0], pdu[1:]
    if function not in bank.functions:
        return refused(function, Refusal.FUNCTION)
    done = _carry_out(Function(function), body, bank)
    return refused(function, done) if isinstance(done, Refusal) else bytes([function]) + done


def _carry_out(function: Function, body: bytes, bank: Bank) -> bytes | Refusal:
    if len(body) < 4:  # noqa: PLR2004 -- an address and a word, in every request we know
        return Refusal.VALUE
    address, word = int.from_bytes(body[:2], "big"), int.from_bytes(body[2:4], "big")
    match function:
        case Function.WRITE_COIL:
            return _echo(body, bank.force(address, word))
        case Function.WRITE_REGISTER:
            return _echo(body, bank.write(Area.HOLDING, address, [word]))
        case Function.WRITE_COILS | Function.WRITE_REGISTERS:
            return _write_many(function, address, word, body[4:], bank) or body[:4]
        case _:
            return _read(function, address, word, bank) if not body[4:] else Refusal.VALUE


def _echo(body: bytes, refusal: Refusal | None) -> bytes | Refusal:
    return refusal or body[:4]


def _read(function: Function, address: int, count: int, bank: Bank) -> bytes | Refusal:
    area, most = READ[function]
    if not 1 <= count <= most:
        return Refusal.VALUE
    values = bank.read(area, address, count)
    if isinstance(values, Refusal):
        return values
    words = area in {Area.HOLDING, Area.INPUT}
    data = b"".join(value.to_bytes(2, "big") for value in values) if words else packed(values)
    return bytes([len(data)]) + data


def _write_many(
    function: Function, address: int, count: int, rest: bytes, bank: Bank
) -> Refusal | None:
    bits = function is Function.WRITE_COILS
    most, size = (
        (MOST_COILS_WRITTEN, (count + 7) // 8) if bits else (MOST_REGISTERS_WRITTEN, count * 2)
    )
    if not 1 <= count <= most or len(rest) != size + 1 or rest[0] != size:
        return Refusal.VALUE
    if bits:
        return bank.write(Area.COIL, address, unpacked(rest[1:], count))
    words = [int.from_bytes(rest[at : at + 2], "big") for at in range(1, size, 2)]
    return bank.write(Area.HOLDING, address, words)


def packed(bits: Iterable[int]) -> bytes:
    """Return bits as bytes, the first one lowest."""
    number, count = 0, 0
    for bit in bits:
        number |= bit << count
        count += 1
    return number.to_bytes((count + 7) // 8, "little")


def unpacked(data: bytes, count: int) -> list[int]:
    """Return the first bits of some bytes, the lowest one first."""
    number = int.from_bytes(data, "little")
    return [number >> place & 1 for place in range(count)]
