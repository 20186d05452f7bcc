"""Budget 4, per change: a published bridge beside ours."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench.broker import running_broker
from tests.bench.finding import Finding
from tests.bench.floors import RATE
from tests.bench.hall import listener
from tests.bench.spread import Spread, milliseconds, ratio

HERE = Path(__file__).parent
PINS = HERE / "peer.txt"
PEER = "modbus4mqtt 0.7.1"


@dataclass(frozen=True, slots=True)
class Bridge:
    """A way from a change to the broker."""

    name: str
    promise: str
    """What is certain of a change that was made."""
    command: tuple[str, ...]
    """Of the process that goes it."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """What became of the changes that went over a bridge."""

    bridge: Bridge
    spread: Spread
    lost: int
    processor: float
    """Microseconds of processor time for each change."""


def measure(program: Path, folder: Path, count: int) -> Finding:
    """Send the same number of changes over both bridges, one after the other."""
    python = interpreter(folder.parents[1] / "peer")
    theirs = Bridge(PEER, "QoS 0, kept nowhere", (python, str(HERE / "peer_theirs.py")))
    module = (sys.executable, "-m", "tests.bench.peer_ours")
    ours = Bridge("tablewarden", "QoS 1, on the disk before it leaves", module)
    return _finding([_crossing(bridge, program, folder, count) for bridge in (theirs, ours)])


def interpreter(environment: Path) -> str:
    """Return the interpreter of the peer, made from its pins where it is missing."""
    python = str(environment / "bin" / "python")
    if not Path(python).exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "--requirement", str(PINS)]
        subprocess.run(install, check=True)
    return python


def _crossing(bridge: Bridge, program: Path, folder: Path, count: int) -> Crossing:
    own = folder / Path(bridge.command[-1]).stem
    own.mkdir()
    used = asyncio.run(_publish(bridge.command, program, own, count))
    took = list(_took(own / "arrivals.txt"))
    return Crossing(bridge, Spread.of(took), count - len(took), used / count * 1e6)


async def _publish(command: tuple[str, ...], program: Path, folder: Path, count: int) -> float:
    async with (
        running_broker(folder) as port,
        listener(program, port, folder / "arrivals.txt"),
    ):
        publisher = await asyncio.create_subprocess_exec(
            *command, str(port), str(count), str(RATE), str(folder), stdout=subprocess.PIPE
        )
        said, _ = await publisher.communicate()
    return float(said)


def _took(arrivals: Path) -> Iterator[float]:
    for line in arrivals.read_text(encoding="utf-8").splitlines():
        moment, _, made, *_ = [*line.split(" ", 3), "", ""]
        if made.isdecimal():
            yield float(int(moment) - int(made))


def _finding(crossings: list[Crossing]) -> Finding:
    return Finding(
        number=4,
        title="a change on its way to a subscriber, beside a published bridge",
        goal="processor time of a change below the peer's",
        beside=f"{PEER}, its own code in an environment of its own, from the registers as they"
        " were read (its Modbus side sleeps 50 ms after each read and is left out) to a subscriber"
        f" in C: {RATE} changes a second, one at a time, 8 registers. Ours is the same way from"
        " what a table said: journal, outbox, broker. The peer promises nothing of a change that"
        " it published, so the figures are the price of the promise and not a race.",
        columns=("what", "promise", "n", "lost", "p50", "p99", "processor µs a change"),
        rows=tuple(_row(each) for each in crossings),
        misses=tuple(_misses(crossings)),
    )


def _row(crossing: Crossing) -> tuple[str, ...]:
    spread = crossing.spread
    return (
        crossing.bridge.name,
        crossing.bridge.promise,
        str(spread.count),
        str(crossing.lost),
        milliseconds(spread.p50),
        milliseconds(spread.p99),
        f"{crossing.processor:.0f}",
    )


def _misses(crossings: list[Crossing]) -> Iterator[str]:
    theirs, ours = crossings
    if ours.processor > theirs.processor:
        times = ratio(ours.processor, theirs.processor)
        yield f"a change costs {times} what it costs {PEER}, which promises nothing of it"
