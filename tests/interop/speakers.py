"""Clients of other people at a broker, programs of their own: what they hear and what they say."""

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from mqtt.messages import Protocol
from tests.harness.broker import HOST
from tests.interop.broker import Door

Said: TypeAlias = dict[str, Any]
Say: TypeAlias = Callable[[str, str], Awaitable[None]]
SPEAK = Path(__file__).with_name("speak.mjs")
PATIENCE = 30.0


@dataclass(frozen=True)
class Speaker:
    """A listening program that prints `topic payload`, and a way to publish."""

    listener: Process
    say: Say
    """Publishes a payload on a topic, with QoS 1 and, in MQTT 5, an expiry of 5 s."""

    async def hears(self, topic: str, wanted: Callable[[Said], object]) -> Said:
        """Return the next payload of a topic that is wanted."""
        assert self.listener.stdout
        async with asyncio.timeout(PATIENCE):
            async for line in self.listener.stdout:
                name, _, payload = line.decode().partition(" ")
                if name == topic and wanted(said := json.loads(payload)):
                    return dict(said)
        raise AssertionError(topic)


@dataclass(frozen=True)
class Visit:
    """Who comes by which door, and what it listens to."""

    door: Door
    login: str
    protocol: Protocol
    filters: tuple[str, ...]


@asynccontextmanager
async def mosquitto_clients(visit: Visit) -> AsyncIterator[Speaker]:
    """Speak with mosquitto_sub and mosquitto_pub, over TCP."""
    version = "mqttv5" if visit.protocol == "5" else "mqttv311"
    place = ("-h", HOST, "-p", str(visit.door.port), "-V", version, "-q", "1")
    login = ("-u", visit.login, "-P", visit.login)
    expiry = ("-D", "PUBLISH", "message-expiry-interval", "5") if visit.protocol == "5" else ()
    filters = (word for each in visit.filters for word in ("-t", each))

    async def say(topic: str, payload: str) -> None:
        message = ("-t", topic, "-m", payload, *expiry)
        async with _running("mosquitto_pub", *place, *login, *message) as publisher:
            assert await publisher.wait() == 0

    form = ("-F", "%t %p")
    async with _running("mosquitto_sub", *place, *login, *form, *filters) as listener:
        yield Speaker(listener, say)


@asynccontextmanager
async def mqtt_js(visit: Visit) -> AsyncIterator[Speaker]:
    """Speak with MQTT.js, over WebSockets."""
    who = (visit.door.address, visit.protocol, visit.login)
    async with _running("node", str(SPEAK), *who, *visit.filters) as program:

        async def say(topic: str, payload: str) -> None:
            assert program.stdin
            program.stdin.write(f"{topic} {payload}\n".encode())
            await program.stdin.drain()

        yield Speaker(program, say)


@asynccontextmanager
async def _running(*command: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
