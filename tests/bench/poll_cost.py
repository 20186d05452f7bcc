"""Budget 4: what one poll costs, beside pymodbus' own client and a published bridge."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from tests.bench.broker import running_broker
from tests.bench.finding import Finding
from tests.bench.peer import PEER, interpreter
from tests.bench.polls import Pair, compile_far_ends, far_ends

GOAL = 1.3
HERE = Path(__file__).parent


def bridge_cost(folder: Path, count: int) -> float:
    """Return the microseconds of processor time that the published bridge takes for a poll."""
    python = interpreter(folder.parents[1] / "peer")
    return asyncio.run(_bridge_cost(python, compile_far_ends(folder), folder, count))


async def _bridge_cost(python: str, program: Path, folder: Path, count: int) -> float:
    async with (
        running_broker(folder) as broker,
        far_ends(program, folder / "bridge.txt") as modules,
    ):
        arguments = (str(HERE / "peer_polls.py"), str(broker), str(modules), str(count))
        polling = await asyncio.create_subprocess_exec(
            python, *arguments, str(folder), stdout=asyncio.subprocess.PIPE
        )
        said, _ = await polling.communicate()
    return float(said) / count * 1e6


def finding(pairs: list[Pair], bridge: float) -> Finding:
    """Hold the cost of our polls against both peers."""
    return Finding(
        number=4,
        title="cost of a poll",
        goal=f"at most {GOAL} times bare pymodbus on the same event loop, and below {PEER} for a"
        " device",
        beside="processor time of the process that polls, for each poll, in the runs of budget 3."
        f" pymodbus does no more than ask and wait. {PEER} polls one device, reads 100 registers"
        " and looks at 8 of them; the 50 ms that it sleeps after a poll cost it no processor time"
        " and leave it at most 20 polls a second.",
        columns=("tables", "polls/s", "ours µs", "pymodbus µs", "ours to pymodbus", PEER + " µs"),
        rows=tuple(_rows(pairs, bridge)),
        misses=tuple(_misses(pairs, bridge)),
    )


def _rows(pairs: list[Pair], bridge: float) -> Iterator[tuple[str, ...]]:
    for place, pair in enumerate(pairs):
        ours, bare = pair.ours, pair.bare
        yield (
            str(ours.tables),
            f"{ours.rate:.0f}",
            f"{ours.cost:.0f}",
            f"{bare.cost:.0f}",
            f"{ours.cost / bare.cost:.2f} x",
            "" if place else f"{bridge:.0f}",
        )


def _misses(pairs: list[Pair], bridge: float) -> Iterator[str]:
    for pair in pairs:
        times = pair.ours.cost / pair.bare.cost
        if times > GOAL:
            yield f"a poll costs {times:.2f} x bare pymodbus at {pair.ours.tables} tables"
    if (alone := pairs[0].ours.cost) > bridge:
        yield f"a poll of one device costs {alone:.0f} µs, {bridge:.0f} µs in {PEER}"
