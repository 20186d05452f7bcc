"""Whose turn it is on a bus: what was ordered first, then the poll that waits longest.

Pure: times are seconds of the clock of whoever asks.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias

from drivers.modbus.bus_pace import Counts, Paces
from drivers.modbus.lines import FrameKind
from drivers.modbus.master_answers import Exchange, Refused, Replied, Unanswered
from drivers.modbus.owed import Debts, owed, settled
from drivers.modbus.requests import Read, Request
from drivers.modbus.windows import Window
from drivers.port import Pace

ERRANDS_IN_A_ROW = 4
"""So many orders, and a poll that is due gets its turn: a flood of orders must not blind us."""
PATIENCES_BETWEEN = 12
"""A silent device is not polled for so many of its time-outs, lest waiting for it takes a tenth of
the line from its neighbours. House choice."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How a device wants to be treated."""

    reply_within: timedelta
    """Longest it may take to answer; the time on the wire is added."""
    frame_gap: timedelta | None = None
    """Silence it needs before a request, if more than its line needs."""
    request_gap: timedelta = timedelta(0)
    """Rest it needs after an answer."""
    fail_count: int = 3
    """So often in a row unanswered, it is taken for silent."""
    probe_period: timedelta = timedelta(seconds=2)
    """A silent one is polled no more often than this."""
    broadcast: bool = False
    """Whether it obeys, and does not mind, what is written to unit 0."""


@dataclass(slots=True, eq=False)
class Station:
    """A device of the bus.

    Attributes:
        silent: whether it left `fail_count` requests in a row unanswered.
        free_at: it is asked nothing before.
        probe_at: it is polled no earlier, while it is silent.
        debts: what it may answer yet.
    """

    unit: int
    manners: Manners
    counts: Counts = field(default_factory=Counts)
    fails: int = 0
    free_at: float = 0
    probe_at: float = 0
    debts: Debts = ()

    @property
    def silent(self) -> bool:
        """Whether it is taken for silent."""
        return self.fails >= self.manners.fail_count

    def asked(self, now: float) -> None:
        """Learn that a question goes out."""
        self.debts = owed(self.debts, now, self._patience)

    def note(self, exchange: Exchange, kind: FrameKind, now: float) -> Exchange:
        """Take what became of a request, and return it as far as it can be believed.

        RTU frames do not say which request they answer. So a device that owes an answer is left
        alone for a while, and what it says next may be that answer (`drivers.modbus.owed`).
        """
        resting = 0.0
        if kind is FrameKind.RTU:
            told = settled(self.debts, exchange, now, self._patience)
            exchange, self.debts, resting = told.exchange, told.debts, told.rests_until
        self.counts.note(exchange)
        answer = exchange.answer
        unheard = isinstance(answer, Unanswered) or (
            isinstance(answer, Refused) and answer.by_gateway
        )
        self.fails = self.fails + 1 if unheard else 0
        self.free_at = max(resting, now + self.manners.request_gap.total_seconds())
        self.probe_at = now + self._probe_after.total_seconds() if self.silent else 0
        return exchange

    @property
    def _patience(self) -> float:
        return self.manners.reply_within.total_seconds()

    @property
    def _probe_after(self) -> timedelta:
        return max(self.manners.probe_period, PATIENCES_BETWEEN * self.manners.reply_within)


@dataclass(slots=True, eq=False)
class Errand:
    """A request that somebody waits for."""

    station: Station
    request: Request
    answered: asyncio.Future[Exchange]


Take: TypeAlias = Callable[[tuple[Exchange, ...]], None]


@dataclass(slots=True, eq=False)
class Poll:
    """A sample that is taken again and again: reads in order, one a turn.

    Attributes:
        due: when it is wanted next, or was, while it is being taken.
    """

    station: Station
    reads: tuple[Read, ...]
    take: Take
    due: float
    paces: Paces
    _taken: list[Exchange] = field(default_factory=list)
    _next_due: float = 0

    @property
    def ready_at(self) -> float:
        """When it may go out."""
        return max(self.due, self.station.free_at, self.station.probe_at)

    @property
    def pace(self) -> Pace:
        """How closely it really watches, over its newest samples."""
        return self.paces.pace

    def turn(self, now: float) -> Read:
        """Return the read whose turn it is; a sample keeps its beat unless a whole period late."""
        if not self._taken:
            self._next_due = max(self.due + self.paces.wanted.total_seconds(), now)
        return self.reads[len(self._taken)]

    def note(self, exchange: Exchange) -> None:
        """Take what became of that read; hand on a sample that is whole, or broke off."""
        self._taken.append(exchange)
        broken = not isinstance(exchange.answer, Replied)
        if not broken and len(self._taken) < len(self.reads):
            return
        sample, self._taken = tuple(self._taken), []
        self.due = self._next_due
        if not broken:
            self.paces.note(Window(sample[0].window.asked, exchange.window.arrived))
        self.take(sample)


Job: TypeAlias = Errand | Poll


@dataclass(slots=True)
class Queue:
    """Everything that is wanted of the devices of one bus."""

    errands: deque[Errand] = field(default_factory=deque)
    polls: list[Poll] = field(default_factory=list)
    _in_a_row: int = 0

    def pick(self, now: float) -> Job | None:
        """Take what goes out now; an errand is gone from the queue then, a poll is not."""
        if any(errand.answered.done() for errand in self.errands):
            self.errands = deque(one for one in self.errands if not one.answered.done())
        poll = min(
            (poll for poll in self.polls if poll.ready_at <= now),
            key=lambda poll: poll.due,
            default=None,
        )
        if poll is None or self._in_a_row < ERRANDS_IN_A_ROW:
            errand = self._errand(now)
            if errand:
                self._in_a_row += 1
                return errand
        self._in_a_row = 0
        return poll

    def ready_at(self) -> float | None:
        """Return when something can go out; None if nothing is wanted."""
        times = [errand.station.free_at for errand in self.errands]
        times += [poll.ready_at for poll in self.polls]
        return min(times, default=None)

    def _errand(self, now: float) -> Errand | None:
        """Take the oldest errand to a device that is free; the order for one device is kept."""
        for errand in self.errands:
            if errand.station.free_at <= now:
                self.errands.remove(errand)
                return errand
        return None
