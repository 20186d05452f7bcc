"""A Modbus master: one line, one request at a time, and nothing taken for an answer that is none.

pymodbus' own client does not do here, as measured by `tests/bench/modbus_masters.py`: it takes a
late reply for that to the next request whatever its function is, keeps no silence between frames,
tells of a pulled cable only when the request times out, and reads no descriptor above 1023.

Timers run on the event loop's clock and are never scaled: they are about the wire. What is told of
time is read from the `now` that is handed in.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta

from drivers.modbus.lines import BusLine, FrameKind
from drivers.modbus.master_answers import (
    Answer,
    Exchange,
    Replied,
    Trouble,
    Unanswered,
    answer_bytes,
    judge,
    payload,
)
from drivers.modbus.master_frames import Heard, frames
from drivers.modbus.requests import Read, Request
from drivers.modbus.windows import Window
from drivers.modbus.words import words_of
from drivers.port import Now
from drivers.recorder import HEARD, SENT, Recorder
from drivers.serial_line import SerialLine
from table.errors import LinkLost
from table.moment import Moment

MOST_KEPT = 300
"""Bytes that are recorded between two requests; no frame is longer (260, Modbus TCP)."""
BROADCAST = 0
"""The unit id that every device of a serial bus obeys and none answers."""
_CHATTER_SECONDS = 1.0
"""Longest wait for a line to fall silent; a device that babbles must not stop everybody."""
_SETTLE_SECONDS, _SETTLE_CHARACTERS = 0.02, 4
"""A damaged answer is given up after so much silence; a USB adapter may hold bytes for 16 ms."""


@dataclass(slots=True)
class _Waiting:
    """The request on the wire."""

    unit: int
    request: Request
    answered: asyncio.Future[Moment]
    answer: Answer = Unanswered(Trouble.SILENT)  # noqa: RUF009 - frozen
    troubles: list[Trouble] = field(default_factory=list)


class Master:
    """The near end of one bus; obeys `drivers.serial_line.Receiver`.

    Args:
        line: where the bus is.
        now: the daemon's clock.
        on_loss: learns once that the line is gone.
        recorder: keeps the last frames both ways.
        on_late: learns unit, function and data of each sound frame that nobody waited for.

    Attributes:
        line: where the bus is.
        late: frames and damage that came while nobody waited.
        heard_at: when the last sound frame came, in seconds of the event loop's clock.
        cause: why the line is gone; None while it is there.
    """

    def __init__(
        self,
        line: BusLine,
        now: Now,
        on_loss: Callable[[LinkLost], None],
        recorder: Recorder | None = None,
        on_late: Callable[[int, bytes], None] = lambda *_: None,
    ) -> None:
        self.line = line
        self._recorder = recorder or Recorder(line.name, words_of(line.frames))
        self._answer = bytearray()
        self._on_loss = on_loss
        self._on_late = on_late
        self.late: Counter[Trouble] = Counter()
        self.cause: LinkLost | None = None
        self._now = now
        self._loop = asyncio.get_running_loop()
        self._frames = frames(line.frames)
        self._wire: SerialLine | None = None
        self._waiting: _Waiting | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._deadline = 0.0
        self._keeps_pace = True
        self.heard_at = self._noise_at = self._loop.time()

    async def open(self) -> None:
        """Open the line.

        Raises:
            LinkUnavailable: the port is absent, busy, or not reachable.
        """
        self._wire = await self.line.open(self._now, self)

    async def close(self) -> None:
        """Give the line back; a request that is on it stays unanswered."""
        self.lost(LinkLost(f"port {self.line.name} was closed"))
        if self._wire:
            await self._wire.close()

    async def ask(
        self, unit: int, request: Request, patience: timedelta, gap: timedelta | None = None
    ) -> Exchange:
        """Send a request once and wait for its answer, or with unit 0 for no answer.

        Args:
            unit: who is asked.
            request: what for.
            patience: how long the device may take; the time on the wire is added. After a
                broadcast, how long the devices are left alone with it.
            gap: silence before the request, if more than the line needs.

        Raises:
            LinkLost: the line is gone, and nothing was sent.
        """
        await self._silence(max(self.line.frame_gap_seconds, gap.total_seconds() if gap else 0))
        if self.cause or self._wire is None:
            raise LinkLost(str(self.cause or f"port {self.line.name} is not open"))
        frame = self._frames.ask(unit, payload(request), answer_bytes(request))
        seconds = self.line.wire_seconds(len(frame)) + patience.total_seconds()
        asked = self._now()
        self._recorder.note(SENT, asked, frame)
        self._answer = bytearray()
        self._wire.write(frame)
        self._noise_at = self._loop.time() + self.line.wire_seconds(len(frame))
        if unit == BROADCAST and self.line.frames is FrameKind.RTU:
            await asyncio.sleep(seconds)
            return Exchange(request, Window(asked, self._now()), Replied())
        seconds += self.line.wire_seconds(answer_bytes(request))
        exchange = await self._await_answer(unit, request, asked, seconds)
        return self._looked(exchange, len(frame))

    async def _await_answer(
        self, unit: int, request: Request, asked: Moment, seconds: float
    ) -> Exchange:
        waiting = _Waiting(unit, request, self._loop.create_future())
        self._waiting = waiting
        self._deadline = self._loop.time() + seconds
        self._timer = self._loop.call_at(self._deadline, self._give_up)
        try:
            arrived = await waiting.answered
        finally:
            self._waiting = None
            self._timer.cancel()
        window = Window(asked, arrived)
        return Exchange(request, window, waiting.answer, tuple(waiting.troubles))

    def _looked(self, exchange: Exchange, asked: int) -> Exchange:
        """Leave out of the window of a read what its bytes took on the wire.

        Where any answer comes sooner than the wire allows, as on a pseudo-terminal or a module that
        is itself on USB, the baud rate means nothing, and no window is narrowed any more.
        """
        request = exchange.request
        if not isinstance(request, Read) or not isinstance(exchange.answer, Replied):
            return exchange
        around = asked - len(payload(request))
        takes = self.line.surely_takes
        inner = exchange.window.without(takes(asked), takes(answer_bytes(request) + around))
        self._keeps_pace = self._keeps_pace and inner is not None
        return replace(exchange, window=inner) if inner and self._keeps_pace else exchange

    async def rest(self) -> None:
        """Wait until a request may go out."""
        await self._silence(self.line.frame_gap_seconds)

    async def _silence(self, seconds: float) -> None:
        """Wait until the line was silent for so long."""
        patience = self._loop.time() + _CHATTER_SECONDS
        while (now := self._loop.time()) < (end := self._noise_at + seconds) and now < patience:  # noqa: ASYNC110 - the end moves on with every byte
            await asyncio.sleep(min(end, patience) - now)

    def arrived(self, chunk: bytes, now: Moment) -> None:
        """Take bytes of the line."""
        self._noise_at = self._loop.time()
        self._record(chunk, now)
        for heard in self._frames.hear(chunk):
            self._take(heard, now)
        waiting = self._waiting
        if waiting and (self._frames.rest or Trouble.DAMAGED in waiting.troubles):
            self._settle()

    def _record(self, chunk: bytes, now: Moment) -> None:
        """Keep what comes between two requests as one frame, though it may come in pieces."""
        if not self._answer:
            self._recorder.note(HEARD, now, self._answer)
        self._answer += chunk[: MOST_KEPT - len(self._answer)]

    def lost(self, cause: LinkLost) -> None:
        """Learn that the line is gone."""
        if self.cause:
            return
        self.cause = cause
        if self._waiting:
            self._resolve(self._waiting, Unanswered(Trouble.LINE_LOST), self._now())
        self._on_loss(cause)

    def _take(self, heard: Heard, now: Moment) -> None:
        waiting = self._waiting
        said = _answer(waiting, heard)
        if not isinstance(said, Trouble) and waiting:
            self.heard_at = self._noise_at
            self._resolve(waiting, said, now)
        elif isinstance(said, Trouble) and waiting and said is not Trouble.LATE:
            waiting.troubles.append(said)
        else:
            self.late[said if isinstance(said, Trouble) else Trouble.LATE] += 1
            if not isinstance(heard, Trouble):
                self._on_late(*heard)

    def _settle(self) -> None:
        """Wait no longer than for a pause, once something came that is no answer."""
        if self._timer and not self.line.on_network:
            self._timer.cancel()
            pause = _SETTLE_SECONDS + self.line.wire_seconds(_SETTLE_CHARACTERS)
            end = min(self._deadline, self._noise_at + pause)
            self._timer = self._loop.call_at(end, self._give_up)

    def _give_up(self) -> None:
        waiting = self._waiting
        if waiting is None:
            return
        if rest := self._frames.rest:
            waiting.troubles.append(rest)
        seen = waiting.troubles.pop() if waiting.troubles else Trouble.SILENT
        self._resolve(waiting, Unanswered(seen), self._now())

    def _resolve(self, waiting: _Waiting, answer: Answer, now: Moment) -> None:
        if not waiting.answered.done():
            waiting.answer = answer
            waiting.answered.set_result(now)


def _answer(waiting: _Waiting | None, heard: Heard) -> Answer | Trouble:
    if isinstance(heard, Trouble):
        return heard
    unit, said = heard
    if waiting is None or waiting.answered.done():
        return Trouble.LATE
    if unit != waiting.unit:
        return Trouble.STRANGER
    return judge(waiting.request, said)
