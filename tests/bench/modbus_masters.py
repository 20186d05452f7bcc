"""Whether pymodbus' own client can be the master of a shared bus, beside ours.

`make bench` shows it; `python -m tests.bench.modbus_masters` prints the table alone. The far end is
a pseudo-terminal with eight modules paced at 115200 baud, in a thread of its own; requests read 8
inputs. What is asked of a master is in docs/adr, with the figures of one run.
"""

import asyncio
import logging
import os
import resource
import sys
import time
from bisect import bisect_left
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import Protocol

from pymodbus.client import AsyncModbusSerialClient
from pymodbus.exceptions import ModbusException
from pymodbus.pdu import ModbusPDU

from drivers.modbus.lines import BusLine
from drivers.modbus.master import Master
from drivers.modbus.master_answers import Replied
from drivers.modbus.requests import Read
from tests.bench.finding import Finding
from tests.drivers.modbus.paced_bus import Module, PacedBus, bus_in_a_thread
from tests.harness.virtual_loop import loop_now

BAUDRATE = 115200
TIME_OUT_SECONDS = 0.05
ROUNDS = 60
POLLS = 2000
DEAD = 4
SELECT_KNOWS = 1024
INPUTS, REGISTERS = Read(2, 0, 8), Read(3, 100, 4)


class Asker(Protocol):
    """A master under test: returns the values of an answer, or None for none."""

    async def read(self, unit: int, request: Read) -> tuple[int, ...] | None:
        """Ask once."""


class Library:
    """pymodbus' client, its retries and reconnects off."""

    def __init__(self, client: AsyncModbusSerialClient) -> None:
        self._client = client

    async def read(self, unit: int, request: Read) -> tuple[int, ...] | None:
        client = self._client
        calls: dict[int, Callable[..., Awaitable[ModbusPDU]]] = {
            2: client.read_discrete_inputs,
            3: client.read_holding_registers,
        }
        try:
            pdu = await calls[request.function](
                request.address, count=request.count, device_id=unit
            )
        except ModbusException:
            return None
        return tuple(map(int, pdu.registers or pdu.bits))


class Ours:
    """Our master."""

    def __init__(self, master: Master, patience: timedelta) -> None:
        self._master = master
        self._patience = patience

    async def read(self, unit: int, request: Read) -> tuple[int, ...] | None:
        answer = (await self._master.ask(unit, request, self._patience)).answer
        return answer.values if isinstance(answer, Replied) else None


Opener = Callable[[str, float], AbstractAsyncContextManager[Asker]]


@asynccontextmanager
async def library(path: str, seconds: float) -> AsyncIterator[Asker]:
    client = AsyncModbusSerialClient(
        path, baudrate=BAUDRATE, timeout=seconds, retries=0, reconnect_delay=0
    )
    await client.connect()
    yield Library(client)
    client.close()


@asynccontextmanager
async def ours(path: str, seconds: float) -> AsyncIterator[Asker]:
    master = Master(BusLine.rtu(path, BAUDRATE), loop_now, lambda _cause: None)
    await master.open()
    yield Ours(master, timedelta(seconds=seconds))
    await master.close()


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table."""

    what: str
    pymodbus: str
    ours: str


async def rounds(opener: Opener, dead: int | None) -> tuple[dict[int, float], PacedBus]:
    """Ask all eight in turn; return each one's median time in ms, and the bus as it heard it."""
    loop = asyncio.get_running_loop()
    modules = {unit: Module(silent=unit == dead) for unit in range(1, 9)}
    took: dict[int, list[float]] = {unit: [] for unit in modules}
    with bus_in_a_thread(modules, BAUDRATE) as bus:
        async with opener(bus.port.path, TIME_OUT_SECONDS) as asker:
            for _ in range(ROUNDS):
                for unit in modules:
                    began = loop.time()
                    await asker.read(unit, INPUTS)
                    took[unit].append((loop.time() - began) * 1e3)
    return {unit: median(times) for unit, times in took.items()}, bus


async def dead_one(opener: Opener) -> str:
    """Return the slice of time that a dead module takes of a round."""
    took, _ = await rounds(opener, DEAD)
    return f"{took[DEAD]:.1f} ms"


async def neighbours(opener: Opener) -> str:
    """Return what a living module takes, beside a dead one and without."""
    whole, _ = await rounds(opener, None)
    beside, _ = await rounds(opener, DEAD)
    return f"{beside[DEAD + 1]:.1f} ms ({whole[DEAD + 1]:.1f} without)"


async def gaps(opener: Opener) -> str:
    """Return the silence between an answer and the next request."""
    _, bus = await rounds(opener, None)
    said = sorted(at for _, at in bus.said)
    found = [at - said[bisect_left(said, at) - 1] for at, _ in bus.heard[1:]]
    return f"{min(found) * 1e3:.2f} ms (median {median(found) * 1e3:.2f})"


async def late_answer(opener: Opener) -> str:
    """Ask for inputs, be answered too late, and ask the same module for registers meanwhile."""
    with bus_in_a_thread({1: Module(thinks_seconds=0.07, filled_with=0xAA)}, BAUDRATE) as bus:
        async with opener(bus.port.path, TIME_OUT_SECONDS) as asker:
            await asker.read(1, INPUTS)
            bus.modules[1].filled_with = 0
            values = await asker.read(1, REGISTERS)
    if values is None:
        return "no answer"
    return "its own answer" if values == (0,) * REGISTERS.count else f"the late one: {values}"


async def pulled_cable(opener: Opener) -> str:
    """Return how long after the cable was pulled who waits for an answer learns of it."""
    loop = asyncio.get_running_loop()
    with bus_in_a_thread({1: Module(silent=True)}, BAUDRATE) as bus:
        async with opener(bus.port.path, 1.0) as asker:
            asking = asyncio.create_task(asker.read(1, INPUTS))
            await asyncio.sleep(0.1)
            pulled = loop.time()
            bus.port.unplug()
            await asking
            return f"{(loop.time() - pulled) * 1e3:.0f} ms"


async def many_ports(opener: Opener) -> str:
    """Open a port as the descriptors of a large hall leave it."""
    with bus_in_a_thread({1: Module()}, BAUDRATE) as bus, taken_descriptors():
        async with opener(bus.port.path, TIME_OUT_SECONDS) as asker:
            values = await asker.read(1, INPUTS)
    return "answered" if values is not None else "never read"


@contextmanager
def taken_descriptors() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[1], 4096), before[1]))
    taken = [os.open(os.devnull, os.O_RDONLY)]
    while taken[-1] <= SELECT_KNOWS:
        taken.append(os.dup(taken[0]))
    yield
    for descriptor in taken:
        os.close(descriptor)
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


async def cost(opener: Opener) -> str:
    """Return the processor time of a poll in the master's thread."""
    with bus_in_a_thread({1: Module(thinks_seconds=0)}, BAUDRATE) as bus:
        async with opener(bus.port.path, TIME_OUT_SECONDS) as asker:
            began = time.thread_time()
            for _ in range(POLLS):
                await asker.read(1, INPUTS)
            return f"{(time.thread_time() - began) / POLLS * 1e6:.0f} us"


MEASURES: tuple[tuple[str, Callable[[Opener], Awaitable[str]]], ...] = (
    ("a dead one of eight takes (time-out 50 ms)", dead_one),
    ("the one after it takes", neighbours),
    ("silence before a request (1.75 ms are due)", gaps),
    ("FC 3 asked while a late FC 2 answer comes", late_answer),
    ("a pulled cable is told after (time-out 1 s)", pulled_cable),
    ("a port beyond descriptor 1023", many_ports),
    ("processor time of a poll", cost),
)


async def measured() -> list[Figure]:
    """Run every measure with both masters."""
    return [Figure(what, await measure(library), await measure(ours)) for what, measure in MEASURES]


def figures() -> list[Figure]:
    """Measure both masters, unheard: each is driven into every trouble there is."""
    for name in ("pymodbus.logging", "asyncio", "drivers"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return asyncio.run(measured())


def finding() -> Finding:
    """Show what pymodbus' client does as the master of a shared bus, and ours."""
    return Finding(
        number=4,
        title="masters of a shared bus",
        goal="none: the grounds for a master of our own (docs/adr/0029)",
        beside="pymodbus' own client, its retries and reconnections off, on a pseudo-terminal with"
        f" eight modules paced at {BAUDRATE} baud in a thread of the same process, which makes the"
        " processor time of a poll more than it is elsewhere.",
        columns=("what", "pymodbus", "ours"),
        rows=tuple((figure.what, figure.pymodbus, figure.ours) for figure in figures()),
        judged=False,
    )


def main() -> None:
    """Print the table."""
    head = "| what | pymodbus | ours |\n| --- | --- | --- |\n"
    rows = [f"| {figure.what} | {figure.pymodbus} | {figure.ours} |\n" for figure in figures()]
    sys.stdout.write(head + "".join(rows))


if __name__ == "__main__":
    main()
