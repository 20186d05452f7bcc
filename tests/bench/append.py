"""Budget 6: what it costs to make one event durable, beside the bare fdatasync."""

import asyncio
import uuid
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from controller.clock import MonotonicClock
from controller.journal import Boot, Entry, Outgoing, Receipt
from controller.journal_file import JournalFile
from table.moment import MICROSECOND
from tests.bench.finding import Finding
from tests.bench.floors import RATE, sync_floor
from tests.bench.spread import Spread, milliseconds, ratio

GOAL = 5
BURST = 200
STIMULUS = (
    '{"event":{"seat":2,"type":"DiscardPressed"},"replayed":false,"type":"Observed","when":'
    '{"earliest":81234567890,"latest":81234569001,"quality":"device","stamp":{"at":81230000000,'
    '"clock":"TW-000417/9","resolution":1000}}}'
)
EFFECTS = f"[{','.join([STIMULUS] * 3)}]"
"""About as long as the effects of a discard."""


@dataclass(frozen=True, slots=True)
class Appends:
    """How long entries took that came one at a time, and in bursts."""

    alone: Spread
    burst: Spread
    burst_rate: float
    """Entries a second while bursts were written."""


def measure(program: Path, folder: Path, count: int) -> Finding:
    """Append entries one at a time and in bursts, beside the floor."""
    floor = sync_floor(program, folder, count)
    appends = asyncio.run(_appends(folder / "append.sqlite", count))
    misses: tuple[str, ...] = ()
    if appends.alone.p50 > GOAL * floor.p50:
        misses = (f"one append takes {ratio(appends.alone.p50, floor.p50)} the fdatasync",)
    return Finding(
        number=6,
        title="durable append, one event",
        goal=f"p50 at most {GOAL} times fdatasync",
        beside=f"one write of 4 KiB and fdatasync in C on the same disk, {RATE} a second.",
        columns=("what", "n", "p50", "p99", "most", "p50 to floor"),
        rows=(
            _row("fdatasync", floor, floor),
            _row(f"one event, {RATE} a second", appends.alone, floor),
            _row(f"bursts of {BURST}: {appends.burst_rate:.0f} events/s", appends.burst, floor),
        ),
        misses=misses,
    )


def _row(name: str, spread: Spread, floor: Spread) -> tuple[str, ...]:
    readings = map(milliseconds, (spread.p50, spread.p99, spread.most))
    return (name, str(spread.count), *readings, ratio(spread.p50, floor.p50))


async def _appends(path: Path, count: int) -> Appends:
    clock = MonotonicClock()
    boot = Boot(str(uuid.uuid4()), clock.now(), clock.utc(), "bench")
    journal = await JournalFile.open(path, boot)
    try:
        alone = [await _paced(journal, clock, number) for number in range(1, count + 1)]
        began = clock.now()
        burst = [took for _ in range(count // BURST) for took in await _burst(journal, clock)]
        span = clock.now() - began
    finally:
        await journal.close()
    return Appends(Spread.of(alone), Spread.of(burst), len(burst) / span.total_seconds())


async def _paced(journal: JournalFile, clock: MonotonicClock, number: int) -> float:
    began = clock.now()
    await journal.submit(_entry(clock, number))
    took = clock.now() - began
    await clock.sleep_until(began + timedelta(seconds=1) / RATE)
    return took / MICROSECOND


async def _burst(journal: JournalFile, clock: MonotonicClock) -> list[float]:
    began = clock.now()

    async def took(receipt: "asyncio.Future[Receipt]") -> float:
        await receipt
        return (clock.now() - began) / MICROSECOND

    receipts = [journal.submit(_entry(clock, number)) for number in range(BURST)]
    return await asyncio.gather(*map(took, receipts))


def _entry(clock: MonotonicClock, number: int) -> Entry:
    event = Outgoing("discarded", "t1", number, STIMULUS.encode())
    return Entry("t1", clock.now(), clock.utc(), STIMULUS, EFFECTS, number, (event,))
