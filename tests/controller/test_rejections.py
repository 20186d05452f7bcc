"""Orders that reach no table: who sent them and why they were rejected stays in the journal."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from controller.alertness import Alertness
from controller.journal import Record
from controller.journal_file import JournalFile
from controller.journal_reader import JournalReader
from controller.journal_report import shown
from controller.node import Node
from controller.node_record import OF_AN_ORDER, OrderRejected, part_of
from controller.reception import ANSWERED_A_SECOND, Reception
from mqtt.inbox import read_request
from mqtt.messages import Delivery
from mqtt.orders import ReplyPayload
from mqtt.rate import Rates
from mqtt.reply_codes import ReplyCode
from table.commands import Pause
from tests.controller.journal_entries import full_disk
from tests.controller.live_table import ROOT, LiveTable, ask_nothing, journal_at, running
from tests.harness.virtual_clock import VirtualClock
from timing.phases import Paused

PER_SECOND, AT_ONCE = 4, 3
PART = part_of("node-1")


@dataclass(frozen=True)
class Desk:
    """A reception with one live table and a journal, spoken to in bytes."""

    table: LiveTable
    journal: JournalFile
    reception: Reception

    def hears(self, message: Delivery) -> None:
        heard = read_request(ROOT, message)
        assert heard
        self.reception.receive(heard)

    async def answer(self, message: Delivery) -> ReplyPayload:
        before = len(self.replies)
        self.hears(message)
        await self.table.press.until(lambda: len(self.replies) > before)
        return self.replies[before]

    @property
    def replies(self) -> list[ReplyPayload]:
        return self.table.press.replies

    async def kept(self, count: int) -> list[tuple[Record, OrderRejected]]:
        """Wait for so many records of the node's own part, and return all of them."""
        while len(records := list(self.journal.records(PART))) < count:
            await self.journal.probe()
        assert len(records) == count
        return [(one, _rejected(one)) for one in records]


def _rejected(record: Record) -> OrderRejected:
    told = OF_AN_ORDER.decode(record.effects, "journal")
    assert isinstance(told, OrderRejected)
    return told


@asynccontextmanager
async def desk(folder: Path) -> AsyncIterator[Desk]:
    clock = VirtualClock()
    async with journal_at(folder / "j", clock) as journal, running(journal, clock) as table:
        node = Node("node-1", ROOT, clock, clock.now(), journal, table.press)
        loops, rates = {"t1": table.loop}, Rates(PER_SECOND, AT_ONCE)
        yield Desk(table, journal, Reception(node, loops, Alertness(clock), rates, ask_nothing))


def order(id_: str = "c-1", verb: str = "pause", table: str = "t1", **changes: object) -> Delivery:
    """Return an order that fits; what is changed is as it is not meant to be."""
    content = {"id": id_, "person": "Referee A", **changes}
    topic = ROOT.table_command("board", table, verb)
    return Delivery(topic, json.dumps(content).encode(), retained=False, expiry_seconds=5)


async def test_a_rejected_order_is_in_the_journal_with_login_person_id_code_and_reason(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as here:
        reply = await here.answer(order(argument={}))
        ((record, told),) = await here.kept(1)
        assert record.origin
        assert (record.origin.login, record.origin.person) == ("board", "Referee A")
        assert record.origin.command == "c-1"
        assert (told.code, told.reason, told.orders) == (reply.code, reply.reason, 1)
        assert ROOT.table_command("board", "t1", "pause") in record.stimulus
        lines = list(shown(JournalReader(tmp_path / "j"), [record.position]))
    assert lines[0].endswith("node node-1, ordered by Referee A through board, command c-1")
    assert f"    rejected (invalid-payload): {reply.reason}" in lines


async def test_what_nobody_signed_is_in_the_journal_too(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        here.hears(replace(order(), payload=b"\xff"))
        ((record, _),) = await here.kept(1)
        lines = list(shown(JournalReader(tmp_path / "j"), [record.position]))
    assert lines[0].endswith("node node-1, ordered by somebody unnamed through board")


async def test_a_name_that_would_move_the_cursor_is_shown_as_its_code(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.answer(order(person="\x1b[2J\nrecord 7", more=1))
        ((record, _),) = await here.kept(1)
        lines = list(shown(JournalReader(tmp_path / "j"), [record.position]))
    assert r"ordered by \x1b[2J\nrecord 7 through board" in lines[0]


async def test_a_table_does_not_recover_from_what_never_reached_it(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.answer(order(table="t9"))
        await here.kept(1)
        assert here.table.record.seq == list(here.journal.records("t1"))[-1].seq
        assert not any(record.origin for record in here.journal.records("t1"))


async def test_a_full_disk_holds_up_no_reply_and_afterwards_rejections_are_kept_again(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as here:
        with full_disk((tmp_path / "j-wal").stat().st_size):
            reply = await here.answer(order("c-1", table="t9"))
            assert reply.code == ReplyCode.UNKNOWN_TABLE
            while here.journal.healthy:
                await here.journal.probe()
            assert (await here.answer(order("c-2", table="t9"))).code == ReplyCode.UNKNOWN_TABLE
            await here.journal.probe()
        await here.journal.probe()
        await here.answer(order("c-3", table="t9"))
        ((record, _),) = await here.kept(1)
        assert record.origin
        assert record.origin.command == "c-3"
        assert JournalReader(tmp_path / "j").verify() is None


async def test_more_orders_than_allowed_are_told_when_to_come_again(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        codes = [(await here.answer(order(f"c-{n}", hand="x"))).code for n in range(AT_ONCE)]
        assert ReplyCode.RATE_LIMITED not in codes
        held_up = await here.answer(order("late"))
        assert (held_up.id, held_up.status) == ("late", "rejected")
        assert held_up.code == ReplyCode.RATE_LIMITED
        assert held_up.reason == (
            "login board sends more than 4 orders a second; send this one again in 250 ms"
        )
        await here.table.clock.advance(timedelta(milliseconds=250))
        again = await here.answer(order("late"))
        assert again.code != ReplyCode.RATE_LIMITED


async def test_a_table_is_stopped_at_any_rate(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        for number in range(AT_ONCE + 5):
            reply = await here.answer(order(f"s-{number}", "stop"))
            assert reply.code != ReplyCode.RATE_LIMITED
        for number in range(AT_ONCE):  # none of it was taken from the allowance
            assert (await here.answer(order(f"c-{number}"))).code != ReplyCode.RATE_LIMITED
        assert (await here.answer(order("c"))).code == ReplyCode.RATE_LIMITED
        assert (await here.answer(order("x", "stop", "t9"))).code == ReplyCode.RATE_LIMITED


async def test_a_flood_is_counted_and_written_down_once_a_second(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        for number in range(AT_ONCE + 100):
            here.hears(order(f"c-{number}", table="t9"))
        *_, (_, first) = await here.kept(AT_ONCE + 1)
        assert (first.code, first.orders) == (ReplyCode.RATE_LIMITED, 1)
        await here.table.clock.advance(timedelta(seconds=1))
        here.reception.settle()
        *_, (record, rest) = await here.kept(AT_ONCE + 2)
        assert (rest.code, rest.orders) == (ReplyCode.RATE_LIMITED, 99)
        assert here.reception.rejected == AT_ONCE + 100
        lines = list(shown(JournalReader(tmp_path / "j"), [record.position]))
        assert lines[2].startswith("    99 orders rejected (rate-limited), the newest: login board")
        await here.table.clock.advance(timedelta(seconds=9))
        here.reception.settle()
        await here.kept(AT_ONCE + 2)


async def test_every_order_above_the_rate_is_answered_until_it_is_a_flood(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        for number in range(2 * ANSWERED_A_SECOND):
            here.hears(replace(order(f"c-{number}"), retained=True))
        assert len(here.replies) == AT_ONCE + ANSWERED_A_SECOND
        assert len({one.id for one in here.replies}) == len(here.replies)


async def test_an_id_that_was_answered_is_answered_so_whatever_it_asks_for_now(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as here:
        first = await here.answer(order("c-1", "start-hand"))
        assert first.status == "done"
        await here.table.clock.advance(timedelta(seconds=3))
        before = here.table.record.seq
        others = (
            order("c-1", "void-hand", arguments={"reason": "wrong tiles"}),
            order("c-1", "start-hand", table="t9"),
            order("c-1", argument={}),
            replace(order("c-1"), topic=ROOT.node_command("board", "node-1", "pause")),
            replace(order("c-1"), retained=True),
        )
        for other in others:
            await here.table.clock.advance(timedelta(seconds=1))
            assert await here.answer(other) == first
        assert here.table.record.seq == before


async def test_an_order_that_reached_no_table_may_be_mended_and_sent_again(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as here:
        assert (await here.answer(order("c-1", "start-hand", table="t9"))).status == "rejected"
        assert (await here.answer(order("c-1", "start-hand"))).status == "done"


async def test_the_same_id_of_another_login_is_another_order(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        first = await here.answer(order("c-1", "start-hand"))
        here.hears(replace(order("c-1"), topic=ROOT.table_command("desk", "t1", "pause")))
        await here.table.press.until(lambda: len(here.replies) == 2)
        assert here.replies[1] != first
        assert isinstance(here.table.record.state.hand.phase, Paused)


async def test_two_orders_with_one_id_at_once_are_one_order(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        everywhere = replace(order("c-1"), topic=ROOT.node_command("board", "node-1", "pause"))
        for message in (order("c-1", "start-hand"), order("c-1", "start-hand"), everywhere):
            here.hears(message)
        await here.table.press.until(lambda: len(here.replies) == 3)
        assert {one.status for one in here.replies} == {"done"}
        orders = [one for one in here.journal.records("t1") if one.origin]
        assert len(orders) == 1
        assert here.table.record.state.hand.deals == 1
        assert Pause.__name__ not in orders[0].stimulus
