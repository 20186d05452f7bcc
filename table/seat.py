"""Seats of a table, and one value for each of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class Seat(IntEnum):
    """A physical place at the table, 1 at the hall's East side, then counter-clockwise.

    A seat never moves; the wind it holds does (`table.wind`).
    """

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4

    @property
    def lower(self) -> "Seat":
        """The next seat in order of play (下家)."""
        return self.after(1)

    @property
    def opposite(self) -> "Seat":
        """The seat across the table (对家)."""
        return self.after(2)

    @property
    def upper(self) -> "Seat":
        """The seat that plays before this one (上家)."""
        return self.after(3)

    def after(self, steps: int) -> "Seat":
        """Return the seat so many places further in order of play."""
        return _IN_ORDER[(self - 1 + steps) % len(_IN_ORDER)]

    def steps_to(self, other: "Seat") -> int:
        """Count the places from this seat to the other in order of play, 0 to 3."""
        return (other - self) % len(Seat)


_IN_ORDER = tuple(Seat)


@dataclass(frozen=True, slots=True)
class BySeat(Generic[T]):
    """Exactly one value for each seat."""

    one: T
    two: T
    three: T
    four: T

    @classmethod
    def all(cls, value: T) -> "BySeat[T]":
        """Give every seat the same value."""
        return cls(value, value, value, value)

    @classmethod
    def of(cls, value: Callable[[Seat], T]) -> "BySeat[T]":
        """Compute the value of each seat."""
        return cls(value(Seat.ONE), value(Seat.TWO), value(Seat.THREE), value(Seat.FOUR))

    def __getitem__(self, seat: Seat) -> T:
        return (self.one, self.two, self.three, self.four)[seat - 1]

    def __iter__(self) -> Iterator[T]:
        return iter((self.one, self.two, self.three, self.four))

    def items(self) -> Iterator[tuple[Seat, T]]:
        """Iterate over seat and value in order of the seats."""
        return zip(_IN_ORDER, self, strict=True)

    def map(self, change: Callable[[T], U]) -> "BySeat[U]":
        """Apply one function to the value of every seat."""
        return BySeat(change(self.one), change(self.two), change(self.three), change(self.four))

    def put(self, seat: Seat, value: T) -> "BySeat[T]":
        """Return a copy in which one seat has another value."""
        values = [*self]
        values[seat - 1] = value
        return BySeat(*values)
