"""A referee who rules and a login of staff who orders, whatever befalls the broker between."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Delivery, LineSettings, Message, Subscription
from mqtt.orders import CommandPayload, PreconditionFields, ReplyPayload
from mqtt.payloads import TableSnapshot
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.topics import TopicKind
from table.errors import BrokerError
from tests.harness.broker import Mosquitto
from tests.journeys.scoreboard import POLL_SECONDS, ROOT, patient

AGAIN_SECONDS = 0.5
FINAL = {"done", "rejected", "failed"}
_READ = (TopicKind.STATE, TopicKind.ALERT, TopicKind.LEDGER)


@dataclass(frozen=True)
class Wish:
    """An order before it has a sender."""

    id: str
    table: str
    verb: str
    precondition: PreconditionFields
    arguments: dict[str, Any]


class Sight:
    """What an official sees on the topics of the tables."""

    def __init__(self) -> None:
        self.states: dict[str, TableSnapshot] = {}
        self.ledgers: dict[str, LedgerPayload] = {}
        self.alerts: dict[str, AlertPayload] = {}

    def take(self, delivery: Delivery) -> None:
        address = ROOT.parse(delivery.topic)
        if address is None:
            return
        match address.kind:
            case TopicKind.STATE:
                self.states[address.table] = TableSnapshot.model_validate_json(delivery.payload)
            case TopicKind.LEDGER:
                self.ledgers[address.table] = LedgerPayload.model_validate_json(delivery.payload)
            case TopicKind.ALERT if delivery.payload:
                self.alerts[address.name] = AlertPayload.model_validate_json(delivery.payload)
            case TopicKind.ALERT:
                self.alerts.pop(address.name, None)
            case _:
                pass


class Official:
    """Orders what it wishes, and again until somebody answers.

    Args:
        login: at the broker; its password is the same.
        wishes: what it would order, seeing this.
    """

    def __init__(self, login: str, wishes: Callable[[Sight], Iterator[Wish]]) -> None:
        self.login = login
        self._wishes = wishes
        self._sight = Sight()
        self._asked: dict[str, Message] = {}
        self.replies: dict[str, list[ReplyPayload]] = {}
        self.resting = False

    @property
    def answered(self) -> dict[str, ReplyPayload]:
        """The first final reply to each order that got one."""
        final = (one for replies in self.replies.values() for one in replies[:1])
        return {one.id: one for one in final}

    def wish(self, wish: Wish) -> None:
        """Order something beside what it wishes itself."""
        self._asked.setdefault(wish.id, self._message(wish))

    def unanswered(self) -> list[str]:
        """Return the orders that nobody answered yet."""
        return [order for order in self._asked if order not in self.replies]

    async def work(self, line: LineSettings) -> None:
        """Order for ever, over one connection after the other."""
        while True:
            try:
                async with connect(line) as broker, asyncio.TaskGroup() as tasks:
                    await self._subscribe(broker)
                    tasks.create_task(self._read(broker))
                    tasks.create_task(self._order(broker))
            except* BrokerError:
                await asyncio.sleep(POLL_SECONDS)

    async def _subscribe(self, line: BrokerLine) -> None:
        replies = Subscription(ROOT.every(TopicKind.REPLY, login=self.login))
        await line.subscribe(replies, *(Subscription(ROOT.every(kind), qos=0) for kind in _READ))

    async def _read(self, line: BrokerLine) -> None:
        async for delivery in line.deliveries():
            address = ROOT.parse(delivery.topic)
            if address and address.kind is TopicKind.REPLY:
                reply = ReplyPayload.model_validate_json(delivery.payload)
                if reply.status in FINAL:
                    self.replies.setdefault(reply.id, []).append(reply)
            else:
                self._sight.take(delivery)

    async def _order(self, line: BrokerLine) -> None:
        while True:
            if not self.resting:
                for wish in self._wishes(self._sight):
                    self.wish(wish)
            await line.publish_all([self._asked[order] for order in self.unanswered()])
            await asyncio.sleep(AGAIN_SECONDS)

    def _message(self, wish: Wish) -> Message:
        payload = CommandPayload(
            id=wish.id,
            person=f"Person of {self.login}",
            precondition=wish.precondition,
            arguments=wish.arguments,
        )
        topic = ROOT.table_command(self.login, wish.table, wish.verb)
        return Message(topic, payload.encode(), expiry_seconds=5)


def rulings(sight: Sight) -> Iterator[Wish]:
    """Rule on whatever is open, each revision once; take some rulings back."""
    for alert in sight.alerts.values():
        random = Random(f"{alert.alert} {alert.revision}")
        verbs = ("confirm", "waive") if alert.holder else ("confirm", "waive", "acknowledge")
        verb = random.choice(verbs)
        reason = {"reason": "seen otherwise"} if verb == "waive" else {}
        yield _ruling(alert.table, alert.alert, alert.revision, verb, reason)
    for table, ledger in sight.ledgers.items():
        for line in ledger.lines:
            if Random(line.alert).random() < 1 / 4 and line.revision < 6:
                reason = {"reason": "after an appeal"}
                yield _ruling(table, line.alert, line.revision, "reverse", reason)


def _ruling(table: str, alert: str, revision: int, verb: str, reason: dict[str, str]) -> Wish:
    return Wish(
        f"{verb}-{alert}-{revision}",
        table,
        verb,
        PreconditionFields(revision=revision),
        {"alert": alert, **reason},
    )


class Staff:
    """Draws what staff would order next.

    Args:
        seed: of it all.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._count = 0

    def wishes(self, sight: Sight) -> Iterator[Wish]:
        """Order one thing at one table."""
        if not sight.states or self._random.random() < 1 / 3:
            return
        state = self._random.choice(sorted(sight.states.values(), key=lambda one: one.table))
        verb, arguments = self._order_at(state)
        self._count += 1
        yield Wish(
            f"staff-{self._count}",
            state.table,
            verb,
            PreconditionFields(hand=state.hand),
            arguments,
        )

    def _order_at(self, state: TableSnapshot) -> tuple[str, dict[str, Any]]:
        if state.hand_phase == "paused":
            return "resume", {}
        seat = self._random.randint(1, 4)
        orders: list[tuple[str, dict[str, Any]]] = [
            ("pause", {"reason": "a tile fell"}),
            ("give-time", {"reason": "a question", "seconds": 5}),
            ("add-note", {"alert": f"{state.hand}-r1", "text": "seen by staff"}),
            ("sound-buzzer", {"seat": seat}),
            ("extra-time", {"reason": "a tile fell", "minutes": 1}),
            ("set-lamp", {"seat": seat, "lit": bool(seat % 2)}),
            ("enter-foul", {"kind": "silent-call", "seat": seat}),
        ]
        return self._random.choice(orders)


def closing(table: str, number: int) -> Wish:
    """Return an order that everyone hears of, whatever the table does."""
    given = {"reason": "the last one", "minutes": 1}
    return Wish(f"closing-{table}-{number}", table, "extra-time", PreconditionFields(), given)


@asynccontextmanager
async def at_work(broker: Mosquitto, *officials: Official) -> AsyncIterator[None]:
    """Have officials at work as long as the context lasts."""
    async with asyncio.TaskGroup() as tasks:
        running = [
            tasks.create_task(one.work(patient(broker.line(one.login, login=one.login))))
            for one in officials
        ]
        yield
        for task in running:
            task.cancel()
