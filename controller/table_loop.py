"""One live table: wait for the next stimulus or deadline, step the core, perform what follows."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import timedelta

from controller import table_core
from controller.clock import Clock
from controller.table_core import Stimulus, TableRules
from controller.table_record import TableRecord
from controller.table_reports import Reports
from controller.table_turn import Turn
from drivers.port import Answer, Outcome
from mqtt.inbox import OfATurn
from table.commands import MotorCommand, SetLamp, SoundBuzzer, Stop, TableCommand
from table.events import Observed, Woken
from table.moment import Moment

logger = logging.getLogger(__name__)

BEAT = timedelta(seconds=2)
"""An idle loop turns at least so often, which shows the watchdog that it lives."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A stimulus in the queue of a table, and the request it came with, if it did."""

    stimulus: Stimulus
    request: OfATurn | None = None


class TableLoop:
    """Drives one table; everything that happens at it passes through `offer`, in order.

    Args:
        rules: the rules it is played under.
        record: what is kept and told of it, with the state it was recovered to.
        clock: tells when deadlines are due.
        send: has the table carry out a command.
        alive: called at every turn, for the watchdog.
    """

    def __init__(
        self,
        rules: TableRules,
        record: TableRecord,
        clock: Clock,
        send: Callable[[TableCommand], Coroutine[None, None, Answer]],
        alive: Callable[[], None],
    ) -> None:
        self._rules = rules
        self._record = record
        self._clock = clock
        self._send = send
        self._alive = alive
        self.reports = Reports(record.kept.heard)
        self._queue: deque[Waiting] = deque()
        self._filled = asyncio.Event()

    def offer(self, stimulus: Stimulus, request: OfATurn | None = None) -> None:
        """Queue a stimulus; never blocks, never drops."""
        self._queue.append(Waiting(stimulus, request))
        self._filled.set()

    async def run(self) -> None:
        """Serve the table for ever."""
        async with asyncio.TaskGroup() as sending:
            while True:
                await self._wait()
                self._alive()
                if not self._queue:
                    self._take(Waiting(Woken()), sending)
                while self._queue:
                    self._take(self._queue.popleft(), sending)

    async def _wait(self) -> None:
        """Return when something waits, a deadline is reached or a beat is over."""
        self._filled.clear()
        if self._queue:
            return
        due = self._clock.now() + BEAT
        if (wake := table_core.wake_at(self._rules, self._record.state)) is not None:
            due = min(due, wake)
        alarm = asyncio.create_task(self._ring(due))
        try:
            await self._filled.wait()
        finally:
            alarm.cancel()

    async def _ring(self, due: Moment) -> None:
        await self._clock.sleep_until(due)
        self._filled.set()

    def _take(self, waiting: Waiting, sending: asyncio.TaskGroup) -> None:
        if waiting.request is not None and self._record.repeats(waiting.request):
            return
        if isinstance(waiting.stimulus, Observed) and self.reports.repeats(waiting.stimulus):
            return
        now = self._clock.now()
        if waiting.request is not None:  # what was due is no effect of the order
            self._turn(Waiting(Woken()), now, sending)
        self._turn(waiting, now, sending)

    def _turn(self, waiting: Waiting, now: Moment, sending: asyncio.TaskGroup) -> None:
        taken = table_core.step(self._rules, self._record.state, waiting.stimulus, now)
        turn = Turn(waiting.stimulus, taken, now, waiting.request)
        for signal in turn.signals:
            sending.create_task(self._signal(signal))
        kept = self._record.keep(turn)
        if kept is not None and isinstance(turn.stimulus, Observed):
            observed = turn.stimulus
            kept.add_done_callback(lambda _: self.reports.settle(observed))
        if kept is not None and turn.motor is not None:
            sending.create_task(self._move(turn, turn.motor, kept))

    async def _signal(self, signal: SoundBuzzer | SetLamp) -> None:
        answer = await self._send(signal)
        if answer.outcome is not Outcome.DONE:
            logger.warning("table %s: %s: %s", self._record.table, signal, answer.reason)

    async def _move(self, turn: Turn, command: MotorCommand, kept: "asyncio.Future[bool]") -> None:
        """Have motors move once the order cannot be forgotten, and tell its sender how it went.

        They are stopped whether that can be written down or not.
        """
        if not await kept and not isinstance(command, Stop):
            return
        answer = await self._send(command)
        self._record.answered(turn, answer)
