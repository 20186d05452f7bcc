"""Whoever asks for the past of a table gets it, page by page, and nobody else waits for it."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from controller.alertness import Alertness
from controller.journal import Entry, Journal, Record
from controller.journal_absent import NoJournal
from controller.node import Node
from controller.reception import Reception
from controller.replay import MOST_OF_A_LOGIN, Replay
from controller.table_memory import EFFECTS, STIMULUS
from mqtt.events import Audience
from mqtt.inbox import read_request
from mqtt.inquiries import Inquiry
from mqtt.messages import Delivery
from mqtt.orders import ReplyPayload
from mqtt.parts import Payload
from mqtt.rate import Rates
from mqtt.reply_codes import ReplyCode
from table.errors import JournalError
from table.events import DealEnded, DiscardPressed, LinkDown
from table.moment import Moment
from table.seat import Seat
from tests.controller.journal_entries import NOON
from tests.controller.live_table import ROOT, LiveTable, journal_at, running
from tests.controller.notebook import Notebook
from tests.harness.virtual_clock import VirtualClock
from timing.effects import StepLost

PATIENCE = 10.0


@dataclass
class Desk:
    """Where a replay's answers arrive; the broker takes them as it is told to."""

    journal: Journal
    heard: list[tuple[str, ReplyPayload]] = field(default_factory=list)
    taken: asyncio.Event = field(default_factory=asyncio.Event)
    stirred: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        clock = VirtualClock()
        self.taken.set()
        node = Node("node-1", ROOT, clock, clock.now(), self.journal, self)
        self.replay = Replay(node, self._caught_up)

    async def _caught_up(self) -> None:
        await self.taken.wait()

    def retain(self, topic: str, payload: Payload) -> None:
        raise AssertionError(topic, payload)

    def clear(self, topic: str) -> None:
        raise AssertionError(topic)

    def reply(self, topic: str, payload: ReplyPayload) -> None:
        self.heard.append((topic, payload))
        self.stirred.set()

    async def hears(self, count: int) -> list[ReplyPayload]:
        """Wait for so many answers and return all there are then."""
        async with asyncio.timeout(PATIENCE):
            while len(self.heard) < count:
                self.stirred.clear()
                await self.stirred.wait()
        return [payload for _, payload in self.heard]


@asynccontextmanager
async def desk(journal: Journal) -> AsyncIterator[Desk]:
    opened = Desk(journal)
    answering = asyncio.create_task(opened.replay.run())
    try:
        yield opened
    finally:
        answering.cancel()
        await asyncio.wait([answering])


async def notebook(events: int) -> Notebook:
    """Return a journal with so many events for everyone."""
    journal = Notebook()
    await fill(journal, events)
    return journal


async def fill(journal: Notebook, events: int) -> None:
    effects = EFFECTS.encode((StepLost("cut"),))
    stimulus = STIMULUS.encode(LinkDown("cut"))
    numbers = range(1, events + 1)
    receipts = [
        journal.submit(Entry("t1", Moment(0), NOON, stimulus, effects, number))
        for number in numbers
    ]
    journal.write()
    await asyncio.gather(*receipts)


def asked(id_: str = "c1", login: str = "board", *, after: int = 0, epoch: int = 3) -> Inquiry:
    topic = ROOT.reply(login, id_)
    audience = Audience.EVERYONE
    return Inquiry(id_, login, "li", "t1", "replay", audience, epoch, after, None, topic)


def numbers(replies: list[ReplyPayload]) -> list[int]:
    return [one.tableseq for reply in replies for one in reply.events]


async def test_a_stretch_comes_in_pages_and_an_end() -> None:
    async with desk(await notebook(250)) as here:
        here.replay.ask(asked(after=30))
        replies = await here.hears(4)
    assert [reply.status for reply in replies] == ["accepted"] * 3 + ["done"]
    assert [len(reply.events) for reply in replies] == [100, 100, 20, 0]
    assert numbers(replies) == list(range(31, 251))
    assert {reply.seq for reply in replies} == {250}
    assert {topic for topic, _ in here.heard} == {ROOT.reply("board", "c1")}


async def test_who_has_everything_is_told_so_at_once() -> None:
    async with desk(await notebook(7)) as here:
        here.replay.ask(asked(after=7))
        here.replay.ask(asked("c2", after=900))
        replies = await here.hears(2)
    assert [(one.id, one.status, one.events, one.seq) for one in replies] == [
        ("c1", "done", (), 7),
        ("c2", "done", (), 7),
    ]


async def test_the_next_page_is_read_only_when_the_broker_has_the_last() -> None:
    async with desk(await notebook(250)) as here:
        here.taken.clear()
        here.replay.ask(asked())
        await here.hears(1)
        await asyncio.sleep(0)
        assert len(here.heard) == 1
        here.taken.set()
        assert numbers(await here.hears(4)) == list(range(1, 251))


async def test_logins_take_turns_and_one_login_is_answered_one_after_the_other() -> None:
    async with desk(await notebook(150)) as here:
        for inquiry in (asked("a1", "a"), asked("a2", "a"), asked("b1", "b")):
            here.replay.ask(inquiry)
        replies = await here.hears(9)
    told = [f"{reply.id} {reply.status}" for reply in replies]
    assert told == [
        *("a1 accepted", "b1 accepted", "a1 accepted", "a1 done", "b1 accepted", "b1 done"),
        *("a2 accepted", "a2 accepted", "a2 done"),
    ]


async def test_a_question_that_waits_already_is_answered_once() -> None:
    async with desk(await notebook(3)) as here:
        here.replay.ask(asked())
        here.replay.ask(asked())
        here.replay.ask(asked("c2"))
        replies = await here.hears(4)
    assert [reply.id for reply in replies] == ["c1", "c1", "c2", "c2"]


async def test_who_asks_for_too_much_at_once_is_sent_away_and_nobody_else() -> None:
    async with desk(await notebook(3)) as here:
        for place in range(MOST_OF_A_LOGIN + 1):
            here.replay.ask(asked(f"a{place}", "a"))
        here.replay.ask(asked("b0", "b"))
        replies = await here.hears(1 + 2 * (MOST_OF_A_LOGIN + 1))
    refused = [reply for reply in replies if reply.status == "rejected"]
    assert [(one.id, one.code) for one in refused] == [("a8", ReplyCode.RATE_LIMITED)]
    assert refused[0].reason == "8 replays of login a wait; ask again when one is done"
    assert sum(reply.status == "done" for reply in replies) == MOST_OF_A_LOGIN + 1


async def test_another_epoch_is_not_here() -> None:
    async with desk(await notebook(3)) as here:
        here.replay.ask(asked(epoch=2))
        (reply,) = await here.hears(1)
    assert (reply.status, reply.code) == ("rejected", ReplyCode.UNKNOWN_EPOCH)
    assert reply.reason == "table t1 counts in epoch 3, no other is kept"


async def test_without_a_journal_nothing_is_known_of_the_past() -> None:
    async with desk(NoJournal("journal j: the disk is full")) as here:
        here.replay.ask(asked())
        (reply,) = await here.hears(1)
    assert (reply.status, reply.code) == ("failed", ReplyCode.NOT_RECORDED)
    assert reply.reason == "journal j: the disk is full"


async def test_a_journal_that_breaks_meanwhile_ends_the_answer_and_not_the_replay() -> None:
    class Broken(Notebook):
        whole = True

        def records(self, table: str | None = None, after: int = 0) -> Iterator[Record]:
            if self.whole:
                return super().records(table, after)
            message = "journal j: disk I/O error"
            raise JournalError(message)

    journal = Broken()
    await fill(journal, 150)
    async with desk(journal) as here:
        here.taken.clear()
        here.replay.ask(asked())
        await here.hears(1)
        journal.whole = False
        here.taken.set()
        replies = await here.hears(2)
        assert [(one.status, one.code) for one in replies] == [
            ("accepted", ""),
            ("failed", ReplyCode.NOT_RECORDED),
        ]
        assert replies[1].reason == "journal j: disk I/O error"
        journal.whole = True
        here.replay.ask(asked("c2", after=149))
        assert (await here.hears(4))[-1].status == "done"


async def test_the_loop_goes_on_while_a_page_is_read() -> None:
    class Slow(Notebook):
        def __init__(self) -> None:
            super().__init__()
            self.go_on = threading.Event()

        def place_of(self, table: str, seq: int) -> int:
            assert self.go_on.wait(PATIENCE)
            return super().place_of(table, seq)

    journal = Slow()
    await fill(journal, 3)
    async with desk(journal) as here:
        here.replay.ask(asked())
        for _ in range(20):
            await asyncio.sleep(0)
        assert here.heard == []
        journal.go_on.set()
        assert numbers(await here.hears(2)) == [1, 2, 3]


async def test_what_happens_after_the_question_is_told_live_only() -> None:
    journal = await notebook(150)
    async with desk(journal) as here:
        here.taken.clear()
        here.replay.ask(asked())
        await here.hears(1)
        later = Entry("t1", Moment(0), NOON, STIMULUS.encode(LinkDown("cut")), "[]", 151)
        receipt = journal.submit(later)
        journal.write()
        await receipt
        here.taken.set()
        replies = await here.hears(3)
    assert numbers(replies) == list(range(1, 151))


FINAL = {"done", "rejected", "failed"}


class Hall:
    """A live table with all that stands between it and the broker; spoken to in bytes."""

    def __init__(self, table: LiveTable, replay: Replay) -> None:
        self.table = table
        loops = {"t1": table.loop}
        clock, journal, press = table.clock, table.journal, table.press
        node = Node("node-1", ROOT, clock, clock.now(), journal, press)
        self.reception = Reception(node, loops, Alertness(clock), Rates(20, 60), replay.ask)

    async def orders(self, topic: str, id_: str, **arguments: object) -> list[ReplyPayload]:
        """Order or ask something and return everything that is answered."""
        content = {"id": id_, "person": "li", "arguments": arguments}
        payload = json.dumps(content).encode()
        heard = read_request(ROOT, Delivery(topic, payload, retained=False, expiry_seconds=5))
        assert heard
        self.reception.receive(heard)
        replies = self.table.press.replies
        await self.table.press.until(lambda: any(_ends(one, id_) for one in replies))
        return [one for one in replies if one.id == id_]


def _ends(reply: ReplyPayload, id_: str) -> bool:
    return reply.id == id_ and reply.status in FINAL


@asynccontextmanager
async def hall(folder: Path) -> AsyncIterator[Hall]:
    clock = VirtualClock()
    async with journal_at(folder / "j", clock) as journal, running(journal, clock) as table:
        replay = Replay(Node("node-1", ROOT, clock, clock.now(), journal, table.press), at_once)
        answering = asyncio.create_task(replay.run())
        yield Hall(table, replay)
        answering.cancel()
        await asyncio.wait([answering])


async def at_once() -> None:
    """Stand in for a broker that takes everything at once."""


async def test_orders_of_a_table_and_of_a_node_are_replayed_byte_by_byte(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        journal = here.table.journal
        await here.table.happen(DealEnded())
        await here.table.happen(DiscardPressed(Seat.ONE), after=3)
        await here.orders(ROOT.table_command("board", "t1", "pause"), "o-1", reason="tea")
        await here.orders(ROOT.node_command("board", "node-1", "resume"), "o-2")
        sent = [one.payload for one in await journal.outbox.next_batch(0, 1000)]
        ask = ROOT.table_command("board", "t1", "replay-official")
        replies = await here.orders(ask, "r-1", epoch=journal.epoch, after=0)
    events = [event for reply in replies for event in reply.events]
    assert [event.encode() for event in events] == sent
    causes = {(event.cause, event.causeid) for event in events}
    assert {("table", ""), ("order", "o-1"), ("order", "o-2")} <= causes
    assert replies[-1].seq == here.table.record.seq == len(sent)


async def test_a_question_that_cannot_be_is_answered_in_a_sentence(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        ask = ROOT.table_command("board", "t1", "replay")
        (reply,) = await here.orders(ask, "r-1", epoch=1, after=0)
        assert reply.code == ReplyCode.UNKNOWN_EPOCH
        (reply,) = await here.orders(ask, "r-2", epoch=1, after=9, before=9)
        assert reply.reason == "before 9: must be more than after, which is 9"
        elsewhere = ROOT.table_command("board", "t9", "replay")
        (reply,) = await here.orders(elsewhere, "r-3", epoch=1, after=0)
        assert reply.code == ReplyCode.UNKNOWN_TABLE
