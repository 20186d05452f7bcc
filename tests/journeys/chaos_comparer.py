"""Holds what the broker shows against the journal, all the time: nothing untrue, nothing older."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Delivery, LineSettings, Subscription
from mqtt.payloads import NodeAvailability, TableAvailability
from mqtt.topics import Address, TopicKind
from table.errors import BrokerError, JournalError
from tests.harness.broker import Mosquitto
from tests.journeys.chaos_fits import COMPARED, fits, was_never_recorded
from tests.journeys.chaos_truth import Truth
from tests.journeys.scoreboard import POLL_SECONDS, ROOT, patient

LOGIN = "comparer"
BEAT_SECONDS = 0.1
GRACE_SECONDS = 4.0
"""A display may be ahead of the journal for so long."""
_READ = (*COMPARED, TopicKind.TABLE_AVAILABILITY, TopicKind.NODE_AVAILABILITY)


@dataclass(frozen=True)
class Arrival:
    """What came, and what was known by then."""

    at: float
    address: Address
    delivery: Delivery
    session: int
    """The newest that had said it is online."""


@dataclass(frozen=True)
class Noted:
    """Something worth a line, and when it was seen."""

    at: float
    text: str


class Comparer:
    """Compares every payload with the journal as soon as the journal has got so far.

    Args:
        truth: read on at every beat.
    """

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self._waiting: deque[Arrival] = deque()
        self._reached: dict[str, int] = {}
        self._links: dict[str, Arrival] = {}
        self._session = 0
        self.compared: Counter[TopicKind] = Counter()
        self.differences: list[Noted] = []
        self.stale: list[Noted] = []
        """What a broker that was started again kept from earlier."""
        self.first: dict[str, Delivery] = {}
        self.last: dict[str, Delivery] = {}
        """What came first and last on each topic."""
        self.unrecorded = 0
        """Displays right before a kill that no record followed."""

    def take(self, at: float, delivery: Delivery) -> None:
        """Take what came; it is compared in one of the next beats."""
        address = ROOT.parse(delivery.topic)
        if address is None or address.kind not in _READ:
            return
        self.first.setdefault(delivery.topic, delivery)
        self.last[delivery.topic] = delivery
        if address.kind is TopicKind.NODE_AVAILABILITY:
            self._hear_node(at, delivery)
            return
        arrival = Arrival(at, address, delivery, self._session)
        self._waiting.append(arrival)
        if address.kind is TopicKind.TABLE_AVAILABILITY:
            self._links[address.table] = arrival

    def judge(self, now: float) -> None:
        """Compare what waits, and give up on what has waited too long."""
        with suppress(JournalError):
            self._truth.read_on()
        kept = [one for one in self._waiting if not self._settled(one, now)]
        self._waiting = deque(kept)

    def _settled(self, one: Arrival, now: float) -> bool:
        if one.address.kind is TopicKind.TABLE_AVAILABILITY:
            return self._link_settled(one, now)
        places = fits(self._truth, one.address, one.delivery.payload)
        if places:
            self.compared[one.address.kind] += 1
            self._place(one, places)
        elif now - one.at < GRACE_SECONDS:
            return False
        elif was_never_recorded(self._truth, one.address, one.delivery.payload, one.session):
            self.unrecorded += 1
        else:
            self._differs(one, "is not what the journal says")
        return True

    def _place(self, one: Arrival, places: list[int]) -> None:
        """See that what is shown goes forward."""
        topic = one.delivery.topic
        reached = self._reached.get(topic, -1)
        if places[-1] >= reached:
            self._reached[topic] = min(place for place in places if place >= reached)
        elif one.delivery.retained:
            self.stale.append(Noted(one.at, f"{topic} from before {reached}: {places[-1]}"))
        else:
            self._differs(one, f"goes back from {reached} to {places[-1]}")

    def _link_settled(self, one: Arrival, now: float) -> bool:
        """See that a table which is said to be there is, unless it is told otherwise soon."""
        if now - one.at < GRACE_SECONDS:
            return False
        self.compared[one.address.kind] += 1
        said = TableAvailability.model_validate_json(one.delivery.payload)
        linked = self._truth.tables[one.address.table].linked
        if self._links[one.address.table] is one and linked != (said.status != "offline"):
            self._differs(one, f"says {said.status}")
        return True

    def _hear_node(self, at: float, delivery: Delivery) -> None:
        said = NodeAvailability.model_validate_json(delivery.payload)
        if said.session < self._session:
            self.stale.append(Noted(at, f"{delivery.topic} of session {said.session}"))
        self._session = max(self._session, said.session)

    def _differs(self, one: Arrival, what: str) -> None:
        text = f"{one.delivery.topic} {what}: {one.delivery.payload.decode()}"
        self.differences.append(Noted(one.at, text))

    async def follow(self, line: LineSettings) -> None:
        """Read for ever, over one connection after the other."""
        while True:
            try:
                async with connect(line) as broker:
                    await self._read(broker)
            except BrokerError:
                await asyncio.sleep(POLL_SECONDS)

    async def _read(self, line: BrokerLine) -> None:
        wanted = [Subscription(ROOT.every(kind), qos=0) for kind in _READ]
        await line.subscribe(*wanted)
        async for delivery in line.deliveries():
            self.take(asyncio.get_running_loop().time(), delivery)

    async def beat(self) -> None:
        """Judge for ever."""
        while True:
            self.judge(asyncio.get_running_loop().time())
            await asyncio.sleep(BEAT_SECONDS)

    def rest(self) -> bool:
        """Say whether everything was compared."""
        return not self._waiting


@asynccontextmanager
async def compared(broker: Mosquitto, truth: Truth) -> AsyncIterator[Comparer]:
    """Compare as long as the context lasts."""
    comparer = Comparer(truth)
    line = patient(broker.line(LOGIN, login=LOGIN))
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(comparer.follow(line)), tasks.create_task(comparer.beat())]
        yield comparer
        for task in running:
            task.cancel()
