import asyncio
import logging
import socket
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from controller.service import ServiceManager, Watchdog
from table.moment import MICROSECOND
from tests.harness.virtual_clock import VirtualClock

SECOND = timedelta(seconds=1)


class Manager:
    """The service manager's end of the line, a real socket."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._line.bind(f"\0{name[1:]}" if name.startswith("@") else name)

    def heard(self) -> list[str]:
        said: list[str] = []
        while True:
            try:
                said.append(self._line.recv(4096).decode())
            except BlockingIOError:
                return said

    def close(self) -> None:
        self._line.close()


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    path = str(tmp_path / "notify")
    opened = Manager(path if request.param == "path" else f"@tablewarden-{uuid4()}")
    yield opened
    opened.close()


@pytest.fixture
def service(manager: Manager) -> ServiceManager:
    return ServiceManager({"NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "8000000"})


def test_every_word_arrives_as_the_manager_expects_it(
    manager: Manager, service: ServiceManager
) -> None:
    service.ready()
    service.status("3 tables,\nbroker away since 12:04")
    service.alive()
    service.stopping()
    assert manager.heard() == [
        "READY=1",
        "STATUS=3 tables, broker away since 12:04",
        "WATCHDOG=1",
        "STOPPING=1",
    ]


def test_the_interval_is_what_the_unit_says(service: ServiceManager) -> None:
    assert service.watchdog_interval == 8 * SECOND
    assert ServiceManager({}).watchdog_interval is None


def test_without_a_manager_nothing_is_said_and_nothing_fails(tmp_path: Path) -> None:
    ServiceManager({}).ready()
    ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).ready()


def test_a_manager_that_does_not_listen_holds_nothing_up(service: ServiceManager) -> None:
    for _ in range(10_000):
        service.alive()


async def test_the_watchdog_is_fed_while_every_part_moves(
    manager: Manager, service: ServiceManager
) -> None:
    clock = VirtualClock()
    watchdog = Watchdog(clock.now, service)
    parts = [watchdog.part("journal"), watchdog.part("table t1")]
    for _ in range(5):
        await clock.advance(2 * SECOND)
        for moved in parts:
            moved()
        assert watchdog.feed() == []
    assert manager.heard() == 5 * ["WATCHDOG=1"]


@pytest.mark.parametrize("stuck", ["journal", "table t1"])
async def test_one_part_that_stands_still_stops_the_feeding(
    manager: Manager, service: ServiceManager, stuck: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    clock = VirtualClock()
    watchdog = Watchdog(clock.now, service)
    moved = {part: watchdog.part(part) for part in ("journal", "table t1")}
    await clock.advance(4 * SECOND)
    assert watchdog.feed() == []
    await clock.advance(MICROSECOND)
    for part in moved.keys() - {stuck}:
        moved[part]()
    assert watchdog.feed() == watchdog.feed() == [stuck]
    moved[stuck]()
    assert watchdog.feed() == []
    assert manager.heard() == 2 * ["WATCHDOG=1"]
    told = [record.getMessage() for record in caplog.records]
    assert told == [f"standing still: {stuck}", "every part moves again"]


async def test_without_a_watchdog_nobody_is_expected_to_move() -> None:
    clock = VirtualClock()
    watchdog = Watchdog(clock.now, ServiceManager({}))
    watchdog.part("table t1")
    await clock.advance(3600 * SECOND)
    assert watchdog.feed() == []


@pytest.mark.parametrize("micros", ["4000", ""], ids=["watchdog", "no-watchdog"])
async def test_a_running_watchdog_says_ready_then_feeds_then_says_stopping(
    manager: Manager, micros: str
) -> None:
    service = ServiceManager({"NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": micros})
    running = asyncio.create_task(Watchdog(VirtualClock().now, service).run())
    said: list[str] = []
    async with asyncio.timeout(10):
        while "READY=1" not in said or (micros and said.count("WATCHDOG=1") < 3):
            said += manager.heard()
            await asyncio.sleep(0)
    running.cancel()
    await asyncio.wait([running])
    said += manager.heard()
    assert (said[0], said[-1]) == ("READY=1", "STOPPING=1")
    assert ("WATCHDOG=1" in said) is bool(micros)
