"""Speaks for a node at the broker, one connection at a time."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Literal

from pydantic import ValidationError

from mqtt.broker_line import BrokerLine, connect
from mqtt.drain import Drain
from mqtt.inbox import Heard, read_request
from mqtt.messages import Delivery, LineSettings, Message, Subscription
from mqtt.orders import ReplyPayload
from mqtt.outbox import Outbox
from mqtt.parts import Payload
from mqtt.payloads import Heartbeat, NodeAvailability
from mqtt.presence import Place
from mqtt.retained import Retained
from mqtt.topics import TopicKind
from table.errors import BrokerError, TablewardenError

HEARTBEAT_SECONDS = 2.0
FLUSH_SECONDS = 2.0
"""How long a node that stops waits for the broker to take what is left."""
REPLY_EXPIRY_SECONDS = 60
_log = logging.getLogger(__name__)


class Publisher:
    """Keeps the broker's picture of a node true, and hears its commands.

    Args:
        settings: how to reach the broker; the client id is the place's.
        place: the node it speaks for.
        outbox: where numbered events wait.
        heed: told every command, well formed or not; must not block.
        pulse: gives the heartbeat of this moment.
    """

    def __init__(
        self,
        settings: LineSettings,
        place: Place,
        outbox: Outbox,
        heed: Callable[[Heard], None],
        pulse: Callable[[], Heartbeat],
    ) -> None:
        self._settings = replace(settings, client_id=place.client_id)
        self._place = place
        self._outbox = outbox
        self._heed = heed
        self._pulse = pulse
        self._retained = Retained(place.root)
        self._unsaid: deque[Message] = deque()
        self._stirred = asyncio.Event()
        self._all_told = asyncio.Event()
        self._stopping = asyncio.Event()
        self._said = Message("")
        self.connected = asyncio.Event()
        """Set while the node is announced as online."""

    def retain(self, topic: str, payload: Payload) -> None:
        """Keep a payload at the broker, now and after every reconnect."""
        self._keep(topic, payload.encode())

    def clear(self, topic: str) -> None:
        """Take a retained topic away from the broker."""
        if self._retained.holds(topic):
            self._keep(topic, b"")

    def reply(self, topic: str, payload: ReplyPayload) -> None:
        """Answer a command; kept until the broker has it."""
        self._say(Message(topic, payload.encode(), expiry_seconds=REPLY_EXPIRY_SECONDS))

    def stop(self) -> None:
        """Have `serve` say goodbye and return."""
        self._stopping.set()

    async def serve(self) -> None:
        """Speak for the node over one connection, until `stop`.

        Raises:
            BrokerError: the broker is away, refused something, or the connection broke. Events
                that it did not acknowledge are sent again by the next call, with the same id.
        """
        will = self._place.will(self._pulse().time)
        with _first_known_error():
            async with connect(self._settings, will) as line:
                try:
                    await self._converse(line)
                finally:
                    self.connected.clear()
                    # Leaving in order publishes no will; on a broken line this fails at once.
                    with suppress(BrokerError):
                        await line.publish(self._presence("offline"))

    async def _converse(self, line: BrokerLine) -> None:
        async with asyncio.TaskGroup() as tasks:
            listening = tasks.create_task(self._listen(line))
            await self._introduce(line)
            drain = Drain(self._outbox, self._place.root, line)
            steady = [self._beat(line), self._tell(line), drain.run()]
            running = [listening, *(tasks.create_task(task) for task in steady)]
            await self._stopping.wait()
            await self._take_leave(line, drain)
            for task in running:
                task.cancel()

    async def _introduce(self, line: BrokerLine) -> None:
        place = self._place
        commands = (
            Subscription(topics, retained=False, flag_retained=True) for topics in place.commands()
        )
        own = (Subscription(topics, echo=False) for topics in (place.topic, *place.alerts()))
        await line.subscribe(*commands, *own)
        self._retained.start_over()
        self._stir()
        await self._tell_changes(line)
        await line.publish(self._presence("online"))
        self.connected.set()

    async def _listen(self, line: BrokerLine) -> None:
        async for message in line.deliveries():
            address = self._place.root.parse(message.topic)
            if address and address.kind is TopicKind.NODE_AVAILABILITY:
                self._hear_presence(message)
            elif address and address.kind is TopicKind.ALERT:
                self._clear_ghost(message)
            elif heard := read_request(self._place.root, message):
                self._heed(heard)

    def _hear_presence(self, message: Delivery) -> None:
        """Contradict a will of ours that the broker published late."""
        if not self.connected.is_set() or message.payload == self._said.payload:
            return
        session = _session(message.payload)
        if session > self._place.session:
            reason = f"another daemon speaks as node {self._place.node}, in session {session}"
            raise BrokerError(reason)
        self._say(self._said)

    def _clear_ghost(self, message: Delivery) -> None:
        """Take away an alert that an earlier session left behind."""
        ghost = message.retained and message.payload and not self._retained.holds(message.topic)
        if ghost:
            _log.info("clearing %s, left by an earlier session", message.topic)
            self._keep(message.topic, b"")

    async def _beat(self, line: BrokerLine) -> None:
        topic = self._place.root.heartbeat(self._place.node)
        while True:
            await line.publish(Message(topic, self._pulse().encode(), qos=0))
            await asyncio.sleep(HEARTBEAT_SECONDS)

    async def _tell(self, line: BrokerLine) -> None:
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            await self._tell_unsaid(line)
            await self._tell_changes(line)
            if not self._stirred.is_set():
                self._all_told.set()

    async def _tell_unsaid(self, line: BrokerLine) -> None:
        messages = list(self._unsaid)
        await line.publish_all(messages)
        for _ in messages:
            self._unsaid.popleft()

    async def _tell_changes(self, line: BrokerLine) -> None:
        messages = self._retained.take_changes()
        await line.publish_all(messages)
        self._retained.sent(messages)

    async def _take_leave(self, line: BrokerLine, drain: Drain) -> None:
        await line.publish(self._presence("stopping"))
        with suppress(TimeoutError):
            async with asyncio.timeout(FLUSH_SECONDS):
                await drain.empty.wait()
                await self._all_told.wait()

    def _presence(self, status: Literal["online", "stopping", "offline"]) -> Message:
        self._said = self._place.presence(status, self._pulse().time)
        return self._said

    def _keep(self, topic: str, payload: bytes) -> None:
        self._retained.put(topic, payload)
        self._stir()

    def _say(self, message: Message) -> None:
        self._unsaid.append(message)
        self._stir()

    def _stir(self) -> None:
        self._all_told.clear()
        self._stirred.set()


def _session(payload: bytes) -> int:
    try:
        return NodeAvailability.model_validate_json(payload).session
    except ValidationError:
        return 0


@contextmanager
def _first_known_error() -> Iterator[None]:
    """Raise the first of the errors that tasks ended with, unless there is a bug among them."""
    try:
        yield
    except ExceptionGroup as group:
        known, bugs = group.split(TablewardenError)
        if bugs or known is None:
            raise
        raise _first(known) from group


def _first(group: ExceptionGroup[TablewardenError]) -> TablewardenError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, ExceptionGroup) else error
