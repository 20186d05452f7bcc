"""Measures the budgets and writes docs/performance.md.

A part (`--only`) or a short run (`--quick`) is printed and not written.
"""

import argparse
import asyncio
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from tests.bench import append, memory, peer, press_to_event, publish_rate, timers
from tests.bench.bare_timers import bare_timers
from tests.bench.broker import running_broker
from tests.bench.facts import machine_facts
from tests.bench.finding import Finding, page
from tests.bench.floors import Floors, compile_floors, measure
from tests.bench.hall import Plan, Watched, watch

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "performance.md"
SCRATCH = ROOT / "build" / "bench"
"""On the disk of the project, since a scratch folder may lie in memory."""
TABLES = (1, 16, 64)


@dataclass(frozen=True, slots=True)
class Length:
    """How much is measured."""

    floor: int
    """Transfers of each floor."""
    watch: timedelta
    """How long a hall is watched."""
    soak: timedelta
    """How long the largest hall at play load is watched."""
    burst: int
    """Messages of each repeat of a publish rate."""


FULL = Length(floor=1000, watch=timedelta(seconds=45), soak=timedelta(seconds=200), burst=5000)
QUICK = Length(floor=200, watch=timedelta(seconds=15), soak=timedelta(seconds=15), burst=500)


class Bench:
    """The runs that the budgets share."""

    def __init__(self, length: Length) -> None:
        self._length = length
        self._program = compile_floors(SCRATCH)

    def appends(self) -> list[Finding]:
        """Measure budget 6."""
        return [append.measure(self._program, SCRATCH, self._length.floor)]

    def publish_rates(self) -> list[Finding]:
        """Measure budget 5."""
        return [publish_rate.measure(_folder("rate"), self._length.burst)]

    def peers(self) -> list[Finding]:
        """Measure what can be measured of budget 4."""
        return [peer.measure(self._program, _folder("peer"), self._length.floor)]

    def timer_lateness(self) -> list[Finding]:
        """Measure budget 2."""
        return [timers.finding([self._lateness(tables) for tables in TABLES])]

    def presses(self) -> list[Finding]:
        """Measure budgets 1 and 8, in the same halls."""
        floors = asyncio.run(self._floors())
        runs = [self._play(tables) for tables in TABLES]
        latencies = [press_to_event.latency(plan, watched) for plan, watched in runs]
        memories = [memory.memory(plan, watched) for plan, watched in runs]
        return [press_to_event.finding(floors, latencies), memory.finding(memories)]

    async def _floors(self) -> Floors:
        async with running_broker(SCRATCH) as port:
            return await asyncio.to_thread(
                measure, self._program, SCRATCH, port, self._length.floor
            )

    def _play(self, tables: int) -> tuple[Plan, Watched]:
        length = self._length.soak if tables == TABLES[-1] else self._length.watch
        plan = Plan(tables, length)
        return plan, asyncio.run(watch(plan, self._program, _folder(f"play-{tables}")))

    def _lateness(self, tables: int) -> timers.Lateness:
        return asyncio.run(self._timed(timers.timer_plan(tables, self._length.watch)))

    async def _timed(self, plan: Plan) -> timers.Lateness:
        folder = _folder(f"timers-{plan.tables}")
        async with bare_timers(plan.tables) as rung:
            watched = await watch(plan, self._program, folder)
        return timers.lateness(plan, watched, rung)


def _folder(name: str) -> Path:
    folder = SCRATCH / name
    (folder / "state").mkdir(parents=True)
    return folder


def main() -> None:
    """Measure, print, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short runs, printed only")
    parser.add_argument(
        "--only", type=int, choices=(1, 2, 4, 5, 6, 8), help="one budget, printed only"
    )
    chosen = parser.parse_args()
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    bench = Bench(QUICK if chosen.quick else FULL)
    runs: dict[int, Callable[[], list[Finding]]] = {
        1: bench.presses,
        2: bench.timer_lateness,
        4: bench.peers,
        5: bench.publish_rates,
        6: bench.appends,
        8: bench.presses,
    }
    every = (bench.presses, bench.timer_lateness, bench.peers, bench.publish_rates, bench.appends)
    wanted = (runs[chosen.only],) if chosen.only else every
    findings = sorted((each for run in wanted for each in run()), key=lambda each: each.number)
    text = page(machine_facts(SCRATCH), findings)
    sys.stdout.write(text)
    if not (chosen.quick or chosen.only):
        PAGE.write_text(text, encoding="utf-8")
    shutil.rmtree(SCRATCH)


if __name__ == "__main__":
    main()
