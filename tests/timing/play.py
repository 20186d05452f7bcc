"""A table that is played in virtual time: one method for each thing that can happen."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from table.commands import HandCommand, Ordered
from table.events import (
    Call,
    ClaimPressed,
    DealEnded,
    DiscardPressed,
    DiscardReleased,
    HuDeclared,
    LinkDown,
    LinkUp,
    Observed,
    RefereeCalled,
    Restarted,
    TableEvent,
    TileDrawn,
    WallRaised,
    Woken,
)
from table.fouls import FoulSeen
from table.moment import MILLISECOND, ZERO, DeviceStamp, Interval, Moment, Quality
from table.seat import Seat
from tests.timing.books import MCR, seconds
from timing.effects import HandEffect
from timing.hand import Hand, HandStimulus, fresh, step
from timing.order_effects import Decreed
from timing.rules import TimeRules

E = TypeVar("E", bound=HandEffect)


def moment(at: float) -> Moment:
    return Moment(0) + seconds(at)


def exactly(at: float) -> Interval:
    return Interval.exactly(moment(at), Quality.DEVICE)


def around(at: float, doubt: timedelta, *, clock: str = "") -> Interval:
    """Return an interval around a moment, stamped to the millisecond if a clock is named."""
    stamp = DeviceStamp(clock, seconds(at), MILLISECOND) if clock else None
    return Interval(moment(at) - doubt, moment(at) + doubt, Quality.DEVICE, stamp)


@dataclass
class Play:
    """One table's hand; each method returns what followed."""

    rules: TimeRules = MCR
    holds: bool = False
    draws: bool = False
    doubt: timedelta = ZERO
    """Half the width of the interval of every event."""
    clock: str = ""
    """The device clock that stamps every event."""
    state: Hand = field(default_factory=lambda: fresh("t1"))
    effects: list[HandEffect] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.holds or self.draws:
            self.happens(0, LinkUp(self.holds, self.draws))

    def happens(self, at: float, stimulus: HandStimulus) -> tuple[HandEffect, ...]:
        done = step(self.rules, self.state, stimulus, moment(at))
        self.state = done.state
        self.effects.extend(done.effects)
        return done.effects

    def sees(
        self, at: float, event: TableEvent, *, late: float = 0, replayed: bool = False
    ) -> tuple[HandEffect, ...]:
        """Let an event happen and arrive so many seconds late."""
        when = around(at, self.doubt, clock=self.clock)
        return self.happens(at + late, Observed(event, when, replayed))

    def wait(self, until: float) -> tuple[HandEffect, ...]:
        return self.happens(until, Woken())

    def deal(self, at: float) -> tuple[HandEffect, ...]:
        return self.sees(at, DealEnded())

    def raise_wall(self, at: float) -> tuple[HandEffect, ...]:
        return self.sees(at, WallRaised())

    def discard(
        self, seat: int, at: float, *, late: float = 0, replayed: bool = False
    ) -> tuple[HandEffect, ...]:
        return self.sees(at, DiscardPressed(Seat(seat)), late=late, replayed=replayed)

    def release(
        self, seat: int, first_edge: float, *, after: float = 0.08
    ) -> tuple[HandEffect, ...]:
        return self.sees(first_edge, DiscardReleased(Seat(seat)), late=after)

    def tap(self, seat: int, at: float) -> tuple[HandEffect, ...]:
        """Press and release `discard`."""
        return (*self.discard(seat, at), *self.release(seat, at))

    def hold(self, seat: int, at: float) -> tuple[HandEffect, ...]:
        """Hold `discard` for the second that makes it a hu."""
        return (*self.discard(seat, at), *self.declare(seat, at))

    def declare(self, seat: int, first_edge: float) -> tuple[HandEffect, ...]:
        """Let the hold of a press become a hu, a second after its first edge."""
        return self.sees(first_edge, HuDeclared(Seat(seat)), late=1)

    def claim(
        self,
        seat: int,
        at: float,
        call: Call | None = None,
        *,
        late: float = 0,
        replayed: bool = False,
    ) -> tuple[HandEffect, ...]:
        return self.sees(at, ClaimPressed(Seat(seat), call), late=late, replayed=replayed)

    def draw(self, seat: int, at: float, *, replayed: bool = False) -> tuple[HandEffect, ...]:
        return self.sees(at, TileDrawn(Seat(seat)), replayed=replayed)

    def call_referee(self, seat: int, at: float) -> tuple[HandEffect, ...]:
        return self.sees(at, RefereeCalled(Seat(seat)))

    def order(self, at: float, command: HandCommand) -> tuple[HandEffect, ...]:
        """Give an order; what follows is returned without the word that it was given."""
        done = self.happens(at, Ordered(command, "referee"))
        return tuple(effect for effect in done if not isinstance(effect, Decreed))

    def lose_link(self, at: float) -> tuple[HandEffect, ...]:
        return self.happens(at, LinkDown("cut"))

    def restart(self, at: float) -> tuple[HandEffect, ...]:
        return self.happens(at, Restarted("restart"))

    @property
    def fouls(self) -> list[FoulSeen]:
        return self.all_of(FoulSeen)

    def all_of(self, kind: type[E]) -> list[E]:
        return [effect for effect in self.effects if isinstance(effect, kind)]

    @property
    def phase(self) -> str:
        return type(self.state.phase).__name__


def dealt(
    rules: TimeRules = MCR,
    *,
    holds: bool = False,
    draws: bool = False,
    doubt: timedelta = ZERO,
    clock: str = "",
) -> Play:
    """Return a table whose first deal ended at 0 s; the dealer is seat 1."""
    play = Play(rules, holds, draws, doubt, clock)
    play.deal(0)
    return play


def opened(rules: TimeRules = MCR, *, holds: bool = False, draws: bool = False) -> Play:
    """Return a table whose seat 1 discarded at 10 s, so that seat 2 is next."""
    play = dealt(rules, holds=holds, draws=draws)
    press = play.tap if holds else play.discard
    press(1, 10)
    play.effects.clear()
    return play
