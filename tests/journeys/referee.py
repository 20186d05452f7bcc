"""A referee who confirms whatever is put before him, and asks again until somebody answers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import LineSettings, Message
from mqtt.orders import CommandPayload, PreconditionFields, ReplyPayload
from mqtt.payloads_of_rulings import AlertPayload
from mqtt.topics import TopicKind
from table.errors import BrokerError
from tests.harness.broker import Mosquitto
from tests.journeys.scoreboard import POLL_SECONDS, ROOT, Scoreboard, patient

LOGIN = "referee"
PERSON = "Referee A"
AGAIN_SECONDS = 0.1


class Referee:
    """Rules on the alerts that a scoreboard of officials shows.

    Args:
        seen: where alerts and replies are read.
        most: after so many rulings he only watches.
    """

    def __init__(self, seen: Scoreboard, most: int) -> None:
        self._seen = seen
        self._most = most
        self._asked: dict[str, Message] = {}

    @property
    def asked(self) -> int:
        """How many rulings were asked for so far."""
        return len(self._asked)

    def answered(self, status: str = "done") -> set[str]:
        """Return the ids of the commands that ended so."""
        replies = map(self._reply, self._asked)
        return {reply.id for reply in replies if reply and reply.status == status}

    async def work(self, line: LineSettings) -> None:
        """Rule for ever, over one connection after the other."""
        while True:
            try:
                async with connect(line) as broker:
                    await self._rule(broker)
            except BrokerError:
                await asyncio.sleep(POLL_SECONDS)

    async def _rule(self, line: BrokerLine) -> None:
        while True:
            for delivery in self._seen.shown(TopicKind.ALERT).values():
                if len(self._asked) < self._most:
                    alert = AlertPayload.model_validate_json(delivery.payload)
                    self._asked.setdefault(f"{alert.alert}-r{alert.revision}", _confirmation(alert))
            waiting = (asked for name, asked in self._asked.items() if self._reply(name) is None)
            await line.publish_all(waiting)
            await asyncio.sleep(AGAIN_SECONDS)

    def _reply(self, command: str) -> ReplyPayload | None:
        delivery = self._seen.newest.get(ROOT.reply(LOGIN, command))
        return ReplyPayload.model_validate_json(delivery.payload) if delivery else None


def _confirmation(alert: AlertPayload) -> Message:
    payload = CommandPayload(
        id=f"{alert.alert}-r{alert.revision}",
        person=PERSON,
        precondition=PreconditionFields(revision=alert.revision),
        arguments={"alert": alert.alert},
    )
    topic = ROOT.table_command(LOGIN, alert.table, "confirm")
    return Message(topic, payload.encode(), expiry_seconds=5)


@asynccontextmanager
async def refereed(broker: Mosquitto, seen: Scoreboard, most: int = 100) -> AsyncIterator[Referee]:
    """Have a referee at work as long as the context lasts."""
    referee = Referee(seen, most)
    working = asyncio.create_task(referee.work(patient(broker.line(LOGIN))))
    try:
        yield referee
    finally:
        working.cancel()
        await asyncio.wait([working])
    assert working.cancelled(), working.exception()
