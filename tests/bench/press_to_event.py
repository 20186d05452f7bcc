"""Budget 1: from the edge at the table to the event at a subscriber, journal at FULL."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from tests.bench.finding import Finding
from tests.bench.floors import RATE, Floors
from tests.bench.hall import Plan, Watched
from tests.bench.spread import Spread, milliseconds, ratio
from tests.bench.traces import arrivals, edges

MIDDLE_GOAL, TAIL_GOAL = 4, 10
GOAL_TABLES = 64
PATIENCE_US = 5_000_000
"""Later than this a press counts as lost; the same seat presses again after 6 s at the soonest."""


@dataclass(frozen=True, slots=True)
class Latency:
    """How long discards took, and how many events a second the hall made meanwhile."""

    tables: int
    spread: Spread
    events_each_second: float
    lost: int
    """Presses without an event."""


def latency(plan: Plan, watched: Watched) -> Latency:
    """Match each discard press with the event it caused."""
    span = (watched.end - watched.begin).total_seconds()
    events = list(arrivals(watched))
    told: dict[tuple[str, int], list[int]] = {}
    for event in events:
        if event.kind == "discarded" and not event.data["implied"]:
            told.setdefault((event.table, event.data["seat"]), []).append(event.monotonic_us)
    took = [each for name in plan.names for each in _matched(watched, name, told)]
    found = [each for each in took if each is not None]
    return Latency(plan.tables, Spread.of(found), len(events) / span, len(took) - len(found))


def _matched(
    watched: Watched, table: str, told: dict[tuple[str, int], list[int]]
) -> Iterator[float | None]:
    settled = watched.end.micros - PATIENCE_US
    for edge in edges(watched, table):
        if edge.input != "discard" or edge.monotonic_us > settled:
            continue
        moments = told.get((table, edge.seat), [])
        place = bisect_right(moments, edge.monotonic_us)
        late = place == len(moments) or moments[place] - edge.monotonic_us > PATIENCE_US
        yield None if late else float(moments[place] - edge.monotonic_us)


def finding(floors: Floors, latencies: list[Latency]) -> Finding:
    """Hold the latencies against the floor."""
    return Finding(
        number=1,
        title="press on the serial link to event at a subscriber",
        goal=f"at {GOAL_TABLES} tables p50 at most {MIDDLE_GOAL} and p99 at most {TAIL_GOAL} times"
        " the floor",
        beside="floor: one transfer over a pty, one fdatasync and one QoS 1 message from a C client"
        f" to another, added up at their medians, {RATE} a second. Tables at play load (a discard"
        " each 3 s, a claim each 12 s), subscriber in C; the edge is stamped where it is played.",
        columns=("tables", "n", "events/s", "p50", "p99", "most", "p50 to floor", "p99 to floor"),
        rows=(_floor_row(floors), *(_row(each, floors) for each in latencies)),
        misses=tuple(_misses(floors, latencies)),
    )


def _floor_row(floors: Floors) -> tuple[str, ...]:
    parts = (floors.pty, floors.sync, floors.mqtt)
    named = " + ".join(milliseconds(part.p50) for part in parts)
    return (f"floor: {named}", str(floors.pty.count), "", milliseconds(floors.p50), *[""] * 4)


def _row(latency: Latency, floors: Floors) -> tuple[str, ...]:
    spread = latency.spread
    return (
        str(latency.tables),
        str(spread.count),
        f"{latency.events_each_second:.0f}",
        *map(milliseconds, (spread.p50, spread.p99, spread.most)),
        ratio(spread.p50, floors.p50),
        ratio(spread.p99, floors.p50),
    )


def _misses(floors: Floors, latencies: list[Latency]) -> Iterator[str]:
    for each in latencies:
        if each.lost:
            yield f"at {each.tables} tables {each.lost} presses made no event"
        if each.tables != GOAL_TABLES:
            continue
        if each.spread.p50 > MIDDLE_GOAL * floors.p50:
            yield f"p50 is {ratio(each.spread.p50, floors.p50)} the floor"
        if each.spread.p99 > TAIL_GOAL * floors.p50:
            yield f"p99 is {ratio(each.spread.p99, floors.p50)} the floor"
