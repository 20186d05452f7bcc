"""What can be read and written in a module, by area and address."""

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum, auto

WORD = range(0x1_0000)
BIT = range(2)
FORCED = {0x0000: 0, 0xFF00: 1}
"""The words of function 05 (Modbus Application Protocol V1.1b3, section 6.5)."""


class Area(Enum):
    """The four tables of Modbus, and one that makers invented."""

    COIL = auto()
    DISCRETE = auto()
    HOLDING = auto()
    INPUT = auto()
    FORCED = auto()
    """Addresses at which function 05 takes other words than on and off."""


class Refusal(IntEnum):
    """Exception codes (Modbus Application Protocol V1.1b3, section 7)."""

    FUNCTION = 1
    ADDRESS = 2
    VALUE = 3
    FAILURE = 4
    BUSY = 6
    NO_TARGET = 11


@dataclass(frozen=True, slots=True)
class Cell:
    """One coil or register; what cannot be read or written has no way to."""

    read: Callable[[], int] | None = None
    write: Callable[[int], None] | None = None
    allowed: Container[int] = WORD


@dataclass(slots=True)
class Register:
    """A setting that outlives a power cut."""

    value: int
    allowed: Container[int] = WORD

    def cell(self) -> Cell:
        """Return the cell under which the setting is reached."""
        return Cell(lambda: self.value, self._write, self.allowed)

    def _write(self, value: int) -> None:
        self.value = value


class Bank:
    """All cells of a module."""

    def __init__(self, functions: Iterable[int], read_only: Refusal = Refusal.ADDRESS) -> None:
        self.functions = frozenset(functions)
        self._read_only = read_only
        self._cells: dict[tuple[Area, int], Cell] = {}

    def put(self, area: Area, address: int, cell: Cell) -> None:
        """Add a cell."""
        self._cells[area, address] = cell

    def put_long(self, area: Area, high: int, low: int, read: Callable[[], int]) -> None:
        """Add a number of 32 bits that is read at two addresses."""
        self.put(area, high, Cell(lambda: read() >> 16 & 0xFFFF))
        self.put(area, low, Cell(lambda: read() & 0xFFFF))

    def read(self, area: Area, address: int, count: int) -> list[int] | Refusal:
        """Return the values of cells in a row; a hole refuses all of them."""
        values = []
        for place in range(address, address + count):
            cell = self._cells.get((area, place))
            if cell is None or cell.read is None:
                return Refusal.ADDRESS
            values.append(cell.read())
        return values

    def write(self, area: Area, address: int, values: list[int]) -> Refusal | None:
        """Write cells in a row, or none of them."""
        writers = []
        for place, value in enumerate(values, address):
            cell = self._cells.get((area, place))
            if cell is None or cell.write is None:
                return self._read_only if cell else Refusal.ADDRESS
            if value not in cell.allowed:
                return Refusal.VALUE
            writers.append((cell.write, value))
        for write, value in writers:
            write(value)
        return None

    def force(self, address: int, word: int) -> Refusal | None:
        """Write one coil by function 05."""
        if (Area.FORCED, address) in self._cells:
            return self.write(Area.FORCED, address, [word])
        if word not in FORCED:
            return Refusal.VALUE
        return self.write(Area.COIL, address, [FORCED[word]])
