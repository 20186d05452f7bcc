"""Polls one module each of many tables, over our driver or over bare pymodbus, on one event loop.

Runs as a process: `python -m tests.bench.polling WHO PORT TABLES HERTZ SECONDS`. Prints, as JSON,
when it was watched in microseconds, the processor time of that while, and how many presses of it
were told.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta

from pymodbus.client import AsyncModbusTcpClient
from pymodbus.exceptions import ModbusException

from controller.clock import MonotonicClock
from drivers.modbus.bus import Bus
from drivers.modbus.driver import ModbusTableDriver
from drivers.modbus.fitted import Fitted, Module
from drivers.modbus.lines import BusLine
from drivers.modbus.profile_file import read_profile, shipped_profiles
from drivers.modbus.pulses import Place
from table.errors import LinkLost
from table.events import ClaimPressed, DiscardPressed, Observed
from table.happening import Input
from table.seat import Seat

HOST = "127.0.0.1"
INPUTS = 8
WARM_UP = timedelta(seconds=2)
SETTLED = timedelta(milliseconds=500)
"""So long after a press was shown it is told: a claim is one when it is let go."""
ON_ITS_WAY = timedelta(milliseconds=50)
"""Between showing a press at the very end and our reading it."""
OURS, BARE = "ours", "bare"
FUNCTIONS = {
    f"{what}-{seat.value}": Place("seats", f"in{place * len(Seat) + seat.value}")
    for place, what in enumerate(Input)
    for seat in Seat
}
CLOCK = MonotonicClock()
PROFILE = read_profile(shipped_profiles()["waveshare-io-8ch"])


@asynccontextmanager
async def ours(port: int, period: timedelta, told: list[int]) -> AsyncIterator[None]:
    """Poll a table by our driver, down to the presses of its seats."""
    module = Module(Bus(BusLine.tcp(HOST, port), CLOCK.now), PROFILE, 1)
    table = Fitted({"seats": module}, FUNCTIONS, period)
    async with ModbusTableDriver(table, CLOCK.now).connect() as link:

        async def listen() -> None:
            with suppress(LinkLost):
                async for observed in link.events():
                    _note(observed, told)

        listening = asyncio.create_task(listen())
        yield
    await asyncio.wait([listening])


def _note(observed: Observed, told: list[int]) -> None:
    if isinstance(observed.event, DiscardPressed | ClaimPressed):
        told.append(observed.when.latest.micros)


@asynccontextmanager
async def bare(port: int, period: timedelta, _told: list[int]) -> AsyncIterator[None]:
    """Poll a module by pymodbus' own client and look at nothing that it says."""
    client = AsyncModbusTcpClient(HOST, port=port, retries=0, reconnect_delay=0)
    await client.connect()
    over = asyncio.Event()

    async def poll() -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        # Not ended by cancelling it: the client takes that for a matter of its own.
        while not over.is_set():
            with suppress(ModbusException):
                await client.read_discrete_inputs(0, count=INPUTS, device_id=1)
            due = max(due + period.total_seconds(), loop.time())
            await asyncio.sleep(due - loop.time())

    polling = asyncio.create_task(poll())
    yield
    over.set()
    await polling
    client.close()


Way = Callable[[int, timedelta, list[int]], AbstractAsyncContextManager[None]]
WAYS: dict[str, Way] = {OURS: ours, BARE: bare}


async def _watched(
    way: Way, port: int, tables: int, period: timedelta, seconds: int
) -> dict[str, float]:
    told: list[int] = []
    async with AsyncExitStack() as stack:
        for _ in range(tables):
            await stack.enter_async_context(way(port, period, told))
        await CLOCK.sleep_until(CLOCK.now() + WARM_UP)
        begin, used = CLOCK.now(), time.process_time()
        await CLOCK.sleep_until(begin + timedelta(seconds=seconds))
        used, end = time.process_time() - used, CLOCK.now()
        await CLOCK.sleep_until(end + SETTLED)
    return {
        "begin": begin.micros,
        "end": end.micros,
        "processor": used * 1e6,
        "told": sum(begin.micros <= at <= (end + ON_ITS_WAY).micros for at in told),
    }


if __name__ == "__main__":
    _port, _tables, _hertz, _seconds = map(int, sys.argv[2:6])
    _period = timedelta(seconds=1) / _hertz
    _figures = asyncio.run(_watched(WAYS[sys.argv[1]], _port, _tables, _period, _seconds))
    sys.stdout.write(json.dumps(_figures) + "\n")
