"""Clients of other people at a broker, each a program of its own: what they read and order."""

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from mqtt.messages import Protocol
from tests.harness.broker import HOST
from tests.interop.broker import Door

Said: TypeAlias = dict[str, Any]
SPEAK = Path(__file__).with_name("speak.mjs")
PATIENCE = 30.0


@asynccontextmanager
async def printing(*command: str | Path) -> AsyncIterator[Process]:
    """Run a program whose output is read, as long as the context lasts."""
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
    try:
        async with asyncio.timeout(PATIENCE):
            yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def heard(process: Process) -> Said:
    """Return the next payload that a program prints."""
    assert process.stdout
    line = await process.stdout.readline()
    assert line, "the program ended"
    said: Said = json.loads(line)
    return said


async def answer(process: Process) -> Said:
    """Return the final answer that a program prints."""
    while (said := await heard(process))["status"] == "accepted":
        pass
    return said


@dataclass(frozen=True)
class MosquittoClients:
    """mosquitto_sub and mosquitto_pub, over TCP."""

    door: Door
    login: str
    protocol: Protocol

    async def read(self, topic: str) -> Said:
        """Return the first thing that is said on a topic."""
        async with printing(*self._program("mosquitto_sub"), "-t", topic) as listener:
            return await heard(listener)

    async def order(self, topic: str, payload: str, reply: str, marker: str) -> Said:
        """Return the final answer to an order.

        Args:
            topic: where the order goes.
            payload: the order.
            reply: where it is answered.
            marker: a retained topic; what stands there is heard as soon as the answer would be.
        """
        filters = ("-t", marker, "-t", reply)
        async with printing(*self._program("mosquitto_sub"), *filters) as listener:
            await heard(listener)
            order = ("-t", topic, "-m", payload, *self._expiry())
            async with printing(*self._program("mosquitto_pub"), *order) as speaker:
                assert await speaker.wait() == 0
            return await answer(listener)

    def _program(self, name: str) -> tuple[str, ...]:
        version = "mqttv5" if self.protocol == "5" else "mqttv311"
        where = ("-h", HOST, "-p", str(self.door.port), "-V", version, "-q", "1")
        return (name, *where, "-u", self.login, "-P", self.login)

    def _expiry(self) -> tuple[str, ...]:
        return ("-D", "PUBLISH", "message-expiry-interval", "5") if self.protocol == "5" else ()


@dataclass(frozen=True)
class MqttJs:
    """MQTT.js, over WebSockets."""

    door: Door
    login: str
    protocol: Protocol

    async def read(self, topic: str) -> Said:
        """Return the first thing that is said on a topic."""
        async with printing(*self._program(), topic) as listener:
            return await heard(listener)

    async def order(self, topic: str, payload: str, reply: str, _marker: str) -> Said:
        """Return the final answer to an order; it is sent as soon as the answer would be heard."""
        async with printing(*self._program(), reply, topic, payload) as speaker:
            return await answer(speaker)

    def _program(self) -> tuple[str | Path, ...]:
        return ("node", SPEAK, self.door.address, self.protocol, self.login)


Speaker: TypeAlias = MosquittoClients | MqttJs
