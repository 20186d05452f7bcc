"""One connection to the broker: the only door to aiomqtt.

A line is used once. Its end, however it comes, is a `BrokerError`; whoever wants another line
opens a new one, because paho would send again what the outbox sends again too.
"""

import asyncio
import math
import ssl
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import aiomqtt
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from mqtt.connection import WINDOW, Connection, client_settings
from mqtt.messages import Delivery, LastWill, LineSettings, Message, Subscription
from mqtt.packet_properties import publish_properties, subscribe_options
from table.errors import BrokerError

_FAILURE = 0x80
_SAID_BY_NOBODY = "-"


class BrokerLine:
    """An open connection; made by `connect`."""

    def __init__(self, connection: Connection, settings: LineSettings) -> None:
        self._connection = connection
        self._settings = settings
        self._taken = 0
        self._passed = asyncio.Event()
        self.window = WINDOW
        """So many messages at a time should wait for their acknowledgement."""

    @property
    def broken(self) -> bool:
        """Whether nothing can be said over it any more."""
        return bool(self._connection.end)

    @property
    def taken_over(self) -> bool:
        """Whether somebody else connected under our client id; known with MQTT 5 only."""
        return self._connection.taken_over

    def post(self, message: Message) -> asyncio.Future[None]:
        """Send a message soon; the future is done when the broker acknowledged it.

        Messages leave in the order of the calls, in the next turn of the loop or at `hurry`. The
        future knows no time limit.

        Raises:
            BrokerError: the line is broken; also through the future.
        """
        with _or_broken("cannot publish", message.topic):
            return self._connection.post(message, self._properties(message))

    def hurry(self) -> None:
        """Send what was posted now; whoever has more to post should do so first."""
        self._connection.hurry()

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
            if len(in_flight) >= self.window:
                await self.acknowledged(*in_flight.popleft())
            in_flight.append((self.post(message), message.topic))
        while in_flight:
            await self.acknowledged(*in_flight.popleft())

    async def acknowledged(self, pending: asyncio.Future[None], topic: str) -> None:
        """Wait for one acknowledgement.

        Raises:
            BrokerError: the broker refused, or did not answer in time.
        """
        if not pending.done():
            with _or_broken("no acknowledgement of", topic):
                async with self._deadline():
                    await pending
        pending.result()

    async def subscribe(self, *subscriptions: Subscription) -> None:
        """Subscribe and check what the broker granted.

        Raises:
            BrokerError: a subscription was refused, or the line is broken.
        """
        for wanted in subscriptions:
            with _or_broken("cannot subscribe to", wanted.topic_filter):
                _check_granted(wanted.topic_filter, await self._granted(wanted))

    async def unsubscribe(self, *topic_filters: str) -> None:
        """Hear no more of what was subscribed to; a filter that never was is passed over.

        Raises:
            BrokerError: the broker did not answer in time, or the line is broken.
        """
        with _or_broken("no answer of the broker at", self._settings.host):
            async with self._deadline():
                await self._connection.unsubscribe(list(topic_filters), timeout=math.inf)

    async def probe(self) -> None:
        """Have the broker answer something that nobody else hears of.

        Raises:
            BrokerError: it did not answer in time, or the line is broken.
        """
        with _or_broken("no answer of the broker at", self._settings.host):
            async with self._deadline():
                await self._granted(Subscription(_SAID_BY_NOBODY, retained=False), math.inf)

    async def catch_up(self) -> None:
        """Wait until everything retained that was subscribed to has passed through `deliveries`.

        Raises:
            BrokerError: the line is broken.
        """
        arrived = -1
        while arrived != self._connection.arrived:
            # Each answer lets the broker send as much again as it keeps in flight.
            arrived = self._connection.arrived
            await self.probe()
        while self._taken < arrived:
            self._passed.clear()
            await self._passed.wait()

    @asynccontextmanager
    async def _deadline(self) -> AsyncIterator[None]:
        """Take the broker for dead where an answer does not come in time."""
        try:
            async with asyncio.timeout(self._settings.answer_seconds):
                yield
        except TimeoutError:
            self._connection.tear("it does not answer")
            raise

    async def _granted(
        self, wanted: Subscription, seconds: float | None = None
    ) -> Sequence[ReasonCode | int]:
        subscribe, topics = self._connection.subscribe, wanted.topic_filter
        if self._settings.protocol == "5":
            return await subscribe(topics, options=subscribe_options(wanted), timeout=seconds)
        return await subscribe(topics, qos=wanted.qos, timeout=seconds)

    async def deliveries(self) -> AsyncIterator[Delivery]:
        """Iterate over what arrives.

        Raises:
            BrokerError: the line broke.
        """
        try:
            async for arrived in self._connection.messages:
                yield _delivery(arrived)
                self._taken += 1
                self._passed.set()
        except aiomqtt.MqttError as error:
            message = f"lost the broker {self._settings.host}: {self._connection.end}"
            raise BrokerError(message) from error

    def tear(self, why: str) -> None:
        """Break the line without a goodbye; nothing can be said over it any more."""
        self._connection.tear(why)

    def _properties(self, message: Message) -> Properties | None:
        if self._settings.protocol != "5":
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
        context = await asyncio.to_thread(tls_context, settings)
        connection = Connection(**client_settings(settings, will), tls_context=context)
        await _open(connection)
    try:
        yield BrokerLine(connection, settings)
    finally:
        with _or_broken("unclean end of the connection to", broker):
            await connection.close()


async def _open(connection: Connection) -> None:
    opening = asyncio.create_task(connection.__aenter__())
    try:
        await asyncio.shield(opening)
        _check_alive(connection)
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
        message = f"{what} {where}: no answer in time"
        raise BrokerError(message) from error
    except (aiomqtt.MqttError, OSError) as error:
        message = f"{what} {where}: {error}"
        raise BrokerError(message) from error


def _check_alive(connection: Connection) -> None:
    if connection.end:
        raise aiomqtt.MqttError(connection.end)


def _check_granted(topic_filter: str, granted: Sequence[ReasonCode | int]) -> None:
    for code in granted:
        if (code.value if isinstance(code, ReasonCode) else code) >= _FAILURE:
            message = f"the broker refused to subscribe {topic_filter}: {code}"
            raise BrokerError(message)


def tls_context(settings: LineSettings) -> ssl.SSLContext | None:
    """Return what the broker must prove, and what we show it; reads files."""
    if settings.tls_ca_file is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.sslsocket_class = _TlsSocket
    with _named(settings.tls_ca_file):
        context.load_verify_locations(settings.tls_ca_file)
    if settings.tls_certificate_file is not None:
        with _named(settings.tls_certificate_file, settings.tls_key_file):
            # Without an answer at hand OpenSSL would ask the terminal for a pass phrase.
            context.load_cert_chain(settings.tls_certificate_file, settings.tls_key_file, "")
    return context


@contextmanager
def _named(*files: Path | None) -> Iterator[None]:
    """Say which files could not be used; OpenSSL does not."""
    try:
        yield
    except OSError as error:
        message = f"{' with '.join(map(str, files))}: {error.strerror or error}"
        raise OSError(message) from error


class _TlsSocket(ssl.SSLSocket):
    """A socket that does not stay open after a failed handshake, where paho forgets it."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002 - as in ssl
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def _delivery(message: aiomqtt.Message) -> Delivery:
    properties = message.properties
    return Delivery(
        str(message.topic),
        message.payload,
        message.retain,
        getattr(properties, "MessageExpiryInterval", None),
        getattr(properties, "ResponseTopic", None),
    )
