"""Members of a bus in virtual time, and what they keep of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from drivers.modbus.bus import Bus, Member
from drivers.modbus.bus_queue import Manners
from drivers.modbus.master_answers import Exchange
from drivers.modbus.requests import Read, Write
from table.errors import LinkLost
from tests.drivers.modbus.virtual_bus import FarEnd, Module, virtual_line
from tests.harness.virtual_loop import loop_now

MS = timedelta(milliseconds=1)
INPUTS = Read(2, 0, 8)
COUNTERS = Read(4, 60, 4)
PULSE = Write(5, 0x0200, (3,))
MANNERS = Manners(reply_within=50 * MS)


class Kept:
    """Takes exchanges and losses, and keeps them."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []
        self.losses: list[LinkLost] = []

    @property
    def answers(self) -> list[object]:
        return [exchange.answer for exchange in self.exchanges]


@asynccontextmanager
async def joined(bus: Bus, kept: Kept | None = None) -> AsyncIterator[Member]:
    async with bus.joined((kept or Kept()).losses.append) as member:
        yield member


def bus_of(far: FarEnd) -> Bus:
    return Bus(virtual_line(far), loop_now)


def healthy(*units: int) -> dict[int, Module]:
    return {unit: Module() for unit in units}
