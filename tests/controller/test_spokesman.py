"""Two daemons that bear one name: the older is thrown out and stays away."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from controller.spokesman import AWAY, speak
from mqtt.messages import Protocol
from mqtt.payloads import Heartbeat, NodeAvailability
from table.errors import BrokerError
from tests.harness.broker import Mosquitto, mosquitto
from tests.harness.virtual_clock import VirtualClock
from tests.journeys.hall import until
from tests.mqtt.speaking import PLACE, ROOT, Node
from tests.mqtt.watcher import PATIENCE_SECONDS, Watcher, watching

PROTOCOLS = pytest.mark.parametrize("protocol", ["5", "3.1.1"])
QUICK = replace(PLACE, beat_seconds=1.0)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A mosquitto that everybody may use."""
    with mosquitto(tmp_path) as running:
        yield running


@dataclass
class Daemon:
    """A node that keeps speaking, by a clock of its own."""

    node: Node
    clock: VirtualClock = field(default_factory=VirtualClock)

    async def until_it_waits(self) -> None:
        await until(lambda: self.clock.next_deadline is not None)

    async def wait_over(self, span: timedelta) -> None:
        """Have it try again after a wait, and wait until it waits again."""
        await self.until_it_waits()
        await self.clock.advance(span)
        await self.until_it_waits()


@asynccontextmanager
async def running(daemon: Daemon) -> AsyncIterator[None]:
    task = asyncio.create_task(speak(daemon.node.publisher.serve, daemon.clock))
    async with asyncio.timeout(PATIENCE_SECONDS):
        await daemon.node.publisher.connected.wait()
    yield
    task.cancel()
    await asyncio.wait([task])


def connections(broker: Mosquitto) -> int:
    """Return how often anybody connected as the node."""
    log = (broker.directory / "mosquitto.log").read_text(encoding="utf-8")
    news = (line for line in log.splitlines() if "New client connected" in line)
    return sum(f"as {PLACE.client_id} (" in line for line in news)


def beats(watcher: Watcher) -> list[int]:
    said = watcher.payloads(ROOT.heartbeat("n1"))
    return [Heartbeat.model_validate_json(one).session for one in said]


def statuses(watcher: Watcher) -> list[tuple[str, int]]:
    said = map(NodeAvailability.model_validate_json, watcher.payloads(PLACE.topic))
    return [(one.status, one.session) for one in said]


def two(broker: Mosquitto, protocol: Protocol, newer: int = 8) -> tuple[Daemon, Daemon]:
    places = (QUICK, replace(QUICK, session=newer))
    older, newest = (Daemon(Node(broker.line("", protocol), place)) for place in places)
    return older, newest


@PROTOCOLS
@pytest.mark.parametrize("session", [8, 6])
async def test_the_older_of_two_daemons_is_thrown_out_and_stays_away(
    broker: Mosquitto, protocol: Protocol, session: int, caplog: pytest.LogCaptureFixture
) -> None:
    older, newer = two(broker, protocol, session)
    async with (
        watching(broker.line("watcher"), (f"{ROOT.path}/#",)) as watcher,
        running(older),
        running(newer),
    ):
        await watcher.until(lambda _: session in beats(watcher))
        watcher.seen.clear()
        for _ in range(3):
            await older.wait_over(AWAY)
        assert newer.node.publisher.connected.is_set()
        assert newer.clock.next_deadline is None
        await watcher.until(lambda _: len(beats(watcher)) > 2)
        assert set(beats(watcher)) == {session}
    assert connections(broker) == 2
    alarms = [one.getMessage() for one in caplog.records if one.levelname == "ERROR"]
    assert len(alarms) >= 3
    assert all("another daemon speaks as node n1" in one for one in alarms)
    assert all("tables play on" in one for one in alarms)


@PROTOCOLS
async def test_the_older_daemon_is_back_when_the_newer_has_stopped(
    broker: Mosquitto, protocol: Protocol
) -> None:
    older, newer = two(broker, protocol)
    async with watching(broker.line("watcher"), (PLACE.topic,)) as watcher, running(older):
        async with running(newer):
            await older.wait_over(AWAY)
        await older.clock.advance(AWAY)
        await watcher.until(lambda _: statuses(watcher)[-1] == ("online", 7))
        assert statuses(watcher)[-2] == ("offline", 8)


@PROTOCOLS
async def test_what_a_dead_daemon_left_at_the_broker_keeps_nobody_away(
    broker: Mosquitto, protocol: Protocol
) -> None:
    """Its last word was `online`, in another session; but it does not beat."""
    daemon = Daemon(Node(broker.line("", protocol), QUICK))
    async with watching(broker.line("watcher"), (PLACE.topic,)) as watcher, running(daemon):
        await watcher.until(len)
        broker.kill()
        await daemon.until_it_waits()
    broker.start()
    async with watching(broker.line("watcher")) as watcher:
        await watcher.publish(replace(PLACE, session=9).presence("online", PLACE.since))
        async with running(daemon):
            await watcher.until(lambda _: len(watcher.payloads(PLACE.topic)) == 2)


@PROTOCOLS
async def test_a_daemon_that_is_only_said_to_be_there_keeps_nobody_away(
    broker: Mosquitto, protocol: Protocol
) -> None:
    """Whoever may write the topic claims a newer session; but nobody beats in it."""
    daemon = Daemon(Node(broker.line("", protocol), QUICK))
    async with watching(broker.line("watcher"), (PLACE.topic,)) as watcher, running(daemon):
        await watcher.until(len)
        await watcher.publish(replace(PLACE, session=9).presence("online", PLACE.since))
        await daemon.until_it_waits()
        await daemon.clock.advance(AWAY / 4)
        await watcher.until(lambda _: statuses(watcher)[-1] == ("online", 7))
        assert ("online", 9) in statuses(watcher)


async def test_a_broker_that_is_away_is_tried_again_and_told_of_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, tried = VirtualClock(), 0

    async def serve() -> None:
        nonlocal tried
        tried += 1
        if tried < 5:
            message = "nobody listens"
            raise BrokerError(message)

    speaking = asyncio.create_task(speak(serve, clock))
    await clock.advance(timedelta(seconds=30))
    await speaking
    assert tried == 5
    assert caplog.text.count("the broker is away, tables play on: nobody listens") == 1
