"""The middle and the tail of many durations."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Spread:
    """How durations are spread, in microseconds."""

    count: int
    least: float
    p50: float
    p99: float
    most: float

    @classmethod
    def of(cls, durations: Iterable[float]) -> Self:
        """Sort durations, of which there must be at least one.

        The p99 is the smallest duration that 99 in 100 do not exceed, so of few it is the largest.
        """
        ranked = sorted(durations)
        count = len(ranked)
        middle, tail = -(-count // 2) - 1, -(-count * 99 // 100) - 1
        return cls(count, ranked[0], ranked[middle], ranked[tail], ranked[-1])


def milliseconds(micros: float) -> str:
    """Write microseconds as milliseconds with two decimals."""
    return f"{micros / 1000:.2f}"


def ratio(of: float, to: float) -> str:
    """Write how many times as large one is as the other."""
    return f"{of / to:.1f} x"
