"""Somebody who has just come: is everything that the broker keeps true?"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace

from mqtt.broker_line import connect
from mqtt.messages import Message, Subscription
from mqtt.payloads import NodeAvailability, TableAvailability
from mqtt.topics import Address, TopicKind
from table.errors import BrokerError, JournalError
from tests.harness.broker import Mosquitto
from tests.journeys.chaos_fits import fits, newest
from tests.journeys.chaos_truth import Truth
from tests.journeys.scoreboard import ROOT

LOGIN = "newcomer"
MARKER = ROOT.node_command(LOGIN, "nobody", "all-told")
"""Nobody hears it but who sent it."""
AGAIN_SECONDS, TOLD_SECONDS = 0.1, 3
Kept = dict[str, bytes]


@dataclass(frozen=True)
class Since:
    """How far the journal was; a newcomer who is told no more has learnt nothing of today."""

    session: int
    seqs: dict[str, int]

    @classmethod
    def now(cls, truth: Truth) -> "Since":
        return cls(truth.session, {name: table.seq for name, table in truth.tables.items()})


async def true_again(broker: Mosquitto, truth: Truth, since: Since, seconds: float) -> list[str]:
    """Ask as one newcomer after the other until all is true, and return what is still untrue.

    Args:
        broker: whom they ask.
        truth: the journal.
        since: what must have been passed at some table, and what session reached.
        seconds: patience, in real time.
    """
    wrong = ["nobody could be asked"]
    with_patience = asyncio.timeout(seconds)
    try:
        async with with_patience:
            while wrong:
                await asyncio.sleep(AGAIN_SECONDS)
                wrong = await _asked(broker, truth, since)
    except TimeoutError:
        if not with_patience.expired():
            raise
    return wrong


async def _asked(broker: Mosquitto, truth: Truth, since: Since) -> list[str]:
    try:
        truth.read_on()
        if not _is_later(truth, since):
            return ["nothing has happened since"]
        known = {topic: newest(truth, address) for topic, address in _topics(truth)}
        kept = await _kept(broker)
    except (BrokerError, JournalError) as error:
        return [str(error)]
    except TimeoutError:
        return [f"a newcomer was not told everything in {TOLD_SECONDS} s"]
    truth.read_on()
    return list(untrue(truth, known, kept))


def _is_later(truth: Truth, since: Since) -> bool:
    gone_on = (table.seq > since.seqs.get(name, 0) for name, table in truth.tables.items())
    return truth.session >= since.session and any(gone_on)


def _topics(truth: Truth) -> Iterator[tuple[str, Address]]:
    for name, table in truth.tables.items():
        topics = [ROOT.state(name), ROOT.timers(name), ROOT.ledger(name)]
        topics += [ROOT.alert(name, alert) for alert in table.alerts]
        for topic in topics:
            if (address := ROOT.parse(topic)) is not None:
                yield topic, address


def untrue(truth: Truth, known: dict[str, int], kept: Kept) -> Iterator[str]:
    """Say what a newcomer is told that was not true when he came, or later.

    Args:
        truth: as the journal has it after he was told.
        known: place of what was true of each topic before he came.
        kept: what he was told.
    """
    for topic, address in _topics(truth):
        payload = kept.get(topic, b"")
        if not payload and address.kind is not TopicKind.ALERT:
            yield f"{topic} is missing"
        elif not any(place >= known.get(topic, 0) for place in fits(truth, address, payload)):
            yield f"{topic} is not true any more: {payload.decode()}"
    strange = {topic for topic in kept if _is_alert(topic)} - {topic for topic, _ in _topics(truth)}
    yield from (f"{topic} is no alert of the journal" for topic in strange)
    yield from _away(truth, kept)


def _away(truth: Truth, kept: Kept) -> Iterator[str]:
    node = kept.get(ROOT.node_availability("node-1"))
    said = NodeAvailability.model_validate_json(node) if node else None
    if said is None or (said.status, said.session) != ("online", truth.session):
        yield f"the node is {said and said.status}, in session {said and said.session}"
    for name, table in truth.tables.items():
        link = kept.get(ROOT.table_availability(name))
        there = link and TableAvailability.model_validate_json(link).status != "offline"
        if not link or there != table.linked:
            yield f"{name} is said to be there: {there}"


def _is_alert(topic: str) -> bool:
    address = ROOT.parse(topic)
    return address is not None and address.kind is TopicKind.ALERT


async def _kept(broker: Mosquitto) -> Kept:
    """Return what the broker keeps, as it tells somebody who has just come."""
    kept: Kept = {}
    settings = replace(broker.line(LOGIN, login=LOGIN), answer_seconds=1.0)
    async with connect(settings) as line:
        await line.subscribe(Subscription(f"{ROOT.path}/#", qos=0))
        await line.publish(Message(MARKER))
        async with asyncio.timeout(TOLD_SECONDS):
            async for delivery in line.deliveries():
                if delivery.topic == MARKER:
                    break
                if delivery.retained:
                    kept[delivery.topic] = delivery.payload
    return kept
