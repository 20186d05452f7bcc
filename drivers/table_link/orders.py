"""Commands on their way: sent again under the same id until the box answers."""

import asyncio
from collections import deque
from collections.abc import Callable

from drivers.port import Answer, Outcome
from drivers.table_link import dialect
from drivers.table_link.codes import Refusal
from drivers.table_link.messages import Command, Nack, Progress, Result
from table.commands import TableCommand

UNHEARD_SECONDS = (0.05, 0.1, 0.2, 0.4)
"""How long to wait for a first word before sending again; after the last we give up.

Wire time, never scaled (docs/table-link.md, "Commands").
"""
HEARD_SECONDS = (1.5, 1.5, 1.5)
"""How long to wait for the next word on an accepted command; one is due each second."""
_IDS = 2**32
_BEGUN_BEFORE = Answer(Outcome.UNCERTAIN, "the table's box started anew and may have begun before")


class Orders:
    """The commands of one connection.

    Args:
        write: sends a command's frame.
        first_id: the box must not have seen it, or the ids after it, lately.
    """

    def __init__(self, write: Callable[[Command], None], first_id: int) -> None:
        self._write = write
        self._next = first_id
        self._news: dict[int, asyncio.Queue[Answer | None]] = {}
        self._may_have_begun: set[int] = set()
        self.resent = 0

    async def carry_out(self, command: TableCommand) -> Answer:
        """Have the box carry out a command, once, and say how it ended."""
        number, self._next = self._next % _IDS, self._next + 1
        news = self._news[number] = asyncio.Queue()
        try:
            return await self._until_over(dialect.order(command, number), news)
        finally:
            del self._news[number]
            self._may_have_begun.discard(number)

    def take(self, word: Progress | Result | Nack) -> bool:
        """Take what the box says of a command; False where nobody waits for it.

        A box that started anew is not armed, and knows nothing of what it was told before.
        """
        news = self._news.get(word.id)
        if news is None:
            return False
        match word:
            case Progress():
                self._may_have_begun.add(word.id)
                news.put_nowait(None)
            case Result():
                news.put_nowait(dialect.over(word))
            case Nack(refusal=Refusal.NOT_ARMED) if word.id in self._may_have_begun:
                news.put_nowait(_BEGUN_BEFORE)
            case Nack():
                news.put_nowait(dialect.refused(word))
        return True

    def abandon(self, reason: str) -> None:
        """Call every command on its way uncertain; none is sent again."""
        for news in self._news.values():
            news.put_nowait(Answer(Outcome.UNCERTAIN, reason))

    async def _until_over(self, command: Command, news: asyncio.Queue[Answer | None]) -> Answer:
        self._write(command)
        waits = deque(UNHEARD_SECONDS)
        while waits:
            try:
                async with asyncio.timeout(waits.popleft()):
                    answer = await news.get()
            except TimeoutError:
                if waits:
                    self.resent += 1
                    self._may_have_begun.add(command.id)
                    self._write(command)
            else:
                if answer:
                    return answer
                waits = deque(HEARD_SECONDS)
        return Answer(Outcome.UNCERTAIN, "the table did not answer")
