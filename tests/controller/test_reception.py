"""Every message on a command topic, as bytes of a broker, gets exactly one answer."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from controller.alertness import Alertness
from controller.journal_absent import NoJournal
from controller.node import Node
from controller.reception import Reception
from mqtt.inbox import read_request
from mqtt.inquiries import Inquiry
from mqtt.messages import Delivery
from mqtt.orders import ReplyPayload
from mqtt.rate import Rates
from mqtt.reply_codes import ReplyCode
from table.answers import Code
from table.events import DealEnded
from tests.controller.live_table import ROOT, LiveTable, ask_nothing, journal_at, running
from tests.harness.virtual_clock import VirtualClock
from timing.phases import Paused

PERSON = "Referee A"


class Desk:
    """A reception with one live table, spoken to in bytes."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        node = Node("node-1", ROOT, table.clock, table.clock.now(), NoJournal("none"), table.press)
        self.alertness = Alertness(table.clock)
        self.asked: list[Inquiry] = []
        self.reception = Reception(
            node, {"t1": table.loop}, self.alertness, Rates(20, 60), self.asked.append
        )

    def hears(self, message: Delivery) -> None:
        heard = read_request(ROOT, message)
        assert heard
        self.reception.receive(heard)

    async def answer(self, message: Delivery) -> ReplyPayload:
        replies = self.table.press.replies
        before = len(replies)
        self.hears(message)
        await self.table.press.until(lambda: len(replies) > before)
        return replies[before]


def order(
    verb: str, *, table: str = "t1", retained: bool = False, **precondition: object
) -> Delivery:
    """Return the message of a board that orders something."""
    content = {"id": "c-1", "person": PERSON, "precondition": precondition}
    return Delivery(
        topic=ROOT.table_command("board", table, verb),
        payload=json.dumps(content).encode(),
        retained=retained,
        expiry_seconds=5,
    )


@asynccontextmanager
async def desk(folder: Path) -> AsyncIterator[Desk]:
    clock = VirtualClock()
    async with journal_at(folder / "j", clock) as journal, running(journal, clock) as table:
        yield Desk(table)


async def test_an_order_is_carried_out_at_its_table_in_the_name_of_its_person(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as here:
        reply = await here.answer(order("start-hand", hand=""))
        assert (reply.id, reply.status, reply.code) == ("c-1", "done", "")
        assert here.table.record.state.hand.hand == "t1-1"
        (record,) = (one for one in here.table.journal.records("t1") if one.origin)
        assert record.origin
        assert (record.origin.login, record.origin.person) == ("board", PERSON)
        assert record.origin.command == "c-1"
        assert here.reception.rejected == 0


async def test_what_an_order_rests_on_reaches_the_core(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        reply = await here.answer(order("start-hand", hand="t1-7"))
        assert (reply.status, reply.code) == ("rejected", Code.STALE)
        assert here.reception.rejected == 0


async def test_an_order_for_a_table_that_does_not_exist_names_those_that_do(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with desk(tmp_path) as here:
        with caplog.at_level(logging.WARNING):
            reply = await here.answer(order("start-hand", table="t9"))
        assert (reply.id, reply.status) == ("c-1", "rejected")
        assert reply.code == ReplyCode.UNKNOWN_TABLE
        assert reply.reason == "node node-1 has no table t9; its tables: t1"
        assert here.reception.rejected == 1
        assert here.table.record.state.hand.deals == 0
    assert "order of board on t9/start-hand rejected (unknown-table)" in caplog.text


async def test_a_node_without_tables_says_so(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        node = Node(
            "node-1",
            ROOT,
            here.table.clock,
            here.table.clock.now(),
            NoJournal("none"),
            here.table.press,
        )
        here.reception = Reception(node, {}, here.alertness, Rates(20, 60), ask_nothing)
        reply = await here.answer(order("start-hand"))
        assert reply.reason == "node node-1 has no table t1; its tables: none"


async def test_a_message_that_is_no_order_is_answered_with_the_reason(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with desk(tmp_path) as here:
        reply = await here.answer(order("start-hand", retained=True))
        assert (reply.id, reply.status, reply.code) == ("c-1", "rejected", ReplyCode.RETAINED)
        assert reply.seq is None
        assert reply.time == here.table.clock.utc()
        assert here.reception.rejected == 1
    assert ROOT.table_command("board", "t1", "start-hand") in caplog.text


async def test_what_nobody_can_be_answered_for_is_counted_and_told_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with desk(tmp_path) as here:
        topic = ROOT.table_command("board", "t1", "start-hand")
        here.hears(Delivery(topic=topic, payload=b"\xff", retained=False))
        assert here.reception.rejected == 1
        assert here.table.press.replies == []
    assert "rejected (invalid-payload)" in caplog.text


async def test_an_order_that_waited_through_a_standstill_of_ours_is_not_carried_out(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as here:
        await here.table.clock.advance(timedelta(seconds=6))
        reply = await here.answer(order("start-hand", hand=""))
        assert (reply.status, reply.code) == ("rejected", ReplyCode.EXPIRED)
        assert "stood still for 5.8 s" in reply.reason
        assert here.table.record.state.hand.deals == 0


async def test_a_standstill_is_remembered_for_a_second_and_then_forgotten(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.table.clock.advance(timedelta(seconds=6))
        ticking = asyncio.create_task(here.alertness.run())
        await here.table.clock.settle()
        assert here.alertness.slept > timedelta(seconds=5)
        await here.table.clock.advance(timedelta(seconds=2))
        assert here.alertness.slept == timedelta(0)
        assert (await here.answer(order("start-hand", hand=""))).status == "done"
        ticking.cancel()


@dataclass(frozen=True)
class Venue:
    """A node with two live tables on one journal, spoken to in bytes."""

    tables: dict[str, LiveTable]
    reception: Reception

    async def answers(self, message: Delivery) -> list[ReplyPayload]:
        """Return the replies once every table has done its share."""
        press = self.tables["t1"].press
        before = len(press.replies)
        heard = read_request(ROOT, message)
        assert heard
        self.reception.receive(heard)
        await press.until(lambda: len(press.replies) > before)
        return press.replies[before:]


def _is_paused(table: LiveTable) -> bool:
    return isinstance(table.record.state.hand.phase, Paused)


def node_order(verb: str, command_id: str = "c-1", **arguments: object) -> Delivery:
    content = {"id": command_id, "person": PERSON, "arguments": arguments}
    return Delivery(
        topic=ROOT.node_command("board", "node-1", verb),
        payload=json.dumps(content).encode(),
        retained=False,
        expiry_seconds=5,
    )


@asynccontextmanager
async def two_tables(folder: Path) -> AsyncIterator[Venue]:
    clock = VirtualClock()
    async with (
        journal_at(folder / "j", clock) as journal,
        running(journal, clock) as first,
        running(journal, clock, "t2", first.press) as second,
    ):
        tables = {"t1": first, "t2": second}
        node = Node("node-1", ROOT, clock, clock.now(), journal, first.press)
        loops = {name: table.loop for name, table in tables.items()}
        yield Venue(tables, Reception(node, loops, Alertness(clock), Rates(20, 60), ask_nothing))


async def test_a_pause_of_the_node_pauses_every_table_in_the_name_of_its_person(
    tmp_path: Path,
) -> None:
    async with two_tables(tmp_path) as here:
        for table in here.tables.values():
            await table.happen(DealEnded())
        (reply,) = await here.answers(node_order("pause", reason="fire alarm"))
        assert (reply.id, reply.status, reply.counts) == ("c-1", "done", {"done": 2})
        assert reply.reason == "2 of 2 tables"
        for name, table in here.tables.items():
            assert _is_paused(table)
            (record,) = (one for one in table.journal.records(name) if one.origin)
            assert record.origin
            assert (record.origin.login, record.origin.person) == ("board", PERSON)
        (reply,) = await here.answers(node_order("resume", "c-2"))
        assert reply.counts == {"done": 2}
        assert not any(_is_paused(table) for table in here.tables.values())


async def test_one_answer_counts_who_could_not_and_says_why(tmp_path: Path) -> None:
    async with two_tables(tmp_path) as here:
        await here.tables["t1"].happen(DealEnded())
        (reply,) = await here.answers(node_order("pause"))
        assert (reply.status, reply.code) == ("done", "")
        assert reply.counts == {"done": 1, "rejected": 1}
        assert reply.reason.startswith("1 of 2 tables; t2: ")
        (again,) = await here.answers(node_order("resume", "c-2"))
        assert again.counts == {"done": 1, "rejected": 1}


async def test_where_no_table_can_the_order_is_rejected(tmp_path: Path) -> None:
    async with two_tables(tmp_path) as here:
        (reply,) = await here.answers(node_order("pause"))
        assert (reply.status, reply.code) == ("rejected", Code.WRONG_PHASE)
        assert reply.counts == {"rejected": 2}


async def test_the_same_order_of_a_node_again_gets_the_same_answer_and_is_not_done_twice(
    tmp_path: Path,
) -> None:
    async with two_tables(tmp_path) as here:
        for table in here.tables.values():
            await table.happen(DealEnded())
        (first,) = await here.answers(node_order("pause"))
        (second,) = await here.answers(node_order("pause"))
        assert second == first
        journal = here.tables["t1"].journal
        ordered = [one.table for one in journal.records() if one.origin]
        assert sorted(ordered) == ["node/node-1", "t1", "t2"]


async def test_a_node_without_tables_has_done_all_that_it_can(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        clock, press = here.table.clock, here.table.press
        node = Node("node-1", ROOT, clock, clock.now(), NoJournal("none"), press)
        here.reception = Reception(node, {}, here.alertness, Rates(20, 60), ask_nothing)
        reply = await here.answer(node_order("pause"))
        assert (reply.status, reply.counts, reply.reason) == ("done", {}, "0 of 0 tables")
