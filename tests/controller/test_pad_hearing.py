"""What pads say reaches their table once, and is answered when it is durable."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from controller.alertness import Alertness
from controller.node import Node
from controller.pad_hearing import PadHearing
from controller.reception import Reception
from drivers.pads.pads import Pads
from mqtt.inbox import read_request
from mqtt.messages import Delivery
from mqtt.orders import ReplyPayload
from mqtt.rate import Rates
from mqtt.reply_codes import ReplyCode
from table.answers import Code
from table.seat import Seat
from tests.controller.live_table import ROOT, LiveTable, ask_nothing, journal_at, running
from tests.harness.virtual_clock import VirtualClock

SESSION = 5
UP = timedelta(minutes=1)


@dataclass
class Hearing:
    """A reception with one live table, and the pads of that table or of none."""

    table: LiveTable
    pads: Pads
    reception: Reception

    async def answer(self, verb: str, order: str, **changes: Any) -> ReplyPayload:  # noqa: ANN401 - JSON
        """Have seat 2 say something at the moment that the node's clock shows."""
        said = {"seat": 2, "pad": "a"} | (_pressed() if verb == "press" else {}) | changes
        body = {"id": order, "person": "pad of seat 2", "arguments": said}
        topic = ROOT.table_command("board", "t1", verb)
        message = Delivery(topic, json.dumps(body).encode(), retained=False, expiry_seconds=5)
        replies = self.table.press.replies
        before = len(replies)
        heard = read_request(ROOT, message)
        assert heard
        self.reception.receive(heard)
        await self.table.press.until(lambda: len(replies) > before)
        return replies[before]


def _pressed() -> dict[str, Any]:
    at = UP // timedelta(microseconds=1)
    stamps = dict.fromkeys(("heard_us", "first_us", "changed_us", "sent_us"), at)
    what = {"input": "discard", "change": "pressed", "session": SESSION, "node_ms": at // 1000}
    return what | stamps


@asynccontextmanager
async def hearing(folder: Path, *, played_with_pads: bool = True) -> AsyncIterator[Hearing]:
    clock = VirtualClock()
    async with journal_at(folder / "j", clock) as journal, running(journal, clock) as table:
        node = Node("node-1", ROOT, clock, clock.now(), journal, table.press)
        await clock.advance(UP)
        pads, loops = Pads("t1"), {"t1": table.loop}
        pads.since = clock.now() - UP
        reception = Reception(node, loops, Alertness(clock), Rates(20, 60), ask_nothing)
        heard = {"t1": pads} if played_with_pads else {}
        reception.hear_pads(PadHearing(node, SESSION, heard, loops))
        yield Hearing(table, pads, reception)


async def test_a_press_counts_once_however_often_it_is_sent(tmp_path: Path) -> None:
    async with hearing(tmp_path) as here:
        first = await here.answer("press", "p-1")
        again = await here.answer("press", "p-1")
        assert (first.status, again) == ("done", first)
        other = await here.answer("press", "p-2")
        assert (other.status, other.code) == ("rejected", ReplyCode.OUT_OF_ORDER)


async def test_a_beat_is_answered_and_shows_the_pad(tmp_path: Path) -> None:
    async with hearing(tmp_path) as here:
        assert (await here.answer("pad-beat", "b-1")).status == "done"
        assert here.pads.here(here.table.clock.now()) == {Seat.TWO}


async def test_times_of_another_session_of_the_node_count_nothing(tmp_path: Path) -> None:
    async with hearing(tmp_path) as here:
        reply = await here.answer("press", "p-1", session=SESSION - 1)
        assert (reply.status, reply.code) == ("rejected", Code.STALE)


async def test_a_time_that_no_node_can_have_is_refused(tmp_path: Path) -> None:
    async with hearing(tmp_path) as here:
        reply = await here.answer("press", "p-1", node_ms=2**53 - 1)
        assert (reply.status, reply.code) == ("rejected", Code.BAD_VALUE)


async def test_a_table_with_inputs_of_its_own_hears_no_pads(tmp_path: Path) -> None:
    async with hearing(tmp_path, played_with_pads=False) as here:
        for verb in ("press", "pad-beat"):
            reply = await here.answer(verb, f"o-{verb}")
            assert (reply.status, reply.code) == ("rejected", Code.NOT_ABLE)
