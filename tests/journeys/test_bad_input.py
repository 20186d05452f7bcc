"""Rubbish from everybody on every topic: answered or passed over, and nothing else comes of it."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from config.load import load
from controller.processes import Program, program
from controller.table_rules import rules_at, rules_of
from mqtt.access import mosquitto_acl
from mqtt.broker_line import BrokerLine, connect
from mqtt.catalogue import COMMANDS
from mqtt.messages import Delivery, Message, Subscription
from mqtt.orders import ReplyPayload
from mqtt.payloads import Heartbeat, NodeAvailability, TableSnapshot
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.topics import TopicKind
from table.answers import Code
from table.errors import BrokerError
from tests.harness.broker import OPEN, Mosquitto, mosquitto
from tests.journeys.bad_input import (
    CAPTAIN,
    LOGINS,
    NODE,
    RIVAL,
    SCHEMAS,
    SENDERS,
    Thrown,
    owner_of,
    thrown,
)
from tests.journeys.chaos_truth import Truth, digest, plain
from tests.journeys.hall import Hall, hall_in, killed
from tests.journeys.scoreboard import ROOT, Scoreboard, patient

pytestmark = pytest.mark.journey
SCRIPT = Path(__file__).with_name("bad_orders.hand")
SPEED = 4
ALERT = ROOT.alert("t1", "t1-1-f1")
ORDERS = "orders_per_second = 1000\norders_at_once = 10000\n"
"""So that the rate limit keeps nothing away from what is tried here."""
MEMORY_BYTES = 16 * 1024 * 1024
"""So much may the daemon grow behind the first third of what is thrown.

The replies of ten minutes are remembered: with key and future less than 2 kB each, and of 16,000
messages of the long run less than a third reaches a table. A leak of 1 kB a message would show.
In the short run the room is for pages of SQLite and of the allocator.
"""


class Listener(Scoreboard):
    """Hears everything and makes nothing of it."""

    def _take(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)
        self.newest[delivery.topic] = delivery


@dataclass
class Fire:
    """A hall that is thrown at, from a loop that runs between the throws only."""

    hall: Hall
    runner: asyncio.Runner
    stack: AsyncExitStack
    seen: Listener = field(default_factory=Listener)
    lines: dict[tuple[str, str], BrokerLine] = field(default_factory=dict)
    sent: list[Thrown] = field(default_factory=list)
    daemon: Program | None = None
    checks: int = 0
    memory: list[int] = field(default_factory=list)

    async def begin(self) -> None:
        """Start everybody, and let the hand be played that is ruled upon."""
        enter = self.stack.enter_async_context
        await enter(program("simulator", self.hall.simulator(SCRIPT)))
        following = asyncio.create_task(
            self.seen.follow(patient(self.hall.broker.line("seen", login=CAPTAIN)))
        )
        self.stack.callback(following.cancel)
        for login in SENDERS:
            for protocol in ("5", "3.1.1"):
                line = self.hall.broker.line(f"{login}-{protocol}", protocol, login)
                self.lines[login, protocol] = await enter(connect(patient(line)))
        await self.seen.connected.wait()
        self.daemon = await enter(program("daemon", self.hall.daemon()))
        await self.seen.until(lambda: ALERT in self.seen.newest)
        assert (await self.order("pause")).status == "done"

    async def throw(self, batch: list[Thrown]) -> None:
        """Throw messages at the hall; afterwards it answers what it must, and a good order."""
        self.sent += batch
        await asyncio.gather(*map(self._throw, batch))
        for one in batch:
            if (topic := one.answer) is not None:
                await self.seen.until(lambda topic=topic: topic in self.seen.newest)  # type: ignore[misc] # bound
        assert (await self.order("sound-buzzer", seat=1)).status == "done"
        self.memory.append(self._process.memory_info().rss)

    async def _throw(self, one: Thrown) -> None:
        line = self.lines[one.login, one.protocol]
        told_of = one.protocol == "5" and one.message.qos == 1
        try:
            await line.publish(one.message)
        except BrokerError:
            assert told_of
            assert not one.lands, one
        else:
            assert one.lands or not told_of, one

    async def order(self, verb: str, id_: str = "", **arguments: Any) -> ReplyPayload:  # noqa: ANN401 - JSON
        """Order something that is good and return the first answer."""
        self.checks += 1
        id_ = id_ or f"good-{self.checks}"
        content = {"id": id_, "person": "Referee B", "arguments": arguments}
        topic = ROOT.table_command(CAPTAIN, "t1", verb)
        message = Message(topic, json.dumps(content).encode(), expiry_seconds=5)
        self.sent.append(Thrown(CAPTAIN, "5", message))
        reply = ROOT.reply(CAPTAIN, id_)
        self.seen.newest.pop(reply, None)
        await self.lines[CAPTAIN, "5"].publish(message)
        await self.seen.until(lambda: reply in self.seen.newest)
        return ReplyPayload.model_validate_json(self.seen.newest[reply].payload)

    async def restart(self) -> None:
        """Kill the daemon and start it again, until it has put everything in place."""
        assert self.daemon
        await killed(self.daemon)
        self.daemon = await self.stack.enter_async_context(program("daemon", self.hall.daemon()))
        session = (await self.beat()).session
        await self.seen.until(lambda: self._is_online(session))

    def _is_online(self, session: int) -> bool:
        try:
            told = self.seen.newest[ROOT.node_availability(NODE)].payload
            said = NodeAvailability.model_validate_json(told)
        except (KeyError, ValidationError):
            return False
        return (said.status, said.session) == ("online", session)

    async def beat(self) -> Heartbeat:
        """Wait for the next heartbeat."""
        beats = len(self.seen.deliveries)
        await self.seen.until(lambda: self._beaten(beats))
        return Heartbeat.model_validate_json(self.seen.newest[ROOT.heartbeat(NODE)].payload)

    def _beaten(self, since: int) -> bool:
        beat = ROOT.heartbeat(NODE)
        return any(one.topic == beat for one in self.seen.deliveries[since:])

    @property
    def _process(self) -> psutil.Process:
        assert self.daemon
        return psutil.Process(self.daemon.process.pid)


@contextmanager
def fire(folder: Path) -> Iterator[Fire]:
    """Run a hall with roles at its broker."""
    (folder / "acl").write_text(
        mosquitto_acl(ROOT, LOGINS, {RIVAL: RIVAL, NODE: NODE}, keeper=NODE), encoding="utf-8"
    )
    with (
        mosquitto(folder, f"{OPEN}\nacl_file {folder}/acl") as broker,
        asyncio.Runner() as runner,
    ):
        here = Fire(_hall(folder, broker), runner, AsyncExitStack())
        runner.run(here.begin())
        try:
            yield here
        finally:
            runner.run(here.stack.aclose())


def _hall(folder: Path, broker: Mosquitto) -> Hall:
    hall = hall_in(folder, broker, SPEED)
    password = folder / "password"
    password.write_text(NODE, encoding="utf-8")
    password.chmod(0o600)
    login = f'login = "{NODE}"\npassword_file = "{password}"\n{ORDERS}'
    text = hall.settings.read_text(encoding="utf-8")
    hall.settings.write_text(text.replace("[broker]\n", f"[broker]\n{login}"), encoding="utf-8")
    return hall


@pytest.mark.parametrize("batches", [50, pytest.param(2000, marks=pytest.mark.long)])
def test_whatever_is_thrown_at_a_node_it_goes_on_and_only_good_orders_change_anything(
    tmp_path: Path, batches: int
) -> None:
    with fire(tmp_path) as here:

        @settings(max_examples=batches, suppress_health_check=list(HealthCheck))
        @given(st.lists(thrown(), min_size=12, max_size=12))
        def throw(batch: list[Thrown]) -> None:
            here.runner.run(here.throw(batch))

        throw()
        third = len(here.memory) // 3
        grown = here.memory[-1] - here.memory[third]
        assert grown < MEMORY_BYTES, f"{grown} bytes behind the first third"
        # Now, and not before so much was thrown: a reply is remembered for ten minutes.
        once = here.runner.run(here.order("extra-time", "once", minutes=1, reason="power cut"))
        here.runner.run(here.order("start-hand"))  # whether a hand is on already is chance by now
        refused = here.runner.run(here.order("start-hand", "refused"))
        assert (once.status, refused.code) == ("done", Code.WRONG_PHASE)
        here.runner.run(here.restart())
        assert here.runner.run(here.order("extra-time", "once", minutes=9, reason="x")) == once
        assert here.runner.run(here.order("void-hand", "refused", reason="x")) == refused
        here.runner.run(_shows_what_the_journal_says(here))
    _only_good_orders_changed_anything(here)


async def _shows_what_the_journal_says(here: Fire) -> None:
    """The node is well, and the broker has what replay makes of its record."""
    beat = await here.beat()
    assert not beat.alarms
    settings = load(here.hall.settings, {})
    truth = Truth(here.hall, rules_at(settings, rules_of(settings), "t1"))
    truth.read_on()
    table = truth.tables["t1"]
    assert beat.last_seq["t1"] == table.seq
    snapshot = TableSnapshot.model_validate_json(here.seen.newest[ROOT.state("t1")].payload)
    assert plain(snapshot) == truth.state_at(table.points[-1], snapshot)
    ledger = LedgerPayload.model_validate_json(here.seen.newest[ROOT.ledger("t1")].payload)
    assert digest(ledger) == table.ledgers[-1]
    shown = {alert: plain(payload) for alert, payload in (await _kept_alerts(here)).items()}
    assert shown == {alert: past[-1] for alert, past in table.alerts.items() if past[-1]}


async def _kept_alerts(here: Fire) -> dict[str, AlertPayload]:
    """Return what the broker keeps of alerts; what staff threw without the flag passed by."""
    every = ROOT.every(TopicKind.ALERT, table="t1")
    settings = patient(here.hall.broker.line("newcomer", login=CAPTAIN))
    async with connect(settings) as line, asyncio.TaskGroup() as tasks:
        listener = Listener()
        listening = tasks.create_task(_hear_all(listener, line))
        await line.subscribe(Subscription(every))
        await line.catch_up()
        listening.cancel()
    kept = listener.shown(TopicKind.ALERT).items()
    return {
        topic.removeprefix(every.removesuffix("+")): AlertPayload.model_validate_json(one.payload)
        for topic, one in kept
    }


async def _hear_all(listener: Listener, line: BrokerLine) -> None:
    async for delivery in line.deliveries():
        listener.newest[delivery.topic] = delivery


def _only_good_orders_changed_anything(here: Fire) -> None:
    """Whatever was carried out was ordered by a message that its schema allows, in its own name."""
    assert here.hall.journal.verify() is None
    good = {
        (_login(one), one.id.partition("/")[0], _verb(one))
        for one in here.sent
        if one.lands and not one.message.retain and _is_valid(one)
    }
    ordered = [one for one in here.hall.journal.records("t1") if '"type":"Ordered"' in one.stimulus]
    unnamed = [one for one in ordered if one.origin is None]
    assert len(unnamed) <= 1, "nobody but the configuration orders without a login"
    carried_out = [one for one in ordered if one.origin and '"type":"Refused"' not in one.effects]
    assert carried_out
    for record in carried_out:
        assert record.origin
        id_ = record.origin.command.partition("/")[0]
        named = [
            verb for login, known, verb in good if (login, known) == (record.origin.login, id_)
        ]
        assert json.loads(record.stimulus)["command"]["type"].lower() in named, record


def _login(one: Thrown) -> str:
    address = ROOT.parse(one.message.topic)
    return address.login if address else ""


def _verb(one: Thrown) -> str:
    """Return the verb of an order as the journal names its command, but for the case."""
    address = ROOT.parse(one.message.topic)
    return address.name.replace("-", "") if address else ""


def _is_valid(one: Thrown) -> bool:
    address = ROOT.parse(one.message.topic)
    if address is None or address.kind not in COMMANDS:
        return False
    schema = SCHEMAS.get(f"commands/{owner_of(address.kind)}/{address.name}")
    return schema is not None and jsonschema.Draft202012Validator(schema).is_valid(
        json.loads(one.message.payload) if one.id else None
    )
