"""Has what recurs at many links take turns, so that a hall is never served all at once."""

from math import floor
from zlib import crc32

_EARLY = 0.01
"""A timer may ring so much of a period too soon, and is not set for the same turn again."""


def next_turn(name: str, after: float, period: float) -> float:
    """Return when something is due next, about a period later at most; each name has its own turns.

    Args:
        name: of whatever takes turns with others of the same period.
        after: seconds on any clock.
        period: seconds.
    """
    first = period * crc32(name.encode()) / 2**32
    turns = floor((after - first) / period + _EARLY) + 1
    return first + turns * period
