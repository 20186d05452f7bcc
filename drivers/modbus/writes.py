"""Writes to single points of a module, in the form that each point takes."""

from drivers.modbus.images import split
from drivers.modbus.profile_layout import EdgeSource, Point
from drivers.modbus.profile_words import Clearing
from drivers.modbus.requests import COILS, SINGLE_COIL, Write

COIL_ON, COIL_OFF = 0xFF00, 0x0000
"""Modbus Application Protocol Specification V1.1b3, section 6.5."""


def written(point: Point, number: int) -> Write | None:
    """Return the write of a number to a point; None where it cannot be written by itself.

    One bit of a register cannot: the other bits would have to be known.
    """
    function = point.write_function
    if function is None or point.bit is not None:
        return None
    if function == SINGLE_COIL:
        return Write(function, point.write_address, (COIL_ON if number else COIL_OFF,))
    if function == COILS:
        return Write(function, point.write_address, (int(bool(number)),))
    return Write(function, point.write_address, split(point, number))


def said(point: Point, word: str) -> Write | None:
    """Return the write of what a word such as `on` means to a point; None where it means nothing.

    Inverted points take `off` for `on`.
    """
    opposite = {"on": "off", "off": "on"}
    number = point.writes.get(opposite.get(word, word) if point.inverted else word)
    return None if number is None else written(point, number)


def clearing(source: EdgeSource) -> Write | None:
    """Return the write that sets a latch back, where one does."""
    match source.clear:
        case Clearing.WRITE_ONE:
            return written(source.clear_with, 1)
        case Clearing.WRITE_ZERO:
            return written(source.clear_with, 0)
        case Clearing.BY_READING | Clearing.NEVER:
            return None
