"""A bus from one opening of its line to the loss of it: one task that carries every request."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from drivers.modbus.bus_queue import Errand, Poll, Queue, Station
from drivers.modbus.lines import BusLine
from drivers.modbus.master import Master
from drivers.modbus.master_answers import Exchange, Unanswered
from drivers.modbus.owed import paid
from drivers.modbus.requests import Request
from drivers.port import Now
from drivers.recorder import Recorder
from table.errors import LinkLost

DEAF_SECONDS = 2.0
"""A line on which every device is silent for so long is lost, whatever the port says."""


class Round:
    """One opening of a line.

    Attributes:
        master: who speaks on it.
        stations: the devices by unit id.
        members: who wants to learn of a loss.
    """

    def __init__(self, line: BusLine, now: Now, recorder: Recorder) -> None:
        self.master = Master(line, now, self._lose, recorder, self._late)
        self._recorder = recorder
        self.stations: dict[int, Station] = {}
        self.members: list[Callable[[LinkLost], None]] = []
        self._queue = Queue()
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the line and begin.

        Raises:
            LinkUnavailable: the line cannot be opened.
        """
        await self.master.open()
        self._task = self._loop.create_task(self._run())

    async def close(self) -> None:
        """Stop and give the line back."""
        if self._task:
            self._task.cancel()
        await self.over()

    async def over(self) -> None:
        """Wait until the line is given back."""
        if self._task:
            await asyncio.wait([self._task])
            if not self._task.cancelled():
                self._task.result()

    async def carry(self, station: Station, request: Request) -> Exchange:
        """Have a request sent once, and return what became of it.

        Raises:
            LinkLost: the line went away before the request was sent.
        """
        if self.master.cause:
            raise LinkLost(str(self.master.cause)) from self.master.cause
        errand = Errand(station, request, self._loop.create_future())
        self._queue.errands.append(errand)
        self._news.set()
        return await errand.answered

    def add(self, poll: Poll) -> None:
        """Have a poll carried from now on."""
        if self.master.cause is None:
            self._queue.polls.append(poll)
            self._news.set()

    def drop(self, poll: Poll) -> None:
        """Carry a poll no more."""
        if poll in self._queue.polls:
            self._queue.polls.remove(poll)

    async def _run(self) -> None:
        try:
            while self.master.cause is None:
                await self._turn()
        finally:
            await self.master.close()

    async def _turn(self) -> None:
        await self.master.rest()  # first, so that an order that comes meanwhile is not too late
        job = self._queue.pick(self._loop.time())
        match job:
            case None:
                await self._rest()
            case Errand():
                await self._serve(job)
            case Poll():
                await self._sample(job)

    async def _rest(self) -> None:
        """Wait until something can go out, or something new is wanted."""
        self._news.clear()
        ready_at = self._queue.ready_at()
        timer = self._loop.call_at(ready_at, self._news.set) if ready_at is not None else None
        try:
            await self._news.wait()
        finally:
            if timer:
                timer.cancel()

    async def _serve(self, errand: Errand) -> None:
        answered = errand.answered
        try:
            exchange = await self._ask(errand.station, errand.request)
            if not answered.done():
                answered.set_result(exchange)
        except LinkLost as cause:
            if not answered.done():
                answered.set_exception(cause)
        finally:
            answered.cancel()  # only if we are stopped ourselves; nobody is left on the bus then

    async def _sample(self, poll: Poll) -> None:
        read = poll.turn(self._loop.time())
        with suppress(LinkLost):  # the members have been told
            exchange = await self._ask(poll.station, read)
            if poll in self._queue.polls:
                poll.note(exchange)

    async def _ask(self, station: Station, request: Request) -> Exchange:
        manners = station.manners
        station.asked(self._loop.time())
        exchange = await self.master.ask(
            station.unit, request, manners.reply_within, manners.frame_gap
        )
        exchange = station.note(exchange, self.master.line.frames, self._loop.time())
        if isinstance(exchange.answer, Unanswered):
            trouble = f"unit {station.unit}: {exchange.answer.reason}"
            self._recorder.tell(trouble, exchange.window.arrived)
        if isinstance(exchange.answer, Unanswered) and self._deaf():
            name = self.master.line.name
            cause = LinkLost(f"port {name}: no device has answered for {DEAF_SECONDS:g} s")
            self.master.lost(cause)
        return exchange

    def _late(self, unit: int, said: bytes) -> None:
        if station := self.stations.get(unit):
            station.debts = paid(station.debts, said)

    def _deaf(self) -> bool:
        asked = [station for station in self.stations.values() if station.counts.asked]
        since = self._loop.time() - self.master.heard_at
        return since >= DEAF_SECONDS and all(station.silent for station in asked)

    def _lose(self, cause: LinkLost) -> None:
        for errand in self._queue.errands:
            if not errand.answered.done():
                errand.answered.set_exception(LinkLost(str(cause)))
        self._queue = Queue()
        for member in self.members:
            member(cause)
        self._news.set()
