"""Messages on one line, both ways, with everything that goes wrong on it counted and recorded."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar

from drivers.port import Now
from drivers.recorder import HEARD, SENT, Recorder
from drivers.serial_line import SerialLine, open_line
from drivers.table_link.counts import Counts
from drivers.table_link.frames import Damage, Deframer, Frame
from drivers.table_link.messages import FromHost, Hello, Message, State, SyncEcho, read, write
from drivers.table_link.words import arrival_words, words
from table.errors import LinkLost, NoAnswer
from table.moment import Moment

TRIES = 12
AGAIN_SECONDS = 0.25
"""So often, and after so long, a question is asked again (docs/table-link.md, section 8)."""

Batch: TypeAlias = list[tuple[Frame, Message]]
Reply = TypeVar("Reply", Hello, State, SyncEcho)


class Listener(Protocol):
    """Whoever a talk is held for."""

    def hear(self, batch: Batch, now: Moment) -> None:
        """Take the messages that arrived together."""

    def lose(self, cause: LinkLost) -> None:
        """Learn that the line is gone."""


class Talk:
    """One line.

    Args:
        port: its name.
        now: the daemon's clock.
        recorder: keeps what was said before, on other connections; a new one if None.

    Attributes:
        port: its name, for messages.
        listener: who hears everything; until there is one, only answers are taken.
        heard_at: when the last sound frame came, in seconds of the event loop's clock.
        sent_at: when the last one left.
    """

    def __init__(self, port: str, now: Now, recorder: Recorder | None = None) -> None:
        self.port = port
        self.listener: Listener | None = None
        self._now = now
        self._loop = asyncio.get_running_loop()
        self._deframer = Deframer()
        self._line: SerialLine | None = None
        self._waiters: dict[type[Message], asyncio.Future[Any]] = {}
        self._lost: LinkLost | None = None
        self.counts = Counts()
        self.recorder = recorder or Recorder(port, words)
        self.recorder.on = False
        self.heard_at = self.sent_at = self._loop.time()

    async def open(self, baudrate: int) -> None:
        """Open the line.

        Raises:
            LinkUnavailable: the port cannot be opened.
        """
        self._line = await open_line(self.port, baudrate, self._now, self)
        self._line.write(b"\0")  # ends whatever the box took for the start of a frame

    async def close(self) -> None:
        """Give the port back."""
        self.end(LinkLost(f"port {self.port} was closed"))
        if self._line:
            await self._line.close()

    def end(self, cause: LinkLost) -> None:
        """Say nothing any more, and fail whoever waits for an answer."""
        self._lost = self._lost or cause
        for waiter in self._waiters.values():
            if not waiter.done():
                waiter.set_exception(self._lost)

    def write(self, message: FromHost, ack: int = 0) -> None:
        """Send a message; after the end it does nothing."""
        if self._line is None or self._lost:
            return
        frame = write(message, ack=ack)
        self.recorder.note(SENT, self._now(), frame)
        self.sent_at = self._loop.time()
        self._line.write(frame)

    async def ask(self, question: Callable[[], FromHost], kind: type[Reply]) -> tuple[Frame, Reply]:
        """Ask until an answer of this kind comes.

        Raises:
            NoAnswer: none came.
            LinkLost: the line went away.
        """
        for _ in range(TRIES):
            if self._lost:
                raise LinkLost(str(self._lost)) from self._lost
            waiter: asyncio.Future[tuple[Frame, Reply]] = self._loop.create_future()
            self._waiters[kind] = waiter
            self.write(question())
            try:
                async with asyncio.timeout(AGAIN_SECONDS):
                    return await waiter
            except TimeoutError:
                continue
        msg = f"port {self.port}: no {kind.__name__} from the table's box"
        raise NoAnswer(msg)

    def arrived(self, chunk: bytes, now: Moment) -> None:
        """Take bytes of the line."""
        batch: Batch = []
        for arrival in self._deframer.feed(chunk):
            self.recorder.note(HEARD, now, arrival)
            message = read(arrival) if isinstance(arrival, Frame) else arrival
            if isinstance(arrival, Damage) or isinstance(message, Damage):
                self.counts.damaged += 1
                self.recorder.tell(arrival_words(arrival), now)
            elif arrival.address:
                self.counts.unknown += 1  # for another box of a shared line
            else:
                batch.append((arrival, message))
        if batch and not self._lost:
            self.heard_at = self._loop.time()
            if self.listener:
                self.listener.hear(batch, now)
            self._answer(batch)

    def lost(self, cause: LinkLost) -> None:
        """Learn that the line is gone."""
        self.recorder.tell(cause, self._now())
        self.end(cause)
        if self.listener:
            self.listener.lose(cause)

    def _answer(self, batch: Batch) -> None:
        for frame, message in batch if self._waiters else ():
            waiter = self._waiters.pop(type(message), None)
            if waiter and not waiter.done():
                waiter.set_result((frame, message))
