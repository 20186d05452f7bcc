"""Orders that are no good: each gets its answer, nothing is lost, and good ones go on."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from controller.processes import program
from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Message
from mqtt.orders import ReplyPayload
from mqtt.payloads import Heartbeat
from mqtt.payloads_of_rulings import LedgerPayload
from tests.harness.broker import mosquitto
from tests.journeys.bad_orders import (
    ALERT,
    BAD_ORDERS,
    EXPIRED,
    HAND,
    LOGIN,
    OLD_CLIENT,
    UNANSWERABLE,
    BadOrder,
    order,
)
from tests.journeys.hall import Hall, hall_in, killed
from tests.journeys.scoreboard import ROOT, Scoreboard, scoreboard
from tests.journeys.verdict import told_whole

pytestmark = pytest.mark.journey
SCRIPT = Path(__file__).with_name("bad_orders.hand")
SPEED = 4
BY_THE_TABLE = {"stale", "unknown-alert", "wrong-phase", "hand-running", "bad-value"}
"""Codes of orders that are good in themselves, so that the table's record has them."""


async def test_bad_orders_are_answered_and_good_ones_carried_out(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        hall = hall_in(tmp_path, broker, SPEED)
        async with (
            scoreboard(broker) as seen,
            program("simulator", hall.simulator(SCRIPT)),
            connect(broker.line("desk")) as line,
            connect(broker.line("old-desk", protocol="3.1.1")) as old_line,
        ):
            async with program("daemon", hall.daemon()) as daemon:
                await seen.until(lambda: ROOT.alert("t1", ALERT) in seen.newest)
                await _all_are_refused(line, seen, BAD_ORDERS)
                await _all_are_refused(old_line, seen, [OLD_CLIENT])
                await line.publish_all(UNANSWERABLE)
                await _play_stands_still_and_goes_on(line, old_line, seen)
                await killed(daemon)
            await line.publish(EXPIRED)
            async with program("daemon", hall.daemon()):
                await _node_is_well(seen)
                await _referee_rules(line, seen)
        told_whole(seen)
        nothing_else_was_answered(seen)
        rulings_are_the_good_ones(hall, seen)


async def _all_are_refused(line: BrokerLine, seen: Scoreboard, orders: Iterable[BadOrder]) -> None:
    for bad in orders:
        await line.publish(bad.message)
        reply = await _reply(seen, bad.reply)
        assert (reply.status, reply.code) == ("rejected", bad.code), bad.id
        assert bad.words in reply.reason, bad.id
        if bad.message.retain:
            await line.publish(replace(bad.message, payload=b""))


async def _reply(seen: Scoreboard, topic: str) -> ReplyPayload:
    await seen.until(lambda: topic in seen.newest)
    return ReplyPayload.model_validate_json(seen.newest[topic].payload)


async def _play_stands_still_and_goes_on(
    line: BrokerLine, old_line: BrokerLine, seen: Scoreboard
) -> None:
    """A client of either version still gets what it orders."""
    pause = order("pause", "pause", precondition={"hand": HAND})
    assert (await _carried_out(old_line, seen, "pause", pause)).status == "done"
    assert (await _carried_out(line, seen, "go-on", order("go-on", "resume"))).status == "done"
    await _node_is_well(seen)


async def _referee_rules(line: BrokerLine, seen: Scoreboard) -> None:
    ruling = await _carried_out(line, seen, "ruling", order("ruling", "confirm"))
    assert ruling.status == "done"
    assert (await _node_is_well(seen)).last_seq["t1"] == ruling.seq


async def _node_is_well(seen: Scoreboard) -> Heartbeat:
    """Wait for the next heartbeat, which says what was understood so far."""
    heard, topic = len(seen.deliveries), ROOT.heartbeat("node-1")
    await seen.until(lambda: any(one.topic == topic for one in seen.deliveries[heard:]))
    beat = Heartbeat.model_validate_json(seen.newest[topic].payload)
    assert not beat.alarms
    return beat


async def _carried_out(
    line: BrokerLine, seen: Scoreboard, id_: str, message: Message
) -> ReplyPayload:
    await line.publish(message)
    return await _reply(seen, ROOT.reply(LOGIN, id_))


def nothing_else_was_answered(seen: Scoreboard) -> None:
    """One reply to each that can be answered, none to the others."""
    replies = [one.topic for one in seen.deliveries if f"{ROOT.path}/reply/" in one.topic]
    good = (ROOT.reply(LOGIN, id_) for id_ in ("pause", "go-on", "ruling"))
    answered = (bad.reply for bad in (*BAD_ORDERS, OLD_CLIENT))
    assert sorted(replies) == sorted((*answered, *good))


def rulings_are_the_good_ones(hall: Hall, seen: Scoreboard) -> None:
    """The one ruling stands, and every order the table understood is in the record."""
    (ruling,) = seen.of("ruling-made")
    assert ruling.causeid == "ruling"
    ledger = LedgerPayload.model_validate_json(seen.newest[ROOT.ledger("t1")].payload)
    assert [line.alert for line in ledger.lines] == [ALERT]
    ordered = {record.origin.command for record in hall.journal.records("t1") if record.origin}
    refused = {bad.id for bad in BAD_ORDERS if bad.code in BY_THE_TABLE}
    assert ordered - {""} == refused | {"pause", "go-on", "ruling"}
    assert hall.journal.verify() is None
