"""One connection to the broker: the only door to aiomqtt.

A line is used once. Its end, however it comes, is a `BrokerError`; whoever wants another line
opens a new one, because paho would send again what the outbox sends again too.
"""

import asyncio
import socket
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import aiomqtt
from paho.mqtt.client import MQTT_ERR_SUCCESS
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from mqtt.messages import Delivery, LastWill, LineSettings, Message, Subscription
from mqtt.packet_properties import (
    connect_properties,
    publish_properties,
    subscribe_options,
    will_properties,
)
from table.errors import BrokerError

ANSWER_SECONDS = 3.0
"""A broker that acknowledges nothing for so long is taken for dead (docs/contract.md)."""
WINDOW = 20
"""Messages in flight at once; the Receive Maximum that mosquitto announces."""
_NODELAY = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
_FAILURE = 0x80


class _Connection(aiomqtt.Client):
    """aiomqtt's client with acknowledgements as futures.

    aiomqtt counts a publish as done when the broker refused it in its PUBACK; an event lost that
    way would be lost for good.
    """

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - aiomqtt's own parameters
        super().__init__(**settings)
        self._unacknowledged: dict[int, tuple[str, asyncio.Future[None]]] = {}

    def post(self, message: Message, properties: Properties | None) -> asyncio.Future[None]:
        sent = self._client.publish(
            message.topic, message.payload, message.qos, message.retain, properties
        )
        if sent.rc != MQTT_ERR_SUCCESS:
            raise aiomqtt.MqttCodeError(sent.rc)
        acknowledged = self._loop.create_future()
        if message.qos:
            self._unacknowledged[sent.mid] = (message.topic, acknowledged)
        else:
            acknowledged.set_result(None)
        return acknowledged

    def _on_publish(
        self,
        client: Any,  # noqa: ANN401 - aiomqtt's signature
        userdata: Any,  # noqa: ANN401
        mid: int,
        reason_code: ReasonCode,
        properties: Properties,
    ) -> None:
        super()._on_publish(client, userdata, mid, reason_code, properties)
        topic, acknowledged = self._unacknowledged.pop(mid, ("", None))
        if acknowledged is None or acknowledged.done():
            return
        if reason_code.is_failure:
            refusal = f"the broker refused a message on {topic}: {reason_code}"
            acknowledged.set_exception(BrokerError(refusal))
        else:
            acknowledged.set_result(None)

    def abandon(self) -> None:
        """Let go of a connection that did not come about; aiomqtt would leave its socket open."""
        self._client.disconnect()

    async def close(self) -> None:
        try:
            await self.__aexit__(None, None, None)
        finally:
            # asyncio reports an exception that nobody asked for.
            if self._disconnected.done() and not self._disconnected.cancelled():
                self._disconnected.exception()


class BrokerLine:
    """An open connection; made by `connect`."""

    def __init__(self, connection: _Connection, settings: LineSettings) -> None:
        self._connection = connection
        self._protocol = settings.protocol
        self._host = settings.host

    def post(self, message: Message) -> asyncio.Future[None]:
        """Send a message now; the future is done when the broker acknowledged it.

        Messages leave in the order of the calls. The future knows no time limit.

        Raises:
            BrokerError: the line is broken; also through the future.
        """
        with _or_broken("cannot publish", message.topic):
            return self._connection.post(message, self._properties(message))

    async def publish(self, message: Message) -> None:
        """Send a message and wait until the broker acknowledged it.

        Raises:
            BrokerError: the line is broken, the broker refused, or did not answer in time.
        """
        await self.acknowledged(self.post(message), message.topic)

    async def publish_all(self, messages: Iterable[Message]) -> None:
        """Send messages in order, a window of them at a time, until all are acknowledged.

        Raises:
            BrokerError: the line is broken, the broker refused, or did not answer in time.
        """
        in_flight: deque[tuple[asyncio.Future[None], str]] = deque()
        for message in messages:
            if len(in_flight) >= WINDOW:
                await self.acknowledged(*in_flight.popleft())
            in_flight.append((self.post(message), message.topic))
        while in_flight:
            await self.acknowledged(*in_flight.popleft())

    async def acknowledged(self, pending: asyncio.Future[None], topic: str) -> None:
        """Wait for one acknowledgement.

        Raises:
            BrokerError: the broker refused, or did not answer in time.
        """
        with _or_broken("no acknowledgement of", topic):
            async with asyncio.timeout(ANSWER_SECONDS):
                await pending

    async def subscribe(self, *subscriptions: Subscription) -> None:
        """Subscribe and check what the broker granted.

        Raises:
            BrokerError: a subscription was refused, or the line is broken.
        """
        for wanted in subscriptions:
            with _or_broken("cannot subscribe to", wanted.topic_filter):
                _check_granted(wanted.topic_filter, await self._granted(wanted))

    async def _granted(self, wanted: Subscription) -> Sequence[ReasonCode | int]:
        if self._protocol == "5":
            options = subscribe_options(wanted)
            return await self._connection.subscribe(wanted.topic_filter, options=options)
        return await self._connection.subscribe(wanted.topic_filter, qos=wanted.qos)

    async def deliveries(self) -> AsyncIterator[Delivery]:
        """Iterate over what arrives.

        Raises:
            BrokerError: the line broke.
        """
        with _or_broken("lost the broker", self._host):
            async for message in self._connection.messages:
                yield _delivery(message)

    def _properties(self, message: Message) -> Properties | None:
        if self._protocol != "5":
            return None
        return publish_properties(
            message.expiry_seconds, message.response_topic, message.content_type
        )


@asynccontextmanager
async def connect(
    settings: LineSettings, will: LastWill | None = None
) -> AsyncIterator[BrokerLine]:
    """Open a line; it is closed on leaving, and then the broker publishes no will.

    Raises:
        BrokerError: the broker cannot be reached or refuses us.
    """
    broker = f"{settings.host}:{settings.port}"
    with _or_broken("no connection to the broker at", broker):
        context = await _tls_context(settings.tls_ca_file)
        connection = _Connection(**_arguments(settings, will), tls_context=context)
        await _open(connection)
    try:
        yield BrokerLine(connection, settings)
    finally:
        with _or_broken("unclean end of the connection to", broker):
            await connection.close()


async def _open(connection: _Connection) -> None:
    opening = asyncio.create_task(connection.__aenter__())
    try:
        await asyncio.shield(opening)
    except aiomqtt.MqttError:
        connection.abandon()
        raise
    except asyncio.CancelledError:
        # paho connects in a thread that cannot be stopped; its socket must not outlive us.
        with suppress(aiomqtt.MqttError):
            await opening
        connection.abandon()
        raise


@contextmanager
def _or_broken(what: str, where: str) -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        message = f"{what} {where}: no answer in {ANSWER_SECONDS:g} s"
        raise BrokerError(message) from error
    except (aiomqtt.MqttError, OSError) as error:
        message = f"{what} {where}: {error.__cause__ or error}"
        raise BrokerError(message) from error


def _check_granted(topic_filter: str, granted: Sequence[ReasonCode | int]) -> None:
    for code in granted:
        if (code.value if isinstance(code, ReasonCode) else code) >= _FAILURE:
            message = f"the broker refused to subscribe {topic_filter}: {code}"
            raise BrokerError(message)


async def _tls_context(authority: Path | None) -> ssl.SSLContext | None:
    if authority is None:
        return None
    make: Callable[..., ssl.SSLContext] = ssl.create_default_context
    return await asyncio.to_thread(make, cafile=str(authority))


def _arguments(settings: LineSettings, will: LastWill | None) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "hostname": settings.host,
        "port": settings.port,
        "identifier": settings.client_id,
        "username": settings.login or None,
        "password": settings.password or None,
        "keepalive": settings.keepalive_seconds,
        "timeout": ANSWER_SECONDS,
        "max_inflight_messages": WINDOW,
        "socket_options": [_NODELAY],
    }
    return arguments | (_five(will) if settings.protocol == "5" else _three(will))


def _five(will: LastWill | None) -> dict[str, Any]:
    delay = will.delay_seconds if will else None
    return {
        "protocol": aiomqtt.ProtocolVersion.V5,
        "properties": connect_properties(delay),
        "will": will and _will(will, will_properties(will.delay_seconds)),
    }


def _three(will: LastWill | None) -> dict[str, Any]:
    return {
        "protocol": aiomqtt.ProtocolVersion.V311,
        "clean_session": True,
        "will": will and _will(will, None),
    }


def _will(will: LastWill, properties: Properties | None) -> aiomqtt.Will:
    return aiomqtt.Will(will.topic, will.payload, qos=1, retain=True, properties=properties)


def _delivery(message: aiomqtt.Message) -> Delivery:
    properties = message.properties
    return Delivery(
        str(message.topic),
        message.payload,
        message.retain,
        getattr(properties, "MessageExpiryInterval", None),
        getattr(properties, "ResponseTopic", None),
    )
