"""Many tables polled over Modbus on one core: what a poll costs, and which polls came late.

The modules are one process in C. Late and lost are judged by what arrived there.
"""

import asyncio
import json
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from tests.bench.polling import BARE, OURS
from tests.bench.processes import ended
from tests.bench.spread import Spread
from tests.harness.broker import free_port

HERE = Path(__file__).parent
LATE = 2
"""A poll that comes more than so many periods after the one before it has missed its beat."""
FULL_CORE = 0.9
"""Who uses more of the core has no more to give, and what did not fit was not polled."""


class PollingFailed(Exception):
    """The process that polls did not come to its end."""


@dataclass(frozen=True, slots=True)
class Polled:
    """How a number of tables were polled by one way."""

    tables: int
    hertz: int
    """Polls of each table that were wanted a second."""
    rate: float
    """Polls a second that the modules heard of all tables."""
    share: float
    """Of one core."""
    gaps: Spread
    """Between two polls of one module, in microseconds."""
    shown: int
    """Presses that a module showed."""
    told: int
    """Presses that were made of that."""
    late: int
    """Polls that missed a beat, or more than one."""

    @property
    def cost(self) -> float:
        """Microseconds of processor time for each poll."""
        return self.share * 1e6 / self.rate

    @property
    def missing(self) -> float:
        """The part of the polls that were wanted and not made."""
        return max(0.0, 1 - self.rate / (self.tables * self.hertz))

    @property
    def full(self) -> bool:
        """Whether the core had nothing left."""
        return self.share > FULL_CORE


Size: TypeAlias = tuple[int, int]
"""Tables, and polls of each a second."""


@dataclass(frozen=True, slots=True)
class Pair:
    """So many tables, polled by us and by bare pymodbus."""

    ours: Polled
    bare: Polled


def measure(folder: Path, sizes: tuple[Size, ...], seconds: int) -> list[Pair]:
    """Poll tables by one way and then by the other."""
    program = compile_far_ends(folder)

    def polled(way: str, size: Size) -> Polled:
        return asyncio.run(_polled(program, folder, way, size, seconds))

    return [Pair(polled(OURS, size), polled(BARE, size)) for size in sizes]


def compile_far_ends(folder: Path) -> Path:
    """Build the modules and return where their program lies."""
    program = folder / "far_ends"
    subprocess.run(["cc", "-O2", "-o", program, HERE / "far_ends.c"], check=True)
    return program


@asynccontextmanager
async def far_ends(program: Path, trace: Path) -> AsyncIterator[int]:
    """Run modules and give their port; the trace is whole when the block is left."""
    port = free_port()
    modules = await asyncio.create_subprocess_exec(
        program, str(port), trace, stdin=PIPE, stdout=PIPE
    )
    async with ended(modules):
        if modules.stdout:
            await modules.stdout.readline()
        yield port
        if modules.stdin:
            modules.stdin.close()
        await modules.wait()


async def _polled(program: Path, folder: Path, way: str, size: Size, seconds: int) -> Polled:
    tables, hertz = size
    trace = folder / f"{way}-{tables}.txt"
    async with far_ends(program, trace) as port:
        arguments = map(str, (way, port, tables, hertz, seconds))
        polling = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.polling", *arguments, stdout=PIPE, stderr=PIPE
        )
        async with ended(polling):
            said, errors = await polling.communicate()
    if polling.returncode:
        raise PollingFailed(errors.decode()[-2000:])
    return summed_up(size, json.loads(said), trace)


def summed_up(size: Size, figures: Mapping[str, float], trace: Path) -> Polled:
    """Hold what one process says it did against what the modules heard of it."""
    begin, end = figures["begin"], figures["end"]
    asked, shown = _heard(trace, begin, end)
    gaps = [after - before for one in asked.values() for before, after in pairwise(one)]
    return Polled(
        *size,
        rate=sum(map(len, asked.values())) / (end - begin) * 1e6,
        share=figures["processor"] / (end - begin),
        gaps=Spread.of(gaps),
        shown=shown,
        told=int(figures["told"]),
        late=sum(gap > LATE * 1e6 / size[1] for gap in gaps),
    )


def _heard(trace: Path, begin: float, end: float) -> tuple[dict[int, list[int]], int]:
    """Return when each module was asked, and how many presses they showed."""
    asked: dict[int, list[int]] = {}
    shown = 0
    for caller, at, fresh in _lines(trace):
        if begin <= at <= end:
            asked.setdefault(caller, []).append(at)
            shown += fresh
    return asked, shown


def _lines(trace: Path) -> Iterator[tuple[int, int, int]]:
    with trace.open(encoding="ascii") as file:
        for line in file:
            caller, at, fresh = map(int, line.split())
            yield caller, at, fresh
