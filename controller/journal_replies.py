"""Replies that commands got, so that the same command again is answered and not executed again."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeAlias

from controller.journal import Origin
from controller.journal_plan import REPLY_KEPT
from table.errors import JournalError


@dataclass(slots=True)
class _Promise:
    utc: datetime
    text: bytes
    reply: asyncio.Future[bytes]
    before: "_Promise | None" = None
    """What the command was told earlier: stands again if the new reply is lost."""


_Key: TypeAlias = tuple[str, str]
Settle: TypeAlias = Callable[[JournalError | None], None]


class Replies:
    """The replies of the last ten minutes, by broker login and id of the command."""

    def __init__(self, known: Iterable[tuple[Origin, datetime, bytes]]) -> None:
        self._promises: dict[_Key, _Promise] = {}
        for origin, utc, text in known:
            self.promise(origin, utc, text)(None)

    def find(self, origin: Origin) -> asyncio.Future[bytes] | None:
        """Return the reply a command got or is about to get, None if it is new."""
        promise = self._promises.get((origin.login, origin.command))
        return None if promise is None else asyncio.shield(promise.reply)

    def promise(self, origin: Origin, utc: datetime, text: bytes) -> Settle:
        """Remember a reply that is being written, and return what says how that ended."""
        key = (origin.login, origin.command)
        reply = asyncio.get_running_loop().create_future()
        promise = _Promise(utc, text, reply, self._promises.pop(key, None))
        self._promises[key] = promise
        self._forget(utc - REPLY_KEPT)
        return partial(self._settle, key, promise)

    def _settle(self, key: _Key, promise: _Promise, error: JournalError | None) -> None:
        before, promise.before = promise.before, None
        if error is None:
            promise.reply.set_result(promise.text)
            return
        promise.reply.set_exception(error)
        promise.reply.exception()  # nobody needs to have asked
        if self._promises.get(key) is promise:
            del self._promises[key]
            if before is not None:
                self._promises[key] = before

    def _forget(self, limit: datetime) -> None:
        for key, promise in list(self._promises.items()):
            if promise.utc >= limit:
                return
            del self._promises[key]
