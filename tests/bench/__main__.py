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
from typing import TypeAlias

from tests.bench import (
    append,
    core_share,
    dead_module,
    memory,
    modbus_masters,
    peer,
    poll_cost,
    polls,
    press_to_event,
    publish_rate,
    timers,
)
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
POLLED: tuple[polls.Size, ...] = ((1, 50), (16, 50), (64, 50), (250, 10))
WHOLE: polls.Size = (core_share.TABLES, core_share.HERTZ)
ROOM = 0.85
"""Share of a core; who would need more cannot be measured at that rate."""


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
    share: timedelta
    """How long a hall is watched of which only its share of a core is wanted."""
    polled: int
    """Seconds that so many tables are polled."""
    dead: float
    """Seconds that a bus is polled with and without a dead module."""


FULL = Length(
    floor=1000,
    watch=timedelta(seconds=40),
    soak=timedelta(seconds=200),
    burst=5000,
    share=timedelta(seconds=20),
    polled=5,
    dead=4,
)
QUICK = Length(
    floor=200,
    watch=timedelta(seconds=15),
    soak=timedelta(seconds=15),
    burst=500,
    share=timedelta(seconds=10),
    polled=2,
    dead=2,
)


class Bench:
    """The runs that the budgets share."""

    def __init__(self, length: Length) -> None:
        self._length = length
        self._program = compile_floors(SCRATCH)
        self._played: list[tuple[Plan, Watched]] = []

    def appends(self) -> list[Finding]:
        """Measure budget 6."""
        return [append.measure(self._program, SCRATCH, self._length.floor)]

    def publish_rates(self) -> list[Finding]:
        """Measure budget 5."""
        return [publish_rate.measure(_folder("rate"), self._length.burst)]

    def changes(self) -> list[Finding]:
        """Measure budget 4 for each change."""
        return [peer.measure(self._program, _folder("peer"), self._length.floor)]

    def polls(self) -> list[Finding]:
        """Measure what Modbus tables cost: budget 4 for each poll, and their part of budget 3."""
        folder, seconds = _folder("polls"), self._length.polled
        bridge = poll_cost.bridge_cost(folder, 20 * seconds)
        pairs = polls.measure(folder, POLLED, seconds)
        if core_share.forecast(pairs[-1].ours) <= ROOM:
            pairs += polls.measure(folder, (WHOLE,), seconds)
        return [core_share.polled(pairs), poll_cost.finding(pairs, bridge)]

    def core(self) -> list[Finding]:
        """Measure what serial tables take of a core, beside the halls of budget 1 if they ran."""
        plan = Plan(core_share.TABLES, self._length.share)
        watched = asyncio.run(watch(plan, self._program, _folder("share")))
        return [core_share.serial([*self._played, (plan, watched)])]

    def masters(self) -> list[Finding]:
        """Show why the Modbus master is ours."""
        return [modbus_masters.finding()]

    def dead_modules(self) -> list[Finding]:
        """Measure what a dead module costs its neighbours."""
        return [dead_module.measure(self._length.dead)]

    def timer_lateness(self) -> list[Finding]:
        """Measure budget 2."""
        return [timers.finding([self._lateness(tables) for tables in TABLES])]

    def presses(self) -> list[Finding]:
        """Measure budgets 1 and 8, in the same halls."""
        floors = asyncio.run(self._floors())
        runs = self._played = [self._play(tables) for tables in TABLES]
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


Part: TypeAlias = Callable[[Bench], list[Finding]]
EVERY: tuple[Part, ...] = (
    Bench.presses,
    Bench.timer_lateness,
    Bench.core,
    Bench.polls,
    Bench.dead_modules,
    Bench.masters,
    Bench.changes,
    Bench.publish_rates,
    Bench.appends,
)
PARTS: dict[str, tuple[Part, ...]] = {
    "1": (Bench.presses,),
    "2": (Bench.timer_lateness,),
    "3": (Bench.core, Bench.polls, Bench.dead_modules),
    "4": (Bench.polls, Bench.masters, Bench.changes),
    "5": (Bench.publish_rates,),
    "6": (Bench.appends,),
    "8": (Bench.presses,),
    "core": (Bench.core,),
    "polls": (Bench.polls,),
    "dead": (Bench.dead_modules,),
    "masters": (Bench.masters,),
}


def main() -> None:
    """Measure, print, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short runs, printed only")
    parser.add_argument("--only", choices=PARTS, help="one part or budget, printed only")
    chosen = parser.parse_args()
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    bench = Bench(QUICK if chosen.quick else FULL)
    wanted = PARTS[chosen.only] if chosen.only else EVERY
    findings = sorted((each for run in wanted for each in run(bench)), key=lambda each: each.number)
    text = page(machine_facts(SCRATCH), findings)
    sys.stdout.write(text)
    if not (chosen.quick or chosen.only):
        PAGE.write_text(text, encoding="utf-8")
    shutil.rmtree(SCRATCH)


if __name__ == "__main__":
    main()
