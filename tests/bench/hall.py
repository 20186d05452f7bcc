"""A whole hall as processes: simulated tables, broker, daemon, and a listener written in C."""

import asyncio
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import psutil

from controller.clock import MonotonicClock
from table.moment import Moment
from tests.bench.broker import running_broker
from tests.bench.processes import ended, process

WARM_UP = timedelta(seconds=8)
"""Left out of every figure: connecting, first imports, the first clock fits."""
PATIENCE = timedelta(seconds=60)
SAMPLES_EACH = timedelta(seconds=1)


class HallFailed(Exception):
    """A process of the hall did not do its part."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How large a hall is, how long it is watched, and what its event overrides."""

    tables: int
    watch: timedelta
    event: dict[str, float] = field(default_factory=dict)
    """Keys of the section `event`."""
    overrides: dict[str, float] = field(default_factory=dict)
    """Keys of the section `event.overrides`."""

    @property
    def names(self) -> list[str]:
        """The ids of the tables."""
        return [f"t{number}" for number in range(1, self.tables + 1)]


@dataclass(frozen=True, slots=True)
class Watched:
    """Where the hall's traces lie, and what its daemon used."""

    folder: Path
    arrivals: Path
    """What the listener wrote."""
    begin: Moment
    end: Moment
    resident: tuple[int, ...]
    """Memory of the daemon in bytes, once a second."""
    processor: float
    """Share of one core that the daemon used."""


async def watch(plan: Plan, program: Path, folder: Path) -> Watched:
    """Run a hall under play load and watch it for a while.

    Raises:
        HallFailed: a process ended or did not get ready.
    """
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(running_broker(folder))
        await stack.enter_async_context(_simulator(plan, folder))
        arrivals = folder / "arrivals.txt"
        await stack.enter_async_context(listener(program, port, arrivals))
        settings = _settings(plan, folder, port)
        daemon = await stack.enter_async_context(_daemon(settings, folder))

        def ready() -> bool:
            if daemon.returncode is not None:
                raise HallFailed(_last_words(folder / "daemon.err"))
            return _online(arrivals) >= plan.tables

        await _until(ready, "all tables to be online")
        return await _sample(plan, psutil.Process(daemon.pid), folder, arrivals)


async def _sample(plan: Plan, daemon: psutil.Process, folder: Path, arrivals: Path) -> Watched:
    clock = MonotonicClock()
    await clock.sleep_until(clock.now() + WARM_UP)
    begin, used = clock.now(), sum(daemon.cpu_times()[:2])
    resident = []
    while clock.now() < begin + plan.watch:
        resident.append(daemon.memory_info().rss)
        await clock.sleep_until(clock.now() + SAMPLES_EACH)
    end = clock.now()
    share = (sum(daemon.cpu_times()[:2]) - used) / (end - begin).total_seconds()
    return Watched(folder, arrivals, begin, end, tuple(resident), share)


def _settings(plan: Plan, folder: Path, broker_port: int) -> Path:
    sections: dict[str, dict[str, object]] = {
        "node": {"id": "bench", "venue": "bench", "state_directory": str(folder / "state")},
        "broker": {"port": broker_port},
        "event": {"ruleset": "mcr-2014", **plan.event},
        "event.overrides": {**plan.overrides},
    }
    for name in plan.names:
        sections[f"tables.{name}"] = {"wire": "serial-link", "port": str(folder / name)}
    lines = [
        line
        for section, keys in sections.items()
        for line in (f"[{section}]", *(f"{key} = {_toml(value)}" for key, value in keys.items()))
    ]
    path = folder / "hall.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


@asynccontextmanager
async def _simulator(plan: Plan, folder: Path) -> AsyncIterator[Process]:
    chosen = [word for name in plan.names for word in ("--table", name)]
    command = [sys.executable, "-m", "simulator", "--dir", str(folder), "--play-load", *chosen]
    async with process(command, folder / "simulator.err") as simulator:
        async with asyncio.timeout(PATIENCE.seconds):
            while (line := await _line(simulator)) != "ready":
                if not line:
                    raise HallFailed(_last_words(folder / "simulator.err"))
        yield simulator


@asynccontextmanager
async def listener(program: Path, port: int, arrivals: Path) -> AsyncIterator[Process]:
    """Write down what arrives at the broker from now on, each with its moment."""
    with arrivals.open("wb") as file:
        listening = await asyncio.create_subprocess_exec(
            program, "listen", str(port), "#", stdout=file
        )
        async with ended(listening):
            await _until(lambda: arrivals.stat().st_size > 0, "the listener to subscribe")
            yield listening


@asynccontextmanager
async def _daemon(settings: Path, folder: Path) -> AsyncIterator[Process]:
    command = [sys.executable, "-m", "controller", "run", "--config", str(settings)]
    async with process(command, folder / "daemon.err") as daemon:
        yield daemon


async def _line(started: Process) -> str:
    if started.stdout is None:
        return ""
    return (await started.stdout.readline()).decode().strip()


def _online(arrivals: Path) -> int:
    lines = arrivals.read_text(encoding="utf-8").splitlines()
    return len(
        {line.split()[1] for line in lines if "/avail/table/" in line and '"online"' in line}
    )


async def _until(reached: Callable[[], bool], what: str) -> None:
    clock = MonotonicClock()
    patience_ends = clock.now() + PATIENCE
    while not reached():
        if clock.now() > patience_ends:
            message = f"waited {PATIENCE.seconds} s for {what}"
            raise HallFailed(message)
        await clock.sleep_until(clock.now() + timedelta(milliseconds=100))


def _last_words(errors: Path) -> str:
    return errors.read_text(encoding="utf-8")[-2000:]
