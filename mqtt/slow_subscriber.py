"""A subscriber that takes nothing for a while, to see how much a broker keeps for such a one.

It speaks MQTT 3.1.1 by itself: every client library acknowledges at once.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mqtt.broker_line import tls_context
from mqtt.messages import LineSettings
from table.errors import BrokerError

_CONNECT, _CONNACK, _PUBLISH, _PUBACK, _SUBSCRIBE, _SUBACK = 0x10, 0x20, 0x30, 0x40, 0x82, 0x90
_CLEAN, _WITH_LOGIN = 0x02, 0xC0
_KEEPALIVE_SECONDS = 60
_SEVEN_BITS, _MORE = 0x7F, 0x80
_AT_LEAST_ONCE = 0x02


class SlowSubscriber:
    """One subscription of QoS 1 whose messages wait until they are counted."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def subscribe(self, topic: str) -> None:
        """Subscribe, and take nothing from now on."""
        await self._send(_SUBSCRIBE, b"\x00\x01" + _text(topic) + b"\x01")
        await self._expect(_SUBACK)

    async def count(self, enough: int, patience_seconds: float) -> int:
        """Take what the broker kept, up to so many messages, until nothing comes for a while."""
        taken = 0
        while taken < enough:
            try:
                async with asyncio.timeout(patience_seconds):
                    kind, body = await self._read()
            except TimeoutError:
                break
            if kind & 0xF0 == _PUBLISH:
                taken += 1
                await self._acknowledge(kind, body)
        return taken

    async def greet(self, settings: LineSettings) -> None:
        """Log in."""
        flags = _CLEAN | (_WITH_LOGIN if settings.login else 0)
        secrets = (settings.login, settings.password) if settings.login else ()
        texts = b"".join(map(_text, (settings.client_id, *secrets)))
        head = _text("MQTT") + bytes((4, flags)) + _KEEPALIVE_SECONDS.to_bytes(2, "big")
        await self._send(_CONNECT, head + texts)
        if (await self._expect(_CONNACK))[1:] != b"\x00":
            message = "the broker refuses a connection in MQTT 3.1.1"
            raise BrokerError(message)

    async def _acknowledge(self, kind: int, body: bytes) -> None:
        if kind & _AT_LEAST_ONCE:
            after_topic = 2 + int.from_bytes(body[:2], "big")
            await self._send(_PUBACK, body[after_topic : after_topic + 2])

    async def _expect(self, kind: int) -> bytes:
        got, body = await self._read()
        if got != kind:
            message = f"the broker sent packet {got:#x} where {kind:#x} is due"
            raise BrokerError(message)
        return body

    async def _read(self) -> tuple[int, bytes]:
        kind = (await self._reader.readexactly(1))[0]
        length, shift, more = 0, 0, True
        while more:
            digit = (await self._reader.readexactly(1))[0]
            length |= (digit & _SEVEN_BITS) << shift
            shift, more = shift + 7, bool(digit & _MORE)
        return kind, await self._reader.readexactly(length)

    async def _send(self, kind: int, body: bytes) -> None:
        self._writer.write(bytes([kind]) + _length(len(body)) + body)
        await self._writer.drain()


@asynccontextmanager
async def slow_subscriber(settings: LineSettings) -> AsyncIterator[SlowSubscriber]:
    """Connect as long as the context lasts.

    Raises:
        BrokerError: the broker cannot be reached, or ends the connection.
    """
    try:
        context = await asyncio.to_thread(tls_context, settings)
        reader, writer = await asyncio.open_connection(settings.host, settings.port, ssl=context)
        try:
            subscriber = SlowSubscriber(reader, writer)
            await subscriber.greet(settings)
            yield subscriber
        finally:
            writer.transport.abort()
    except (OSError, EOFError) as error:
        message = f"lost the broker {settings.host}: {error}"
        raise BrokerError(message) from error


def _text(value: str) -> bytes:
    return len(value.encode()).to_bytes(2, "big") + value.encode()


def _length(size: int) -> bytes:
    written = bytearray()
    while True:
        size, digit = size >> 7, size & _SEVEN_BITS
        written.append(digit | (_MORE if size else 0))
        if not size:
            return bytes(written)
