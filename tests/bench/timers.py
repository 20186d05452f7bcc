"""Budget 2: how late the buzzer is told to sound, beside bare asyncio timers."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from table.moment import MICROSECOND
from table.seat import Seat
from tests.bench.bare_timers import Rung
from tests.bench.finding import Finding
from tests.bench.hall import Plan, Watched
from tests.bench.spread import Spread, milliseconds, ratio
from tests.bench.traces import Buzzer, Edge, arrivals, buzzers, edges

WINDOW_SECONDS, TURN_SECONDS = 1.6, 1.0
"""Short enough that each turn of the play load reaches its limit before its discard."""
DUE = timedelta(seconds=WINDOW_SECONDS) + timedelta(seconds=TURN_SECONDS)
"""After a discard that nobody claims: the turn starts, presumed, when the window closes."""
GOAL = 2


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late buzzers and bare timers were in one run; less than nothing is early."""

    tables: int
    ours: Spread
    bare: Spread
    in_table_time: float
    """The least that any buzzer came after its limit by the table's own clock, in microseconds."""


def timer_plan(tables: int, watch: timedelta) -> Plan:
    """Plan a hall in which the buzzer sounds in every turn."""
    return Plan(
        tables,
        watch,
        event={"lamp_before_seconds": 0.5},
        overrides={"call_window_seconds": WINDOW_SECONDS, "turn_seconds": TURN_SECONDS},
    )


def lateness(plan: Plan, watched: Watched, rung: list[Rung]) -> Lateness:
    """Match each buzzer with the limit that the daemon set, and with the discard that began it."""
    due: dict[tuple[str, int], list[int]] = {}
    for event in arrivals(watched):
        if event.kind == "turn-started" and event.data["start"]:
            limit = event.data["start"]["latest_us"] + event.data["limit_us"]
            due.setdefault((event.table, event.data["seat"]), []).append(limit)
    sounded = [(name, each) for name in plan.names for each in buzzers(watched, name)]
    ours = [late for name, each in sounded for late in _late(each, due.get((name, each.seat), []))]
    shown = [late for name in plan.names for late in _shown(edges(watched, name), sounded, name)]
    watch = range(watched.begin.micros, watched.end.micros)
    bare = [each.late_us for each in rung if each.monotonic_us in watch]
    return Lateness(plan.tables, Spread.of(ours), Spread.of(bare), min(shown))


def _late(buzzer: Buzzer, due: list[int]) -> Iterator[float]:
    """Hold a buzzer against the nearest limit of its seat, which may be a little later than it."""
    if due:
        nearest = min(due, key=lambda limit: abs(buzzer.monotonic_us - limit))
        if abs(buzzer.monotonic_us - nearest) < TURN_SECONDS / 2 * 1e6:
            yield float(buzzer.monotonic_us - nearest)


def _shown(pressed: list[Edge], sounded: list[tuple[str, Buzzer]], table: str) -> Iterator[float]:
    for buzzer in (each for name, each in sounded if name == table):
        before = [edge for edge in pressed if edge.device_us < buzzer.device_us]
        if before and before[-1].input == "discard":
            discard = before[-1]
            if Seat(discard.seat).lower == buzzer.seat:
                yield buzzer.device_us - discard.device_us - DUE / MICROSECOND


def finding(runs: list[Lateness]) -> Finding:
    """Hold our timers against the bare ones."""
    return Finding(
        number=2,
        title="timers: the buzzer command reaches the table",
        goal=f"never early; p99 lateness at most {GOAL} times bare asyncio timers",
        beside="peer: a process with one asyncio timer a table and turn that writes a frame to a"
        " pty, in the same moments on the same machine. Both are late by what lies between the"
        " moment that was set and the arrival of the frame at the other end of the pty; ours"
        " contains the simulator's reading of the frame. Early is judged by the table's own clock,"
        " from the discard to the command, which adds the doubt of the clock fit that is left in"
        " the player's favour.",
        columns=(
            "tables",
            "n",
            "least by the table",
            "p50",
            "p99",
            "bare p50",
            "bare p99",
            "p99 to bare",
        ),
        rows=tuple(_row(each) for each in runs),
        misses=tuple(_misses(runs)),
    )


def _row(run: Lateness) -> tuple[str, ...]:
    ours, bare = run.ours, run.bare
    readings = (run.in_table_time, ours.p50, ours.p99, bare.p50, bare.p99)
    return (
        str(run.tables),
        str(ours.count),
        *map(milliseconds, readings),
        ratio(ours.p99, bare.p99),
    )


def _misses(runs: list[Lateness]) -> Iterator[str]:
    for each in runs:
        early = min(each.in_table_time, each.ours.least)
        if early < 0:
            yield f"early by {milliseconds(-early)} ms at {each.tables} tables"
        if each.ours.p99 > GOAL * each.bare.p99:
            times = ratio(each.ours.p99, each.bare.p99)
            yield f"p99 lateness is {times} the bare timers' at {each.tables} tables"
