"""Answers what is asked of a table's past: pages of events from the journal, login by login.

The pages are read in a thread and told one at a time, each when the broker has the one before it,
so that neither the tables nor the memory feel how much is asked for. Logins take turns page by
page; what one login asks for at once is answered one after the other.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from controller.history import History, Stretch
from controller.node import Node
from mqtt.inquiries import Inquiry
from mqtt.orders import ReplyPayload
from mqtt.payloads import EventEnvelope
from mqtt.reply_codes import ReplyCode
from table.errors import JournalError

MOST_OF_A_LOGIN = 8
"""So many questions of one login may wait (house choice)."""
MOST_OF_ALL = 256
"""So many questions of all logins may wait (house choice)."""


@dataclass(slots=True)
class _Answering:
    """A question and how far it is answered."""

    inquiry: Inquiry
    reached: int
    """The number up to which it is answered."""
    newest: int | None = None
    """The table's newest event at the first look; what happens later is told live."""


class Replay:
    """Sends events of the tables of a node again to whoever asks for them.

    Args:
        node: its journal is read, its press answers.
        caught_up: returns when the broker has everything that was answered.
    """

    def __init__(self, node: Node, caught_up: Callable[[], Awaitable[None]]) -> None:
        self._node = node
        self._caught_up = caught_up
        self._history = History(node.journal, node.root, node.id)
        self._waiting: dict[str, deque[_Answering]] = {}
        self._asked = asyncio.Event()

    def ask(self, inquiry: Inquiry) -> None:
        """Take a question; one that waits already is not taken twice."""
        own = self._waiting.get(inquiry.login, ())
        if any(one.inquiry.id == inquiry.id for one in own):
            return
        if len(own) >= MOST_OF_A_LOGIN or sum(map(len, self._waiting.values())) >= MOST_OF_ALL:
            reason = f"{len(own)} replays of login {inquiry.login} wait; ask again when one is done"
            self._decline(inquiry, ReplyCode.RATE_LIMITED, reason)
            return
        self._waiting.setdefault(inquiry.login, deque()).append(_Answering(inquiry, inquiry.after))
        self._asked.set()

    async def run(self) -> None:
        """Answer for ever."""
        while True:
            while self._waiting:
                await self._serve(next(iter(self._waiting)))
            self._asked.clear()
            await self._asked.wait()

    async def _serve(self, login: str) -> None:
        """Tell a login one page, then it is the next one's turn."""
        own = self._waiting[login] = self._waiting.pop(login)
        if await self._answer(own[0]):
            own.popleft()
        if not own:
            del self._waiting[login]
        await self._caught_up()

    async def _answer(self, answering: _Answering) -> bool:
        """Tell one page, and say whether there is nothing more to tell."""
        inquiry, journal = answering.inquiry, self._node.journal
        if not journal.epoch:
            self._decline(inquiry, ReplyCode.NOT_RECORDED, journal.alarm)
            return True
        if inquiry.epoch != journal.epoch:
            reason = f"table {inquiry.table} counts in epoch {journal.epoch}, no other is kept"
            self._decline(inquiry, ReplyCode.UNKNOWN_EPOCH, reason)
            return True
        try:
            return await self._tell_page(answering)
        except JournalError as error:
            self._decline(inquiry, ReplyCode.NOT_RECORDED, str(error))
            return True

    async def _tell_page(self, answering: _Answering) -> bool:
        inquiry = answering.inquiry
        if answering.newest is None:
            answering.newest = await asyncio.to_thread(self._history.newest, inquiry.table)
        end = answering.newest + 1
        before = end if inquiry.before is None else min(end, inquiry.before)
        stretch = Stretch(inquiry.table, inquiry.audience, answering.reached, before)
        page = await asyncio.to_thread(self._history.page, stretch)
        answering.reached = page.reached
        if page.events:
            self._say(answering, "accepted", page.events)
        if last := page.reached >= before - 1:
            self._say(answering, "done")
        return last

    def _decline(self, inquiry: Inquiry, code: ReplyCode, reason: str) -> None:
        """Tell why there is nothing to tell, or nothing more."""
        payload = ReplyPayload(
            id=inquiry.id,
            status="failed" if code is ReplyCode.NOT_RECORDED else "rejected",
            code=code,
            reason=reason,
            time=self._node.clock.utc(),
        )
        self._node.press.reply(inquiry.reply_topic, payload)

    def _say(
        self,
        answering: _Answering,
        status: Literal["accepted", "done"],
        events: tuple[EventEnvelope, ...] = (),
    ) -> None:
        payload = ReplyPayload(
            id=answering.inquiry.id,
            status=status,
            seq=answering.newest,
            events=events,
            time=self._node.clock.utc(),
        )
        self._node.press.reply(answering.inquiry.reply_topic, payload)
