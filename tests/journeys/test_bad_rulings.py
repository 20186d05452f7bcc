"""Rulings that the book or the moment forbids: one sentence each, and nothing has changed."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.processes import program
from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Message
from mqtt.orders import CommandPayload, PreconditionFields, ReplyPayload
from mqtt.payloads import TableSnapshot, Timers
from mqtt.topics import TopicKind
from tests.harness.broker import Mosquitto, mosquitto
from tests.journeys.hall import Hall, hall_in
from tests.journeys.scoreboard import ROOT, Scoreboard, retained, scoreboard

pytestmark = pytest.mark.journey
SCRIPT = Path(__file__).with_name("bad_orders.hand")
LOGIN, SPEED = "referee", 4
CLOSED, WAITING = "t1-1-f1", "t2-1-f1"
"""One alert at each of two tables; the first is confirmed before anything bad is ordered."""
SHOWN = {TopicKind.STATE, TopicKind.TIMERS, TopicKind.ALERT, TopicKind.LEDGER}


@dataclass(frozen=True)
class Order:
    """An order for a table, and for a bad one the code and words of its answer."""

    table: str
    verb: str
    arguments: dict[str, object]
    revision: int | None = 1
    code: str = ""
    words: tuple[str, ...] = ()
    person: str = "Referee A"

    def message(self, id_: str) -> Message:
        payload = CommandPayload(
            id=id_,
            person=self.person,
            precondition=PreconditionFields(revision=self.revision),
            arguments=self.arguments,
        )
        topic = ROOT.table_command(LOGIN, self.table, self.verb)
        return Message(topic, payload.encode(), expiry_seconds=5)


def _modify(kind: str, **sanction: object) -> dict[str, object]:
    return {"alert": WAITING, "reason": "seen", "sanction": {"kind": kind, **sanction}}


def _enter(kind: str) -> dict[str, object]:
    return {"kind": kind, "seat": 1}


CONFIRMED = Order("t1", "confirm", {"alert": CLOSED})
WHY = {"reason": "tile fell"}
BAD = {
    "closed": Order(
        "t1",
        "confirm",
        {"alert": CLOSED},
        revision=2,
        code="wrong-phase",
        words=(CLOSED, "nothing to confirm, it was confirmed by Referee A"),
    ),
    "closed-before": Order(
        "t1",
        "waive",
        {"alert": CLOSED, **WHY},
        code="stale",
        words=("revision 2, not 1", "confirmed by Referee A"),
    ),
    "anothers": Order(
        "t1",
        "undo",
        {"alert": CLOSED},
        revision=2,
        code="wrong-phase",
        words=("only Referee A may undo it",),
        person="Referee B",
    ),
    "foreign": Order(
        "t1", "confirm", {"alert": WAITING}, code="unknown-alert", words=(f"no alert {WAITING}",)
    ),
    "outdated": Order(
        "t2", "confirm", {"alert": WAITING}, revision=9, code="stale", words=("revision 1, not 9",)
    ),
    "undecided": Order(
        "t2", "reverse", {"alert": WAITING, **WHY}, code="wrong-phase", words=("reverse", "open")
    ),
    "claimed": Order("t2", "take-up", {"alert": WAITING}, code="wrong-phase", words=("open",)),
    "seven": Order(
        "t2",
        "modify",
        _modify("points", points=7),
        code="bad-value",
        words=("nobody may impose 7", "5, 10, 20, 30", "mcr-2014 art. 11"),
    ),
    "each": Order(
        "t2",
        "modify",
        _modify("pay-each", points=40),
        code="bad-value",
        words=("nobody may impose 40-each",),
    ),
    "measure": Order(
        "t2",
        "modify",
        _modify("points", points=5, measures=["mechanical"]),
        code="bad-value",
        words=("nobody may impose mechanical",),
    ),
    "payee": Order(
        "t2",
        "modify",
        _modify("pay-player", points=5, to="t1-1"),
        code="bad-value",
        words=("t1-1 is not one of the others: t2-",),
    ),
    "chief": Order(
        "t2",
        "escalate",
        {"alert": WAITING, **WHY},
        code="wrong-phase",
        words=("names no chief referee",),
    ),
    "unknown": Order(
        "t2",
        "enter-foul",
        _enter("wrong-melt"),
        revision=None,
        code="bad-value",
        words=("kind 'wrong-melt' is none of", "nearest is wrong-meld"),
    ),
    "not-in-book": Order(
        "t2",
        "enter-foul",
        _enter("phone-rang"),
        revision=None,
        code="bad-value",
        words=("phone-rang", "mcr-2014 has only"),
    ),
    "by-itself": Order(
        "t2",
        "enter-foul",
        _enter("overtime-sum"),
        revision=None,
        code="bad-value",
        words=("follows from rulings by itself",),
    ),
}


async def test_a_ruling_that_is_refused_changes_nothing(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        hall = hall_in(tmp_path, broker, SPEED, tables=2)
        async with (
            scoreboard(broker) as seen,
            hall.parted("t1", SCRIPT),
            hall.parted("t2", SCRIPT),
            program("daemon", hall.daemon()),
            connect(broker.line("desk")) as line,
        ):
            desk = Desk(line, seen)
            await desk.everything_stands()
            before, told = await _shown(broker), len(seen.events)
            for name, bad in BAD.items():
                answer = await desk.order(name, bad)
                assert (answer.status, answer.code) == ("rejected", bad.code), answer
                assert all(words in answer.reason for words in bad.words), answer
                assert "\n" not in answer.reason, answer
            assert await _shown(broker) == before
            assert len(seen.events) == told
        assert hall.journal.verify() is None
        assert _refused(hall) == set(BAD)


@dataclass(frozen=True)
class Desk:
    """Orders and hears what becomes of it."""

    line: BrokerLine
    seen: Scoreboard

    async def order(self, name: str, order: Order) -> ReplyPayload:
        topic = ROOT.reply(LOGIN, name)
        await self.line.publish(order.message(name))
        await self.seen.until(lambda: topic in self.seen.newest)
        return ReplyPayload.model_validate_json(self.seen.newest[topic].payload)

    async def everything_stands(self) -> None:
        """Let both hands come to their alert, decide one of them, and stop all clocks."""
        alerts = {ROOT.alert("t1", CLOSED), ROOT.alert("t2", WAITING)}
        await self.seen.until(lambda: alerts <= set(self.seen.newest))
        await self.seen.until(lambda: len(self.seen.of("discarded")) == 4)
        assert (await self.order("confirmed", CONFIRMED)).status == "done"
        for table in ("t1", "t2"):
            pause = Order(table, "pause", {}, revision=None)
            assert (await self.order(f"pause-{table}", pause)).status == "done"
        await self.seen.until(lambda: not self.seen.newest[ROOT.alert("t1", CLOSED)].payload)
        await self.seen.until(lambda: all(map(self._stands, ("t1", "t2"))))

    def _stands(self, table: str) -> bool:
        state = TableSnapshot.model_validate_json(self.seen.newest[ROOT.state(table)].payload)
        clocks = Timers.model_validate_json(self.seen.newest[ROOT.timers(table)].payload)
        return state.hand_phase == "paused" and clocks.seq == state.seq


async def _shown(broker: Mosquitto) -> dict[str, bytes]:
    """Return what the broker keeps of the tables, byte for byte."""
    kept = await retained(broker)
    addresses = ((topic, ROOT.parse(topic)) for topic in kept)
    return {topic: kept[topic] for topic, to in addresses if to and to.kind in SHOWN}


def _refused(hall: Hall) -> set[str]:
    """Return the orders that the journal has with a person and the reason why they were refused."""
    records = (one for one in hall.journal.records() if one.origin)
    told = ("Refused", "OrderRejected")
    return {
        one.origin.command
        for one in records
        if one.origin and one.origin.person and any(word in one.effects for word in told)
    }
