"""What a box does when it is told something (docs/table-link.md, section 7)."""

from collections import OrderedDict
from datetime import timedelta
from typing import TypeAlias

from drivers.table_link.codes import Ending, Refusal, Stage, Verb
from drivers.table_link.messages import Command, Nack, Progress, Result
from simulator.machine import Happened, Machine, Motion
from simulator.wire_words import MOTIONS, REFUSALS, fault_code
from table.events import FaultRaised
from table.moment import Moment
from table.seat import Seat

REMEMBERED = 32
"""Ids whose last word the box still knows."""
LONGEST_TONE_MS = 2000

Reply: TypeAlias = Progress | Result | Nack


class Orders:
    """Commands by id, each carried out once, and what they switch."""

    def __init__(self, machine: Machine, news: timedelta) -> None:
        self._news = news
        self._machine = machine
        self._last_words: OrderedDict[int, Reply] = OrderedDict()
        self._running: dict[Motion, int] = {}
        self._news_at: Moment | None = None
        self._tones: dict[Seat, Moment] = {}
        self.lamps = 0
        """Bit `seat - 1` for each lamp that is lit."""

    def take(self, command: Command, now: Moment, *, armed: bool) -> Reply:
        """Carry out a command, or say again what became of it."""
        known = self._last_words.get(command.id)
        return known or self._say(self._carry_out(command, now, armed=armed))

    def ended(self, happened: Happened) -> list[Reply]:
        """Return the results of the commands whose motions are over."""
        ids = [self._running.pop(motion) for motion in happened.ends if motion in self._running]
        return [self._say(_result(id_, happened)) for id_ in ids]

    def sounding(self, now: Moment) -> list[Seat]:
        """Say which buzzers can be heard."""
        return [seat for seat, until in self._tones.items() if until > now]

    def silence(self) -> None:
        """Stop all buzzers."""
        self._tones.clear()

    def wake_at(self) -> Moment | None:
        """Say when a running command has to be told of again."""
        return self._news_at if self._running else None

    def pass_time(self, now: Moment) -> list[Reply]:
        """Return news of the commands that run."""
        if not self._running or self._news_at is None or now < self._news_at:
            return []
        self._news_at = now + self._news
        return [self._say(Progress(id_, Stage.RUNNING)) for id_ in self._running.values()]

    def _carry_out(self, command: Command, now: Moment, *, armed: bool) -> Reply:
        if command.verb == Verb.STOP:
            self._machine.stop(now)
            return Result(command.id, Ending.DONE)
        if not armed:
            return Nack(command.id, Refusal.NOT_ARMED)
        match command.verb:
            case Verb.SHUFFLE | Verb.LIFT | Verb.DICE:
                return self._move(command.id, MOTIONS[Verb(command.verb)], now)
            case Verb.REOPEN | Verb.RESUME:
                return self._open(command, now)
            case Verb.BUZZER | Verb.LAMP:
                lamp = command.verb == Verb.LAMP
                return self._switch(command) if lamp else self._sound(command, now)
            case _:
                return Nack(command.id, Refusal.UNKNOWN)

    def _move(self, id_: int, motion: Motion, now: Moment) -> Reply:
        if hindrance := self._machine.hindrance(motion):
            return Nack(id_, REFUSALS[hindrance])
        self._machine.begin(motion, now)
        self._running[motion] = id_
        self._news_at = now + self._news
        return Progress(id_, Stage.ACCEPTED)

    def _open(self, command: Command, now: Moment) -> Reply:
        machine = self._machine
        turn = machine.open_up if command.verb == Verb.REOPEN else machine.close_up
        hindrance = turn(now)
        if hindrance:
            return Nack(command.id, REFUSALS[hindrance])
        return Result(command.id, Ending.DONE)

    def _sound(self, command: Command, now: Moment) -> Reply:
        if not _is_seat(command.seat) or not 0 < command.value <= LONGEST_TONE_MS:
            return Nack(command.id, Refusal.BAD_VALUE)
        self._tones[Seat(command.seat)] = now + timedelta(milliseconds=command.value)
        return Result(command.id, Ending.DONE)

    def _switch(self, command: Command) -> Reply:
        if not _is_seat(command.seat) or command.value not in {0, 1}:
            return Nack(command.id, Refusal.BAD_VALUE)
        lamp = 1 << command.seat - 1
        self.lamps = self.lamps | lamp if command.value else self.lamps & ~lamp
        return Result(command.id, Ending.DONE)

    def _say(self, reply: Reply) -> Reply:
        self._last_words[reply.id] = reply
        self._last_words.move_to_end(reply.id)
        while len(self._last_words) > REMEMBERED:
            self._last_words.popitem(last=False)
        return reply


def _is_seat(number: int) -> bool:
    return Seat.ONE <= number <= Seat.FOUR


def _result(id_: int, happened: Happened) -> Result:
    match happened.event:
        case FaultRaised(fault, code):
            return Result(id_, Ending.FAILED, fault_code(fault, code))
        case _:
            return Result(id_, Ending.DONE if happened.well else Ending.STOPPED)
