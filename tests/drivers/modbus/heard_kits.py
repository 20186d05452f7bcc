"""Drivers that listen to pressed tables: on real ports, or in virtual time."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from drivers.modbus.bus import Bus
from drivers.modbus.driver import ModbusTableDriver
from drivers.modbus.link import ModbusTableLink
from tests.drivers.modbus.kit_table import CLOCK, PERIOD, connected, fitted_on
from tests.drivers.modbus.plant_line import VirtualPlant
from tests.drivers.modbus.pressed_far_end import LINGERS_SECONDS, understood
from tests.drivers.modbus.pressed_kits import (
    SEATS_MODULE,
    Hearing,
    Pressed,
    Waiting,
    port_lines,
    pressed_by_lot,
    pressed_table,
    truth_of,
)
from tests.harness.virtual_loop import loop_now, played

MEASURED_EVERY_SECONDS = 0.3
PATIENCE_SECONDS = 300
Heard = tuple[list[list[Pressed]], list[Hearing]]


@dataclass(frozen=True, slots=True)
class Group:
    """Tables of a kit that are pressed at one time."""

    kit: str
    tables: int
    presses: int
    """At each table."""
    seed: int


async def heard_on_ports(group: Group, folder: Path) -> Heard:
    """Press tables on real ports that another process serves, and return truth and hearing."""
    hearings = [Hearing(CLOCK.now) for _ in range(group.tables)]
    async with asyncio.timeout(PATIENCE_SECONDS), _far_end(group, folder) as far:
        places = json.loads(await _line(far))["ports"]
        drivers = [_driver(group.kit, ports) for ports in places]
        async with AsyncExitStack() as stack:
            for driver, hearing in zip(drivers, hearings, strict=True):
                await stack.enter_async_context(_listening(driver, hearing, group.kit))
            assert far.stdin
            far.stdin.write(b"go\n")
            truth = understood(json.loads(await _line(far)))
        far.stdin.write(b"end\n")
    return truth, hearings


def heard_in_virtual_time(group: Group) -> Heard:
    """Press tables one after the other where nothing but the wire takes time."""
    heard = [
        played(_one_table(group, Random(f"{group.kit} {group.seed} {place}")))
        for place in range(group.tables)
    ]
    return [truth for truth, _ in heard], [hearing for _, hearing in heard]


def _one_table(
    group: Group, random: Random
) -> Callable[[], Coroutine[None, None, tuple[list[Pressed], Hearing]]]:
    async def play() -> tuple[list[Pressed], Hearing]:
        deeds, hearing = (
            Waiting(pressed_by_lot(random, group.kit, group.presses)),
            Hearing(loop_now),
        )
        plant = VirtualPlant(pressed_table(group.kit, deeds), loop_now)
        ends = list(plant.table.ends)
        ports = ["tcp://far:502" for _ in ends] if "bus" not in ends else ["far"]
        buses = [
            Bus(plant.line(line, end), loop_now)
            for line, end in zip(port_lines(group.kit, ports), ends, strict=True)
        ]
        driver = ModbusTableDriver(fitted_on(group.kit, buses, PERIOD), loop_now)
        async with _listening(driver, hearing, group.kit):
            deeds.begin_now(loop_now())
            await asyncio.sleep(deeds.lasts.total_seconds() + LINGERS_SECONDS)
        return truth_of(plant.table), hearing

    return play


def _driver(kit: str, ports: list[str]) -> ModbusTableDriver:
    buses = [Bus(line, CLOCK.now) for line in port_lines(kit, ports)]
    return ModbusTableDriver(fitted_on(kit, buses, PERIOD), CLOCK.now)


@asynccontextmanager
async def _listening(driver: ModbusTableDriver, hearing: Hearing, kit: str) -> AsyncIterator[None]:
    """Connect, and listen and measure until the end; a link that is lost meanwhile is strange."""
    async with connected(driver) as link, asyncio.TaskGroup() as tasks:
        assert isinstance(link, ModbusTableLink)
        listening = tasks.create_task(hearing.listen(link.events()))
        measuring = tasks.create_task(_measure(link, hearing, SEATS_MODULE[kit]))
        try:
            yield
        finally:
            listening.cancel()
            measuring.cancel()


async def _measure(link: ModbusTableLink, hearing: Hearing, module: str) -> None:
    while True:
        await asyncio.sleep(MEASURED_EVERY_SECONDS)
        hearing.measure(link, module)


@asynccontextmanager
async def _far_end(group: Group, folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    far = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.drivers.modbus.pressed_far_end",
        group.kit,
        *map(str, (group.tables, group.presses, group.seed, folder)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**22,
    )
    try:
        yield far
    finally:
        with suppress(ProcessLookupError):
            far.kill()
        await far.wait()


async def _line(far: asyncio.subprocess.Process) -> bytes:
    assert far.stdout
    return await far.stdout.readline()
