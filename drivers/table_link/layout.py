"""The three shapes a payload is made of: fixed fields, a counted list, a counted text."""

from struct import Struct
from typing import Any, ClassVar, Self

from table.errors import FrameError


class Fixed:
    """A payload whose fields all have a fixed width and stand in the order of the class."""

    __slots__: ClassVar[tuple[str, ...]] = ()
    KIND: ClassVar[int]
    LAYOUT: ClassVar[Struct]

    def to_bytes(self) -> bytes:
        """Return the payload."""
        return self.LAYOUT.pack(*[getattr(self, name) for name in self.__slots__])

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """Read the payload; what a later version appends is left unread."""
        return cls(*cls.LAYOUT.unpack_from(payload))


def counted(payload: bytes, at: int, width: int = 1) -> tuple[bytes, int]:
    """Return what a count byte announces, and where the next field begins."""
    end = at + 1 + width * payload[at]
    if end > len(payload):
        msg = f"the payload ends before byte {end}"
        raise FrameError(msg)
    return payload[at + 1 : end], end


class Listed(Fixed):
    """A fixed payload followed by a list: a count byte, then items of one width."""

    __slots__: ClassVar[tuple[str, ...]] = ()
    ITEM: ClassVar[Struct]

    def to_bytes(self) -> bytes:
        """Return the payload."""
        *head, items = [getattr(self, name) for name in self.__slots__]
        listed = b"".join(map(self.ITEM.pack, items))
        return self.LAYOUT.pack(*head) + bytes([len(items)]) + listed

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """Read the payload; what a later version appends is left unread."""
        raw, _ = counted(payload, cls.LAYOUT.size, cls.ITEM.size)
        items = tuple(item for (item,) in cls.ITEM.iter_unpack(raw))
        fields: tuple[Any, ...] = (*cls.LAYOUT.unpack_from(payload), items)
        return cls(*fields)


def text(value: str, most: int) -> bytes:
    """Return a count byte and the text in UTF-8.

    Raises:
        FrameError: the text is too long.
    """
    raw = value.encode()
    if len(raw) > most:
        msg = f"{value!r} takes {len(raw)} bytes, {most} are allowed"
        raise FrameError(msg)
    return bytes([len(raw)]) + raw
