"""aiomqtt's client, mended; `mqtt.broker_line` is the only one to use it."""

import asyncio
import logging
import socket
from contextlib import suppress
from typing import Any

import aiomqtt
from paho.mqtt.client import MQTT_ERR_SUCCESS
from paho.mqtt.properties import Properties

from mqtt.messages import LastWill, LineSettings, Message
from mqtt.packet_properties import connect_properties, will_properties
from table.errors import BrokerError

WINDOW = 20
"""Messages in flight at once, if the broker allows so many; mosquitto does."""
_NODELAY = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
_CLOSED = -1
_SESSION_TAKEN_OVER = 0x8E
_paho_log = logging.getLogger("paho")
# Its errors become ours, and are told once.
_paho_log.setLevel(logging.CRITICAL)
# aiomqtt silences everything below warnings in our own branch of the loggers.
logging.getLogger("mqtt").setLevel(logging.NOTSET)


class Connection(aiomqtt.Client):
    """aiomqtt's client with acknowledgements as futures, and mended in eight places.

    It counts a publish as done when the broker refused it in its PUBACK: an event lost that way
    would be lost for good. It waits to write on the number of a socket that may be closed by
    then, and belong to a table. It forgets a loss that comes between the broker's welcome and the
    end of its own `__aenter__`. It sends more at a time than the broker allows. It does not say who
    ended the connection, or why. It waits for the goodbye of a broker that answers nothing, and for
    the welcome of one that has closed the connection instead. It asks the loop whether it may write
    before it does.
    """

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - aiomqtt's own parameters
        super().__init__(logger=_paho_log, **settings)
        self._client.disable_logger()  # it would be asked twice for each message, and say nothing
        self._unacknowledged: dict[int, tuple[str, asyncio.Future[None]]] = {}
        self.end = ""
        """Why the connection is over; empty while it holds."""
        self.taken_over = False
        """Whether it is over because somebody else connected under our client id; MQTT 5 only."""
        self.arrived = 0
        """How many messages came in."""

    def post(self, message: Message, properties: Properties | None) -> asyncio.Future[None]:
        """Send a message soon; the future is done when the broker acknowledged it."""
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

    def _on_connect(self, *report: Any) -> None:  # noqa: ANN401 - client, user's, flags, code, more
        allowed = getattr(report[-1], "ReceiveMaximum", WINDOW)
        # paho takes this setting before it connects only, when the broker has not spoken yet.
        self._client._max_inflight_messages = min(WINDOW, allowed)  # noqa: SLF001
        super()._on_connect(*report)

    def _on_publish(self, *report: Any) -> None:  # noqa: ANN401 - client, user's, id, code, more
        super()._on_publish(*report)
        _, _, mid, reason, _ = report
        topic, acknowledged = self._unacknowledged.pop(mid, ("", None))
        if acknowledged is None or acknowledged.done():
            return
        if reason.is_failure:
            refusal = f"the broker refused a message on {topic}: {reason}"
            acknowledged.set_exception(BrokerError(refusal))
            # Of a window that is refused only the first is waited for; asyncio reports the others.
            acknowledged.exception()
        else:
            acknowledged.set_result(None)

    def _on_message(self, *report: Any) -> None:  # noqa: ANN401 - client, user's, message
        super()._on_message(*report)
        self.arrived += 1

    def _on_disconnect(self, *report: Any) -> None:  # noqa: ANN401 - client, user's, flags, code, more
        super()._on_disconnect(*report)
        _, _, flags, reason, _ = report
        closed = flags.is_disconnect_packet_from_server
        self.taken_over = closed and reason.value == _SESSION_TAKEN_OVER
        cause = f"it closed the connection: {reason}" if closed else "the connection broke"
        self.end = self.end or cause
        self._retrieve_loss()
        if not self._connected.done():
            # Whoever closes instead of a welcome, as a proxy does, is not waited for.
            self._connected.set_exception(aiomqtt.MqttError(self.end))
            self._connected.exception()

    def tear(self, why: str) -> None:
        """Break a connection without a goodbye, so that the broker publishes our will."""
        self.end = why
        open_socket = self._client.socket()
        if isinstance(open_socket, socket.socket):
            with suppress(OSError):
                open_socket.shutdown(socket.SHUT_RDWR)

    def _retrieve_loss(self) -> None:
        # asyncio reports an exception that nobody asked for.
        if self._disconnected.done() and not self._disconnected.cancelled():
            self._disconnected.exception()

    def _on_socket_register_write(self, *_report: Any) -> None:  # noqa: ANN401 - client, user's, socket
        # paho calls this from the thread that connects, too.
        self._loop.call_soon_threadsafe(self.hurry)

    def hurry(self) -> None:
        """Write what was posted, without asking first whether one may: nearly always one may."""
        self._write()
        open_socket = self._client.socket()
        number = open_socket.fileno() if open_socket else _CLOSED
        if number != _CLOSED and self._client.want_write():
            self._loop.add_writer(number, self._write)

    def _write(self) -> None:
        try:
            self._client.loop_write()
        except (OSError, ValueError) as error:
            if not self._disconnected.done():
                self._disconnected.set_exception(error)

    def abandon(self) -> None:
        """Let go of a connection that did not come about; aiomqtt would leave its socket open."""
        self._client.disconnect()

    async def close(self) -> None:
        """End the connection in order."""
        try:
            await self.__aexit__(None, None, None)
        finally:
            self._retrieve_loss()


def client_settings(settings: LineSettings, will: LastWill | None) -> dict[str, Any]:
    """Return what aiomqtt's client wants to be told."""
    common: dict[str, Any] = {
        "hostname": settings.host,
        "port": settings.port,
        "identifier": settings.client_id,
        "username": settings.login or None,
        "password": settings.password or None,
        "keepalive": settings.keepalive_seconds,
        "timeout": settings.answer_seconds,
        "max_inflight_messages": WINDOW,
        "socket_options": [_NODELAY],
    }
    return common | (_five(will) if settings.protocol == "5" else _three(will))


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
