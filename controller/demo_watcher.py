"""A subscriber like any other: sees what a referee sees of one table, and orders what he orders."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from uuid import uuid4

from controller.demo_orders import PERSONS, arguments, precondition, verb_of
from controller.wording import line, seconds
from mqtt.broker_line import BrokerLine
from mqtt.messages import Delivery, Message, Subscription
from mqtt.orders import CommandPayload, ReplyPayload
from mqtt.payloads import EventEnvelope, TableSnapshot
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.topics import Root, TopicKind
from table.alert_commands import AlertCommand
from table.happening import Official, OfficialCommand, RefereeOrders, RefereeRules
from table.moment import MICROSECOND, MILLISECOND, ZERO

LOGIN = "referee"
EXPIRY_SECONDS = 5


class Watcher:
    """Reads one table's topics and speaks for the referee of a script.

    Args:
        root: the topics of the venue.
        table: the table that is watched.
        say: prints a line.
    """

    def __init__(self, root: Root, table: str, say: Callable[[str], None]) -> None:
        self._root = root
        self._table = table
        self._say = say
        self._zero: datetime | None = None
        self._hand = ""
        self._revisions: dict[str, int] = {}
        self._last_alert = ""
        self.ledger: LedgerPayload | None = None
        self.replied = asyncio.Queue[ReplyPayload]()
        self.stirred = asyncio.Event()

    def begin(self, zero: datetime) -> None:
        """Count times from here on from the start of the script."""
        self._zero = zero

    async def watch(self, broker: BrokerLine) -> None:
        """Read for ever.

        Raises:
            BrokerError: the line broke.
        """
        kinds = (TopicKind.EVENT, TopicKind.STATE, TopicKind.LEDGER, TopicKind.ALERT)
        topics = [self._root.every(kind, table=self._table) for kind in kinds]
        topics.append(self._root.every(TopicKind.REPLY, login=LOGIN))
        await broker.subscribe(*(Subscription(topic) for topic in topics))
        async for delivery in broker.deliveries():
            self._take(delivery)
            self.stirred.set()

    @property
    def alerts(self) -> tuple[str, ...]:
        """The ids of the alerts that were heard of, in that order."""
        return tuple(self._revisions)

    async def order(self, broker: BrokerLine, said: RefereeOrders | RefereeRules) -> None:
        """Publish what the referee says, resting on what was seen last."""
        match said:
            case RefereeOrders(command=command):
                await self._send(broker, command, said.by)
            case RefereeRules():
                alert = said.alert or self._last_alert
                ruling = said.on(alert, self._revisions.get(alert, 0))
                await self._send(broker, ruling, said.by)

    async def _send(
        self, broker: BrokerLine, command: OfficialCommand | AlertCommand, by: Official
    ) -> None:
        payload = CommandPayload(
            id=uuid4().hex,
            person=PERSONS[by],
            precondition=precondition(command, self._hand),
            arguments=arguments(command),
        )
        topic = self._root.table_command(LOGIN, self._table, verb_of(command))
        await broker.publish(Message(topic, payload.encode(), expiry_seconds=EXPIRY_SECONDS))

    def _take(self, delivery: Delivery) -> None:
        address = self._root.parse(delivery.topic)
        if address is None or not delivery.payload:
            return
        match address.kind:
            case TopicKind.EVENT:
                self._tell(EventEnvelope.model_validate_json(delivery.payload), address.name)
            case TopicKind.STATE:
                self._hand = TableSnapshot.model_validate_json(delivery.payload).hand
            case TopicKind.ALERT:
                alert = AlertPayload.model_validate_json(delivery.payload)
                self._revisions[alert.alert] = alert.revision
            case TopicKind.LEDGER:
                self.ledger = LedgerPayload.model_validate_json(delivery.payload)
            case TopicKind.REPLY:
                self._hear(ReplyPayload.model_validate_json(delivery.payload))
            case _:
                pass

    def _hear(self, reply: ReplyPayload) -> None:
        self.replied.put_nowait(reply)
        if reply.status in {"rejected", "failed"}:
            self._say(f"{'':>10}  reply {reply.status} ({reply.code}): {reply.reason}")

    def _tell(self, event: EventEnvelope, kind: str) -> None:
        if alert := event.data.get("alert"):
            identity = alert["foul"]["id"]
            self._revisions[identity] = alert["revision"]
            if kind in {"alert-raised", "alert-recorded"}:
                self._last_alert = identity
        if self._zero is not None:
            at = max(event.time - self._zero, ZERO) // MILLISECOND * MILLISECOND
            self._say(f"{seconds(at // MICROSECOND):>10}  {line(kind, event.data)}")
