"""Budget 5: how fast the outbox empties, beside bare aiomqtt over a connection of its own."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import aiomqtt

from controller.clock import MonotonicClock
from controller.journal import Boot, Entry, Outgoing
from controller.journal_file import JournalFile
from mqtt.broker_line import BrokerLine, connect
from mqtt.connection import WINDOW
from mqtt.drain import CONTENT_TYPE, Drain
from mqtt.messages import LineSettings
from mqtt.packet_properties import publish_properties
from mqtt.topics import Root
from tests.bench.append import EFFECTS, STIMULUS
from tests.bench.broker import running_broker
from tests.bench.finding import Finding

GOAL = 0.9
REPEATS = 9
BATCH = 200
"""Entries that become durable together before the measurement."""
ROOT = Root("mahjong", "bench")
KIND, TABLE = "discarded", "t1"
PAYLOAD = (
    '{"specversion":"1.0","id":"t1-1796004063-17","source":"/mahjong/1/bench/node/bench",'
    '"type":"tablewarden.discarded","subject":"t1","time":"2026-11-30T02:01:03.957Z",'
    '"datacontenttype":"application/json","tableseq":17,"previous":16,"epoch":1796004063,'
    f'"cause":"table","causeid":"","data":{STIMULUS}}}'
).encode()


@dataclass(frozen=True, slots=True)
class Rates:
    """Messages a second, acknowledged by the broker, of each repeat."""

    bare: list[float]
    ours: list[float]

    @property
    def ratio(self) -> float:
        """The median of what ours came to beside the bare client in the same repeat."""
        return median(ours / bare for ours, bare in zip(self.ours, self.bare, strict=True))


def measure(folder: Path, count: int) -> Finding:
    """Publish the same messages bare and from an outbox, in turns."""
    return _finding(asyncio.run(_rates(folder, count)), count)


async def _rates(folder: Path, count: int) -> Rates:
    async with running_broker(folder) as port:
        return await _measured(port, folder, count)


async def _measured(port: int, folder: Path, count: int) -> Rates:
    settings = LineSettings("127.0.0.1", port, "tablewarden-bench")
    rates = Rates([], [])
    for _ in range(REPEATS):
        rates.bare.append(count / await _bare(port, count))
        rates.ours.append(count / await _ours(settings, folder, count))
    return rates


async def _bare(port: int, count: int) -> float:
    """Return the seconds that bare aiomqtt needs with a window's worth of publishes awaited."""
    clock, numbers = MonotonicClock(), iter(range(count))
    topic, properties = ROOT.event(TABLE, KIND), publish_properties(None, None, CONTENT_TYPE)
    client = aiomqtt.Client(
        "127.0.0.1",
        port,
        protocol=aiomqtt.ProtocolVersion.V5,
        max_inflight_messages=WINDOW,
    )
    client.pending_calls_threshold = WINDOW  # more of them are warned of, which would slow it down

    async def publish() -> None:
        for _ in numbers:
            await client.publish(topic, PAYLOAD, 1, properties=properties)

    async with client:
        began = clock.now()
        await asyncio.gather(*(publish() for _ in range(WINDOW)))
        return (clock.now() - began).total_seconds()


async def _ours(settings: LineSettings, folder: Path, count: int) -> float:
    """Return the seconds until a full outbox of the journal has nothing left."""
    clock = MonotonicClock()
    path = folder / f"{uuid.uuid4()}.sqlite"
    async with _filled(path, count) as journal, connect(settings) as line:
        began = clock.now()
        await _drained(journal, line)
        return (clock.now() - began).total_seconds()


async def _drained(journal: JournalFile, line: BrokerLine) -> None:
    drain = Drain(journal.outbox, ROOT, line)
    draining = asyncio.create_task(drain.run())
    await asyncio.wait(
        [draining, asyncio.ensure_future(drain.empty.wait())], return_when="FIRST_COMPLETED"
    )
    draining.cancel()
    with suppress(asyncio.CancelledError):
        await draining


@asynccontextmanager
async def _filled(path: Path, count: int) -> AsyncIterator[JournalFile]:
    clock = MonotonicClock()
    journal = await JournalFile.open(path, Boot(str(uuid.uuid4()), clock.now(), clock.utc(), ""))
    try:
        for first in range(1, count + 1, BATCH):
            batch = _entries(clock, range(first, min(first + BATCH, count + 1)))
            await asyncio.gather(*map(journal.submit, batch))
        yield journal
    finally:
        await journal.close()


def _entries(clock: MonotonicClock, numbers: range) -> Iterator[Entry]:
    for number in numbers:
        event = Outgoing(KIND, TABLE, number, PAYLOAD)
        yield Entry(TABLE, clock.now(), clock.utc(), STIMULUS, EFFECTS, number, (event,))


def _finding(rates: Rates, count: int) -> Finding:
    misses: tuple[str, ...] = ()
    if rates.ratio < GOAL:
        misses = (f"the outbox empties at {rates.ratio:.2f} x the rate of bare aiomqtt",)
    return Finding(
        number=5,
        title="QoS 1 publish rate from the outbox",
        goal=f"at least {GOAL} times bare aiomqtt",
        beside=f"bare aiomqtt to the same broker: the same {count} messages of {len(PAYLOAD)}"
        f" bytes, {WINDOW} publishes awaited at a time, in any order. Ours come out of the"
        " journal, in order, and are deleted from it as the broker acknowledges them. In turns,"
        f" {REPEATS} times; the ratio is the median of the repeats.",
        columns=("what", "repeats", "median msg/s", "least", "most", "to bare"),
        rows=(_row("bare aiomqtt", rates.bare, 1.0), _row("outbox", rates.ours, rates.ratio)),
        misses=misses,
    )


def _row(name: str, rates: list[float], ratio: float) -> tuple[str, ...]:
    readings = (median(rates), min(rates), max(rates))
    return (name, str(len(rates)), *(f"{each:.0f}" for each in readings), f"{ratio:.2f} x")
