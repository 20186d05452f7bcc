"""What a turn begins with, the limit that runs in it, and what stopped that."""

from dataclasses import dataclass

from table.seat import Seat
from tests.second_opinion.spans import When
from tests.second_opinion.story import Said


@dataclass
class Discard:
    """A discard: pressed, or only shown by what came after it."""

    seat: Seat
    when: When
    pressed: When | None
    replayed: bool = False
    skipped: tuple[Seat, ...] = ()
    undrawn: bool = False
    """It came by order, and a draw that the table should have sensed is missing."""


@dataclass
class Clock:
    """Since when the seat on turn is timed, and how long it may take."""

    seat: Seat
    limit: int
    start: When
    waits: bool = False
    """Nothing was sensed yet; the start is the latest one that the book allows."""
    presumed: bool = False
    counts: bool = True
    """False where nobody may be charged by it."""


@dataclass(frozen=True)
class Stretch:
    """A clock and what stopped it."""

    clock: Clock
    ended: Said
