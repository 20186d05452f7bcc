"""The board's line to the broker: reads the venue's topics, sends orders, hears the replies."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from pydantic import ValidationError

from board.hall_view import Changes, Hall
from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Delivery, LineSettings, Message, Subscription
from mqtt.orders import CommandPayload, ReplyPayload
from mqtt.topics import Root, TopicKind
from table.errors import BrokerError
from table.moment import Moment

RETRY_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 3.0
"""So long an order is waited for; then the person is told that nobody answered."""
_ORDER_EXPIRY_SECONDS = 5
_RESYNC_SECONDS = 2.0
"""The broker sends what it retained within this; what it has not sent then is gone."""
_READ = (
    TopicKind.NODE_AVAILABILITY,
    TopicKind.HEARTBEAT,
    TopicKind.NODE_META,
    TopicKind.TABLE_META,
    TopicKind.TABLE_AVAILABILITY,
    TopicKind.STATE,
    TopicKind.TIMERS,
    TopicKind.LEDGER,
    TopicKind.ALERT,
    TopicKind.EVENT,
)
_log = logging.getLogger(__name__)


def loop_now() -> Moment:
    """Return the moment on the event loop's own clock, which never jumps."""
    return Moment(timedelta(seconds=asyncio.get_running_loop().time()) // timedelta(microseconds=1))


class Feed:
    """Keeps a hall true to its topics and carries orders, over one line after the other.

    Args:
        settings: how to reach the broker.
        root: the topics of the venue.
        login: the login that orders go out under.
        changed: told what each message changed.
    """

    def __init__(
        self, settings: LineSettings, root: Root, login: str, changed: Callable[[Changes], None]
    ) -> None:
        self._settings = settings
        self._root = root
        self._login = login
        self._changed = changed
        self._line: BrokerLine | None = None
        self._awaited: dict[str, asyncio.Queue[ReplyPayload]] = {}
        self.hall = Hall(root)

    @property
    def online(self) -> bool:
        """Whether the broker is there; if not, everything shown is old."""
        return self._line is not None

    async def run(self) -> None:
        """Read the topics for ever, with a new line whenever one breaks."""
        told = False
        while True:
            try:
                async with connect(self._settings) as line:
                    told = False
                    await self._serve(line)
            except BrokerError as error:
                if not told:
                    _log.warning("%s; trying again each %g s", error, RETRY_SECONDS)
                told = True
            await asyncio.sleep(RETRY_SECONDS)

    async def order(self, table: str, verb: str, command: CommandPayload) -> ReplyPayload | None:
        """Send an order for a table and return the last reply in time; None: nobody answered.

        Raises:
            BrokerError: the broker refused the order, or did not say that it has it.
        """
        return await self._send(self._root.table_command(self._login, table, verb), command)

    async def order_node(
        self, node: str, verb: str, command: CommandPayload
    ) -> ReplyPayload | None:
        """Send an order for every table of a node; else as `order`.

        Raises:
            BrokerError: the broker refused the order, or did not say that it has it.
        """
        return await self._send(self._root.node_command(self._login, node, verb), command)

    async def _send(self, topic: str, command: CommandPayload) -> ReplyPayload | None:
        line = self._line
        if line is None:
            message = "the board has no line to the broker"
            raise BrokerError(message)
        replies = self._awaited.setdefault(command.id, asyncio.Queue())
        try:
            await line.publish(self._message(topic, command))
            return await _last_reply(replies)
        finally:
            self._awaited.pop(command.id, None)

    async def watch_clocks(self) -> None:
        """Notice nodes that fall silent."""
        while True:
            await asyncio.sleep(1.0)
            self._changed(self.hall.look(loop_now()))

    def _message(self, topic: str, command: CommandPayload) -> Message:
        return Message(
            topic,
            command.encode(),
            expiry_seconds=_ORDER_EXPIRY_SECONDS,
            response_topic=self._root.reply(self._login, command.id),
        )

    async def _serve(self, line: BrokerLine) -> None:
        self.hall.doubt()
        await line.subscribe(
            Subscription(self._root.every(TopicKind.REPLY, login=self._login), retained=False),
            *(Subscription(self._root.every(kind)) for kind in _READ),
        )
        _log.info("reading %s", self._root.path)
        resync = asyncio.create_task(self._resync(), name="resync")
        try:
            self._line = line
            self._changed(frozenset())
            async for delivery in line.deliveries():
                self._take(delivery)
        finally:
            self._line = None
            resync.cancel()
            self._changed(frozenset())

    async def _resync(self) -> None:
        await asyncio.sleep(_RESYNC_SECONDS)
        self._changed(self.hall.settle_doubted())

    def _take(self, delivery: Delivery) -> None:
        address = self._root.parse(delivery.topic)
        if address is not None and address.kind is TopicKind.REPLY:
            self._take_reply(address.name, delivery.payload)
            return
        changes = self.hall.apply(delivery.topic, delivery.payload, loop_now())
        if changes:
            self._changed(changes)

    def _take_reply(self, command: str, payload: bytes) -> None:
        awaited = self._awaited.get(command)
        if awaited is None:
            return
        try:
            awaited.put_nowait(ReplyPayload.model_validate_json(payload))
        except ValidationError:
            _log.warning("reply to %s is none of the contract", command)


async def _last_reply(replies: asyncio.Queue[ReplyPayload]) -> ReplyPayload | None:
    reply = None
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            while reply is None or reply.status == "accepted":
                reply = await replies.get()
    except TimeoutError:
        return reply
    return reply
