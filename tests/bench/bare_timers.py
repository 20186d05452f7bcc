"""The peer of budget 2: nothing but asyncio timers, each writing a frame to a pty when it is due.

Run as a process of its own: `python -m tests.bench.bare_timers FD...` with one pty slave a table.
The other end stamps what arrives, as the simulator stamps the buzzers of the daemon.
"""

import asyncio
import os
import struct
import sys
import tty
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.bench.processes import ended

PERIOD_SECONDS = 3.0
"""One timer a table and turn, as under play load."""
FRAME = struct.Struct("<dq")


@dataclass(frozen=True, slots=True)
class Rung:
    """A timer that fired: when its frame arrived, and how late that was, in microseconds."""

    monotonic_us: int
    late_us: float


@asynccontextmanager
async def bare_timers(tables: int) -> AsyncIterator[list[Rung]]:
    """Run as many timers as the hall has tables and collect how late each was."""
    rung: list[Rung] = []
    ptys = [os.openpty() for _ in range(tables)]
    loop = asyncio.get_running_loop()
    try:
        for master, slave in ptys:
            os.set_blocking(master, False)
            tty.setraw(slave)
            loop.add_reader(master, _stamp, master, rung)
        async with _writer([slave for _, slave in ptys]):
            yield rung
    finally:
        for master, slave in ptys:
            loop.remove_reader(master)
            os.close(master)
            os.close(slave)


def _stamp(master: int, rung: list[Rung]) -> None:
    now = asyncio.get_running_loop().time()
    for due, _ in FRAME.iter_unpack(os.read(master, FRAME.size * 16)):
        rung.append(Rung(int(now * 1e6), (now - due) * 1e6))


@asynccontextmanager
async def _writer(slaves: list[int]) -> AsyncIterator[Process]:
    command = [sys.executable, "-m", "tests.bench.bare_timers", *map(str, slaves)]
    writer = await asyncio.create_subprocess_exec(*command, pass_fds=slaves)
    async with ended(writer):
        yield writer


async def _write_when_due(slaves: list[int]) -> None:
    loop = asyncio.get_running_loop()

    def fire(slave: int, due: float) -> None:
        os.write(slave, FRAME.pack(due, slave))
        arm(slave, due + PERIOD_SECONDS)

    def arm(slave: int, due: float) -> None:
        loop.call_at(due, fire, slave, due)

    start = loop.time() + 1
    for place, slave in enumerate(slaves):
        arm(slave, start + PERIOD_SECONDS * place / len(slaves))
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_write_when_due([int(argument) for argument in sys.argv[1:]]))
