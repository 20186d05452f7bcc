"""A hall in play behind a broker with two doors: what its people order and what everybody hears."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from controller.processes import program
from mqtt.access import Role, event_kinds
from mqtt.broker_line import BrokerLine, connect
from mqtt.events import Audience
from mqtt.messages import Message
from mqtt.orders import CommandPayload, ReplyPayload
from mqtt.topics import TopicKind
from tests.interop.broker import Door, two_doors
from tests.interop.reference import Reference, reference
from tests.journeys.hall import Hall, hall_in
from tests.journeys.scoreboard import ROOT, Scoreboard, scoreboard

TABLE = "t1"
DISPLAY, REFEREE, HOUSE = "scoreboard", "referee", "house"
FIRST_DISCARD_MS = 20_000
"""mcr-2014 art. 5 (赛前 6)."""
_SCRIPT = "0.500 table deal-ended\n"
_LOGINS = {DISPLAY: Role.SCOREBOARD, REFEREE: Role.REFEREE}
_numbers = count()


@dataclass(frozen=True)
class Venue:
    """A hall with one table, and somebody of the house who orders."""

    door: Door
    hall: Hall
    seen: Scoreboard
    """Of everything."""
    clocks: Reference
    line: BrokerLine

    async def order(self, verb: str, **arguments: object) -> ReplyPayload:
        """Order something and wait until it is done."""
        name = f"order-{next(_numbers)}"
        said = CommandPayload(id=name, person="Referee A", arguments=arguments)
        topic, answer = ROOT.table_command(HOUSE, TABLE, verb), ROOT.reply(HOUSE, name)
        await self.line.publish(Message(topic, said.encode(), expiry_seconds=5))
        await self.seen.until(lambda: _is_final(self.seen, answer))
        reply = _reply(self.seen, answer)
        assert reply.status == "done", reply
        return reply

    async def begin_anew(self) -> None:
        """Begin the hand again; the dealer's first limit starts now."""
        await self.order("restart-hand", reason="the test begins")
        await self.order("end-deal")
        await self.clocks.runs("1", FIRST_DISCARD_MS - 5000)

    def events(self) -> list[str]:
        """Return the ids of the events that everyone may read, in their order."""
        kinds = {f"tablewarden.{kind}" for kind in event_kinds(Audience.EVERYONE)}
        return [event.id for event in self.seen.events.values() if event.type in kinds]

    def questions(self, login: str) -> list[CommandPayload]:
        """Return what a login asked to be sent again."""
        asked = [
            each
            for each in self.seen.deliveries
            if (address := ROOT.parse(each.topic))
            and (address.kind, address.login) == (TopicKind.TABLE_COMMAND, login)
        ]
        return [CommandPayload.model_validate_json(each.payload) for each in asked]

    def sent_again(self, login: str, question: str) -> list[str]:
        """Return the ids of the events with which a question was answered."""
        topic = ROOT.reply(login, question)
        pages = (each.payload for each in self.seen.deliveries if each.topic == topic)
        replies = map(ReplyPayload.model_validate_json, pages)
        return [event.id for reply in replies for event in reply.events]


def _reply(seen: Scoreboard, topic: str) -> ReplyPayload:
    return ReplyPayload.model_validate_json(seen.newest[topic].payload)


def _is_final(seen: Scoreboard, topic: str) -> bool:
    return topic in seen.newest and _reply(seen, topic).status != "accepted"


@asynccontextmanager
async def venue_in(folder: Path) -> AsyncIterator[Venue]:
    """Run broker, daemon and a simulated table whose hand waits for the first discard."""
    script = folder / "play.hand"
    script.write_text(_SCRIPT, encoding="utf-8")
    with two_doors(folder, ROOT, _LOGINS) as door:
        hall = hall_in(folder, door.broker)
        async with (
            scoreboard(door.broker) as seen,
            reference(door.broker.line("reference"), ROOT, TABLE) as clocks,
            connect(door.broker.line(HOUSE)) as line,
            program("daemon", hall.daemon()),
            program("simulator", hall.simulator(script)),
        ):
            await clocks.runs("1", 0)
            yield Venue(door, hall, seen, clocks, line)
