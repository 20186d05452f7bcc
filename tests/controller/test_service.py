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
    watchdog = Watchdog(clock, service, ["journal", "t1"])
    assert watchdog.beat == 2 * SECOND
    for _ in range(5):
        await clock.advance(2 * SECOND)
        watchdog.moved("t1")
        watchdog.moved("journal")
        assert watchdog.feed() == []
    assert manager.heard() == 5 * ["WATCHDOG=1"]


@pytest.mark.parametrize("stuck", ["journal", "t1"])
async def test_one_part_that_stands_still_stops_the_feeding(
    manager: Manager, service: ServiceManager, stuck: str
) -> None:
    clock = VirtualClock()
    watchdog = Watchdog(clock, service, ["journal", "t1"])
    await clock.advance(4 * SECOND)
    assert watchdog.feed() == []
    await clock.advance(MICROSECOND)
    for part in {"journal", "t1"} - {stuck}:
        watchdog.moved(part)
    assert watchdog.feed() == [stuck]
    watchdog.moved(stuck)
    assert watchdog.feed() == []
    assert manager.heard() == 2 * ["WATCHDOG=1"]


async def test_a_part_that_ended_as_it_should_is_not_missed(service: ServiceManager) -> None:
    clock = VirtualClock()
    watchdog = Watchdog(clock, service, ["journal", "t1"])
    await clock.advance(5 * SECOND)
    watchdog.retire("t1")
    watchdog.moved("journal")
    assert watchdog.still() == []


async def test_without_a_watchdog_nobody_is_expected_to_move() -> None:
    clock = VirtualClock()
    watchdog = Watchdog(clock, ServiceManager({}), ["t1"])
    await clock.advance(3600 * SECOND)
    assert watchdog.beat is None
    assert watchdog.feed() == []
