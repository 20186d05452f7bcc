"""What the inputs of a table say of what happened: late, twice, not at all, or by an elbow."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TypeAlias

from controller.table_core import Stimulus
from table import commands as orders
from table import events
from table.events import Call
from table.moment import DeviceStamp, Interval, Moment, Quality
from table.seat import Seat
from tests.second_opinion.spans import MILLISECOND, SECOND

LAG, LATEST, HOLD = 3 * SECOND // 2, 3 * SECOND, SECOND
"""A press follows its deed within the first, seldom up to the second (the repeated press)."""
PERSON = "referee-1"
AT_MOST = 2
"""So many of four presses in a row are forgotten at a table at most."""
BOOT, ORIGIN = 500 * SECOND, 5 * SECOND


@dataclass(frozen=True)
class Habits:
    """How a player uses the buttons."""

    lag: int
    forgets: float
    doubles: float

    @classmethod
    def of(cls, rng: Random) -> "Habits":
        forgets = rng.choice((0.01, 0.01, 0.01, 0.3))
        return cls(rng.choice((LAG // 5, LAG // 2, LAG)), forgets, rng.choice((0.01, 0.2)))


@dataclass(frozen=True)
class Wiring:
    """What a table can sense, and how an event reads it."""

    typed: bool
    """The claim buttons say what is called."""
    reach: int
    """The event's time from calling aloud to pressing; 0 where the press is the call."""
    holds: bool
    draws: bool
    misses: float
    """How many of the draws the sensor does not see."""
    tail: bool
    """It sees replacement tiles and tiles put back, too."""
    sight: str

    @classmethod
    def of(cls, rng: Random) -> "Wiring":
        return cls(
            typed=rng.random() < 0.5,
            reach=rng.choice((0, 0, SECOND)),
            holds=rng.random() < 0.8,
            draws=rng.random() < 0.5,
            misses=rng.choice((0, 0, 0.2)),
            tail=rng.random() < 0.5,
            sight=rng.choice(("exact", "box", "polled")),
        )


@dataclass(frozen=True)
class Slip:
    """What a seat did to its buttons that was none of the game's."""

    seat: Seat
    at: int
    what: str
    """`elbow`, `double` or `forgot`."""


@dataclass(frozen=True)
class Stop:
    """A time in which nothing is told."""

    what: str
    """`cut`, `reboot` or `restart`."""
    first: int
    noticed: int
    last: int
    lost: bool


Told: TypeAlias = tuple[int, int, Stimulus]
"""When it is told, when it happened, and what."""


class Wires:
    """Everything that buttons, sensors and people say in one hand."""

    def __init__(self, rng: Random, wiring: Wiring) -> None:
        self.rng = rng
        self.wiring = wiring
        self.habits = {seat: Habits.of(rng) for seat in Seat}
        self.slips: list[Slip] = []
        self.told: list[Told] = []
        self.lately: deque[bool] = deque(maxlen=4)
        self.silent: set[Seat] = set()
        """Who forgot its last press: by then others have pressed, and it does no more."""
        self.touched: set[Seat] = set()
        """Whose elbow lay on `discard` since its last discard: it presses in any case."""

    # What people do.

    def lag(self, seat: Seat) -> int:
        """Return how long the seat takes from a deed to its press."""
        if self.rng.random() < 0.03:
            return self.rng.randrange(LAG, LATEST)
        return self.rng.randrange(self.habits[seat].lag)

    def discard(self, seat: Seat, at: int) -> bool:
        """Press for a discard, unless the seat forgets it."""
        if self._forgets(seat, at):
            return False
        self.touched.discard(seat)
        self.tap(seat, at)
        if self.rng.random() < self.habits[seat].doubles:
            again = at + self.rng.randrange(500 * MILLISECOND, LATEST)
            self.slips.append(Slip(seat, again, "double"))
            self.touched.add(seat)
            self.tap(seat, again)
        return True

    def claim(self, seat: Seat, at: int, call: Call) -> bool:
        if self._forgets(seat, at):
            return False
        self._claimed(seat, at, call)
        return True

    def elbow(self, first: int, last: int) -> None:
        """Let an elbow touch a button in between."""
        seat, at = self.rng.choice(tuple(Seat)), self.rng.randrange(first, max(last, first + 1))
        self.slips.append(Slip(seat, at, "elbow"))
        which = self.rng.random()
        if which < 0.5 and seat not in self.silent:
            self.touched.add(seat)
            self.tap(seat, at)
        elif which < 0.9 or not self.wiring.holds:
            self._claimed(seat, at, self.rng.choice((Call.CHOW, Call.PUNG, Call.KONG)))
        else:
            self.hold(seat, at)

    def tap(self, seat: Seat, at: int) -> None:
        """Press `discard` and let go."""
        when = self._interval(at)
        told = self._say(events.DiscardPressed(seat), when, at)
        if self.wiring.holds:
            length = self.rng.randrange(50 * MILLISECOND, 600 * MILLISECOND)
            self._say(events.DiscardReleased(seat), when, at, told + length)

    def hold(self, seat: Seat, at: int) -> None:
        """Hold `discard`: hu, where the table can tell."""
        when = self._interval(at)
        told = self._say(events.DiscardPressed(seat), when, at)
        self._say(events.HuDeclared(seat), when, at, told + HOLD)

    def draw(self, seat: Seat, at: int, *, tail: bool = False) -> None:
        seen = self.rng.random() >= self.wiring.misses and (self.wiring.tail or not tail)
        if self.wiring.draws and seen:
            self._say(events.TileDrawn(seat), self._interval(at), at)

    def see(self, event: events.TableEvent, at: int) -> None:
        self._say(event, self._interval(at), at)

    def order(self, command: orders.HandCommand, at: int) -> None:
        self.told.append((at, at, orders.Ordered(command, PERSON)))

    def _forgets(self, seat: Seat, at: int) -> bool:
        forgotten = self.rng.random() < self.habits[seat].forgets
        forgotten = forgotten and sum(self.lately) < AT_MOST and seat not in self.touched
        self.lately.append(forgotten)
        (self.silent.add if forgotten else self.silent.discard)(seat)
        if forgotten:
            self.slips.append(Slip(seat, at, "forgot"))
        return forgotten

    def _claimed(self, seat: Seat, at: int, call: Call) -> None:
        length = self.rng.randrange(50 * MILLISECOND, 600 * MILLISECOND)
        said = events.ClaimPressed(seat, call if self.wiring.typed else None)
        when = self._interval(at)
        self._say(said, when, at, when.latest.micros + length)

    def _interval(self, at: int) -> Interval:
        rng, sight = self.rng, self.wiring.sight
        if sight == "exact":
            return Interval.exactly(Moment(at), Quality.DEVICE)
        if sight == "polled":
            first, last = at - rng.randrange(20 * MILLISECOND), at + rng.randrange(8 * MILLISECOND)
            return Interval(Moment(first), Moment(last), Quality.POLLED)
        link = rng.randrange(5 * MILLISECOND)
        shown = timedelta(microseconds=(BOOT + at) // MILLISECOND * MILLISECOND)
        stamp = DeviceStamp("box-7/boot-1", shown, timedelta(milliseconds=1))
        return Interval(Moment(at - link), Moment(at + link), Quality.DEVICE, stamp)

    def _say(self, event: events.TableEvent, when: Interval, at: int, told: int = 0) -> int:
        told = max(told, when.latest.micros)
        self.told.append((told, at, events.Observed(event, when)))
        return told

    # What arrives.

    def arriving(self, stop: Stop | None) -> Iterator[tuple[int, int, Stimulus]]:
        """Yield what arrives: the moment, how far that lies before true time, and what."""
        linked = events.LinkUp(holds=self.wiring.holds, draws=self.wiring.draws)
        yield 0, 0, linked
        heard = sorted(self.told, key=lambda each: each[0])
        if stop is None:
            yield from ((told, 0, what) for told, _, what in heard)
            return
        shift = stop.last - ORIGIN if stop.what == "restart" else 0
        yield from ((told, 0, what) for told, _, what in heard if told < stop.first)
        kept = [each for each in heard if stop.first <= each[0] < stop.last]
        yield from self._stopped(stop, kept, linked, shift)
        for told, _, what in heard:
            if told >= stop.last:
                yield told - shift, shift, _moved(what, shift)

    def _stopped(
        self, stop: Stop, kept: list[Told], linked: events.LinkUp, shift: int
    ) -> Iterator[tuple[int, int, Stimulus]]:
        end = stop.last - shift
        ordered = [each for each in kept if isinstance(each[2], orders.Ordered)]
        if stop.what == "restart":
            yield end, shift, events.Restarted("started anew")
        else:
            first = [each for each in ordered if each[0] < stop.noticed]
            yield from ((told, 0, what) for told, _, what in first)
            yield stop.noticed, 0, events.LinkDown("cut")
            yield from (
                (told, 0, what) for told, _, what in ordered if (told, _, what) not in first
            )
        yield end, shift, linked
        if stop.what == "reboot":
            rebooted = Interval.exactly(Moment(end))
            yield end, shift, events.Observed(events.TableRebooted(), rebooted)
        if not stop.lost:
            for _, _, what in kept:
                if isinstance(what, events.Observed):
                    yield end, shift, _moved(what, shift, replayed=True)


def _moved(what: Stimulus, shift: int, *, replayed: bool = False) -> Stimulus:
    """Return what was seen in moments of a clock that started anew."""
    if not isinstance(what, events.Observed):
        return what
    when = what.when
    first, last = Moment(when.earliest.micros - shift), Moment(when.latest.micros - shift)
    moved = Interval(first, last, when.quality, when.stamp)
    return events.Observed(what.event, moved, replayed=replayed)
