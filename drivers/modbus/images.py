"""What a module was found to hold, by the reads that found it, and what that means.

Total: a reply that cannot be, and a value that the profile does not know, is a `Misread`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from drivers.modbus.profile_layout import NUMBERED, OFF, ON, Point
from drivers.modbus.profile_words import Area, ByteOrder, Coding, WordOrder
from drivers.modbus.reads import lies_in
from drivers.modbus.requests import Read
from drivers.modbus.windows import Window

BITS_OF_A_WORD = 16
MOST_IN_A_WORD = 0xFFFF


class Flaw(StrEnum):
    """What is wrong with a reply or a value."""

    WRONG_LENGTH = "wrong-length"
    """The reply holds more or fewer values than were asked for."""
    IMPOSSIBLE = "impossible"
    """A bit that is neither 0 nor 1, a register of more than 16 bits, a text of no letters."""
    UNKNOWN_VALUE = "unknown-value"
    """The profile does not say what the value means."""
    NOT_READ = "not-read"
    """No reply holds it."""


@dataclass(frozen=True, slots=True)
class Misread:
    """A reply or value that cannot be taken for what it should be."""

    flaw: Flaw
    reason: str


@dataclass(frozen=True, slots=True)
class Part:
    """The reply to one read: bits as 0 and 1, registers as words."""

    read: Read
    values: tuple[int, ...]
    window: Window


@dataclass(frozen=True, slots=True)
class Image:
    """The newest part of each read."""

    parts: Mapping[Read, Part] = field(default_factory=dict)

    def with_part(self, part: Part) -> "Image":
        """Return the image after another reply."""
        return Image({**self.parts, part.read: part})

    def part_of(self, point: Point) -> Part | None:
        """Return the part that holds a point, None if none does."""
        return next((part for read, part in self.parts.items() if lies_in(point, read)), None)


Value: TypeAlias = int | str


def taken(read: Read, values: Sequence[int], window: Window) -> Part | Misread:
    """Return the reply to a read as a part of an image."""
    if len(values) != read.count:
        many = f"{len(values)} values instead of {read.count}"
        return Misread(Flaw.WRONG_LENGTH, f"{_place(read)}: {many}")
    most = 1 if read.of_bits else MOST_IN_A_WORD
    for offset, value in enumerate(values):
        if not 0 <= value <= most:
            where = f"{_place(read)}: {value} at address {read.address + offset}"
            return Misread(Flaw.IMPOSSIBLE, where)
    return Part(read, tuple(map(int, values)), window)


def raw(part: Part, point: Point) -> int:
    """Return the number that a point of this part holds; a text is one large number."""
    start = point.address - part.read.address
    words = part.values[start : start + point.registers]
    if point.area in {Area.COIL, Area.DISCRETE}:
        return words[0]
    number = joined(point, words)
    return number if point.bit is None else number >> point.bit & 1


def joined(point: Point, words: Sequence[int]) -> int:
    """Put registers together in the order of the point."""
    if point.word_order is WordOrder.LOW_FIRST:
        words = words[::-1]
    number = 0
    for word in words:
        number = number << BITS_OF_A_WORD | in_order(point, word)
    return number


def split(point: Point, number: int) -> tuple[int, ...]:
    """Take a number apart into registers in the order of the point; undoes `joined`."""
    high_first = [
        in_order(point, number >> BITS_OF_A_WORD * place & MOST_IN_A_WORD)
        for place in reversed(range(point.registers))
    ]
    return tuple(high_first[::-1] if point.word_order is WordOrder.LOW_FIRST else high_first)


def in_order(point: Point, word: int) -> int:
    """Return a register with its bytes in the order of the specification; undoes itself."""
    if point.byte_order is ByteOrder.LOW_FIRST:
        return (word & 0xFF) << 8 | word >> 8
    return word


def number(image: Image, point: Point) -> int | Misread:
    """Return the number that a point holds."""
    part = image.part_of(point)
    return _unread(point) if part is None else raw(part, point)


def level(part: Part, point: Point) -> bool | Misread:
    """Say whether a point is on, by the values that its profile gives."""
    value = raw(part, point)
    words = point.reads or NUMBERED
    if value == words.get(ON):
        return not point.inverted
    if value == words.get(OFF):
        return point.inverted
    return Misread(Flaw.UNKNOWN_VALUE, f"{point.name}: {value} is neither on nor off")


def value(image: Image, point: Point) -> Value | Misread:
    """Return what a point holds, a text where it is one."""
    part = image.part_of(point)
    if part is None:
        return _unread(point)
    if point.coding is Coding.NUMBER:
        return raw(part, point)
    return _text(part, point)


def _text(part: Part, point: Point) -> str | Misread:
    start = point.address - part.read.address
    words = [in_order(point, word) for word in part.values[start : start + point.registers]]
    if point.coding is Coding.WIDE_TEXT:
        letters = words
    else:
        letters = [byte for word in words for byte in (word >> 8, word & 0xFF)]
    text = "".join(map(chr, letters)).rstrip("\0 ")
    if not text.isascii() or not text.isprintable():
        return Misread(Flaw.IMPOSSIBLE, f"{point.name}: no text, but {text!a}")
    return text


def _unread(point: Point) -> Misread:
    return Misread(Flaw.NOT_READ, f"{point.name}: no reply holds it")


def _place(read: Read) -> str:
    return f"function {read.function}, addresses {read.address} to {read.end - 1}"
