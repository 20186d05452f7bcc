"""Budget 8: memory of the daemon, and whether it grows while tables are played."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean

from tests.bench.finding import Finding
from tests.bench.hall import Plan, Watched

MEGABYTE = 10**6
BASE_MEGABYTES, TABLE_MEGABYTES = 80.0, 0.2
FLAT_MEGABYTES = 1.0
"""House choice."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident memory of the daemon, in megabytes, and what else it used."""

    tables: int
    most: float
    growth: float
    """From the mean of the first third of the run to the mean of the last."""
    processor: float
    """Share of one core."""
    seconds: int

    @property
    def allowed(self) -> float:
        """What the budget grants so many tables."""
        return BASE_MEGABYTES + TABLE_MEGABYTES * self.tables


def memory(plan: Plan, watched: Watched) -> Memory:
    """Sum up the readings of one run."""
    readings = [size / MEGABYTE for size in watched.resident]
    quarter = max(len(readings) // 4, 1)
    return Memory(
        tables=plan.tables,
        most=max(readings),
        growth=mean(readings[-quarter:]) - mean(readings[-2 * quarter : -quarter] or readings),
        processor=watched.processor,
        seconds=plan.watch.seconds,
    )


def finding(memories: list[Memory]) -> Finding:
    """Hold the memory against what the budget grants."""
    return Finding(
        number=8,
        title="memory",
        goal=f"at most {BASE_MEGABYTES:.0f} MB and {TABLE_MEGABYTES} MB a table, flat over a soak",
        beside="nothing: the figure is absolute. Resident memory of the daemon in the runs of"
        " budget 1. Growth is from the third quarter of a run to the last, and below"
        f" {FLAT_MEGABYTES:.0f} MB counts as flat: caches fill in the first two minutes, and a run"
        " of this length shows a fast leak only.",
        columns=("tables", "seconds", "most MB", "allowed MB", "growth MB", "share of a core"),
        rows=tuple(_row(each) for each in memories),
        misses=tuple(_misses(memories)),
    )


def _row(memory: Memory) -> tuple[str, ...]:
    return (
        str(memory.tables),
        str(memory.seconds),
        f"{memory.most:.1f}",
        f"{memory.allowed:.1f}",
        f"{memory.growth:+.2f}",
        f"{memory.processor:.1%}",
    )


def _misses(memories: list[Memory]) -> Iterator[str]:
    for each in memories:
        if each.most > each.allowed:
            yield f"{each.most:.1f} MB at {each.tables} tables, {each.allowed:.1f} MB allowed"
        if each.growth > FLAT_MEGABYTES:
            yield f"grew by {each.growth:.2f} MB in {each.seconds} s at {each.tables} tables"
