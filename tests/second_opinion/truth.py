"""A table of which we know what really happened, whatever its inputs said of it."""

from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from table import commands as orders
from table import events
from table.events import Call
from table.fouls import FoulKind
from table.seat import Seat
from tests.second_opinion.limits import BEFORE, EARLY, EMPTY, LATE, OVER, TOTAL, Book
from tests.second_opinion.spans import MILLISECOND, SECOND
from tests.second_opinion.truth_told import Stop, Wires, Wiring

DEALER = Seat.ONE
FOULS = 0.03
"""How often a chance to break a rule is taken."""


@dataclass(frozen=True)
class Broken:
    """A rule that was truly broken."""

    kind: FoulKind
    seat: Seat
    at: int


@dataclass
class Played:
    """A hand: what truly happened, and what was told."""

    book: Book
    wires: Wires
    stop: Stop | None = None
    fouls: list[Broken] = field(default_factory=list)


def played(seed: str, book: Book) -> Played:
    """Return a hand that the seed alone decides."""
    rng = Random(seed)
    wiring = Wiring.of(rng)
    return Truth(rng, book, wiring).play()


class Truth:
    """A hand being played by the book, but for the fouls that are noted."""

    def __init__(self, rng: Random, book: Book, wiring: Wiring) -> None:
        self.rng = rng
        self.book = book
        self.wires = Wires(rng, wiring)
        self.made = Played(book, self.wires)
        self.fouls = FOULS if rng.random() < 0.5 else 0.0
        self.now = 10 * SECOND
        self.seat = DEALER
        self.start = self.now
        """Where the book lets the limit of the seat on turn count from."""
        self.limit = book.first
        self.opened = 0
        """When the untimed opening is over."""
        self.used = dict.fromkeys(Seat, 0)
        self.drawn_early: Seat | None = None

    def play(self) -> Played:
        self._deal()
        for _ in range(self.rng.randrange(4, 60)):
            before = self.now
            self._turn()
            if self.rng.random() < 0.01:
                self.wires.elbow(before, self.now + 2 * SECOND)
            self._next()
        self._end()
        if self.rng.random() < 0.15:
            self.made.stop = self._stop()
        return self.made

    # Small words.

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def wait(self, least: float, most: float) -> None:
        self.now += self.between(least, most)

    def between(self, least: float, most: float) -> int:
        return self.rng.randint(int(least * SECOND), max(int(most * SECOND), int(least * SECOND)))

    def broken(self, kind: FoulKind, seat: Seat, at: int) -> None:
        self.made.fouls.append(Broken(kind, seat, at))

    # The deal.

    def _deal(self) -> None:
        self.wires.see(events.WallRaised(), self.now)
        self.wait(5, 15)
        dealt = self.now
        if self.chance(0.7):
            self.wires.see(events.DealEnded(), dealt)
        else:
            self.wires.order(orders.EndDeal(), dealt + self.between(0, 2))
        self.opened = self.start = dealt + self.book.untimed
        if self.book.opening_flowers:
            self._opening_flowers()

    def _opening_flowers(self) -> None:
        for seat in (Seat.ONE, Seat.TWO, Seat.THREE, Seat.FOUR):
            for _ in range(self.rng.choice((0, 0, 1, 2))):
                self.wait(0.4, 1.2)
                self.wires.claim(seat, self.now + self.wires.lag(seat), Call.FLOWER)
                self.wait(0.4, 1)
                self.wires.draw(seat, self.now, tail=True)
                if self.book.from_last_flower:
                    self.start = self.now

    # A turn.

    def _turn(self) -> None:
        """Think, replace tiles, and discard."""
        for call, share in ((Call.FLOWER, 0.05), (Call.KONG, 0.02)):
            if self.chance(share) and (call is Call.KONG or self.book.opening_flowers):
                self._replace(call)
        if self.chance(0.01):
            self._stand_still()
        if self.chance(0.005):
            self._more_time()
        self._discard()

    def _replace(self, call: Call) -> None:
        deadline = self.start + self.limit
        lag = self.wires.lag(self.seat)
        self.now = min(self.now + self.between(0.3, 3), max(self.now, deadline - lag - 3 * SECOND))
        self.wires.claim(self.seat, self.now + lag, call)
        self.now += self.between(0.5, 1.5)
        self.wires.draw(self.seat, self.now, tail=True)
        if self.book.kong_fresh if call is Call.KONG else self.book.flower_fresh:
            self.used[self.seat] += max(self.now - self.start, 0)
            self.start, self.limit = self.now, self.book.turn

    def _stand_still(self) -> None:
        """Pause, by a referee or for a hu that is none; then the limit is a fresh one."""
        self.now = min(self.now + self.between(0.1, 3), self.start + self.limit)
        self.used[self.seat] += max(self.now - self.start, 0)
        lag = self.between(0, 1)
        if self.wires.wiring.holds and self.chance(0.4):
            self.wires.hold(self.rng.choice(tuple(Seat)), self.now)
            self.wait(2, 20)
            self.wires.order(orders.WithdrawHu(), self.now)
        else:
            self.wires.order(orders.Pause("a question"), self.now + lag)
            self.now += lag
            self.wait(1, 30)
            self.wires.order(orders.Resume(), self.now)
        self.start = self.now

    def _more_time(self) -> None:
        if self.now + 3 * SECOND > self.start + self.limit:
            return
        self.now += self.between(2, 3)
        command = orders.GiveTime(timedelta(seconds=10), "tiles fell")
        self.wires.order(command, self.now)
        self.limit += 10 * SECOND

    def _discard(self) -> None:
        seat, lag = self.seat, self.wires.lag(self.seat)
        deadline = self.start + self.limit
        latest = deadline - lag
        how = self.rng.random()
        if how < 0.5:
            at = self.now + self.between(0.4, 3)
        elif how < 0.8:
            at = self.now + self.between(2, 8)
        else:
            at = latest - self.rng.choice((0, 1, self.between(0, 0.5), self.between(0, 2)))
        at = max(min(at, latest), self.now)
        if self.chance(self.fouls):
            at = deadline + self.between(0.05, 6)
            self.broken(OVER, seat, at + lag)
        if self.chance(self.fouls):
            self._draw_early(seat.lower, self.now, at)
        self.now = at
        pressed = self.wires.discard(seat, at + lag)
        self.used[seat] += max(at + (lag if pressed else 0) - self.start, 0)

    def _draw_early(self, seat: Seat, first: int, at: int) -> None:
        early = max(first + 200 * MILLISECOND, at - self.between(0.1, 5))
        if early < at:
            self.wires.draw(seat, early)
            self.drawn_early = seat
            self.broken(EARLY, seat, early)

    # What becomes of a discard.

    def _next(self) -> None:
        """Let somebody call it, or the next seat draw."""
        discarder, laid = self.seat, self.now
        self.limit = self.book.turn
        lower, others = discarder.lower, (discarder.opposite, discarder.upper)
        which = self.rng.random()
        if self.drawn_early is None and which < 0.1:
            self._chow(lower, laid)
        elif which < 0.2:
            self._call(self.rng.choice((lower, *others)), laid, Call.PUNG)
        elif which < 0.22:
            self._call(self.rng.choice((lower, *others)), laid, Call.KONG)
        elif self.book.window is not None and self.chance(self.fouls):
            self._late_call(self.rng.choice((lower, *others)), laid)
        elif self.chance(self.fouls):
            self._empty_call(self.rng.choice(others), laid)
        elif self.book.name == "wsom-2010" and self.chance(self.fouls):
            self._discard_first(lower, laid)
        else:
            self._draw(lower, laid)
        self.drawn_early = None

    def _draw(self, seat: Seat, laid: int) -> None:
        """Draw; where the limit counts from a draw that nobody senses, as soon as is presumed."""
        slow = self.chance(0.1)
        most = 3.0
        if slow:
            most = ((self.book.window or 0) + self.book.margin) / SECOND
        self.now = max(self.now, laid + self.between(0.2, most))
        if self.drawn_early is seat:
            self.now = max(self.now, laid)
        else:
            self.wires.draw(seat, self.now)
        self._take_turn(seat, self.now, laid)

    def _take_turn(self, seat: Seat, taken: int, laid: int) -> None:
        self.seat = seat
        self.start = taken if self.book.from_draw else laid
        self.start = max(self.start, self.opened)

    def _chow(self, seat: Seat, laid: int) -> None:
        self.now = laid + self.between(0.3, 3.5)
        self._press_call(seat, self.now, Call.CHOW)
        self._take_turn(seat, self.now, laid)

    def _call(self, seat: Seat, laid: int, call: Call) -> None:
        window = (self.book.window or 5 * SECOND) / SECOND
        at = laid + min(self.between(0.2, window), self.between(0.2, window))
        if self.chance(0.05):
            at = laid + int(window * SECOND) - self.rng.choice((0, 1, self.between(0, 0.2)))
        lower = seat is not self.seat.lower and self.chance(0.4)
        draw = laid + self.between(0.2, 3)
        if lower and draw < at:
            self.wires.draw(self.seat.lower, draw)
            self.wires.draw(self.seat.lower, at + self.between(0.3, 1), tail=True)
        elif lower and self.chance(0.2):
            self._press_call(self.seat.lower, laid + self.between(0.3, 3), Call.CHOW)
        self.now = at
        self._press_call(seat, at, call)
        self._take_turn(seat, at, laid)
        if call is Call.KONG:
            self.now += self.between(0.6, 1.8)
            self.wires.draw(seat, self.now, tail=True)
            if self.book.kong_fresh:
                self.start = self.now

    def _press_call(self, seat: Seat, at: int, call: Call) -> None:
        reach = self.wires.wiring.reach
        self.wires.claim(seat, at + (self.rng.randint(0, reach) if reach else 0), call)

    # What is broken.

    def _late_call(self, seat: Seat, laid: int) -> None:
        at = laid + (self.book.window or 0) + self.between(0.05, 2.9)
        lower = self.seat.lower
        draw = laid + self.between(0.2, 4)
        if draw < at and seat is not lower:
            self.wires.draw(lower, draw)
        self.broken(LATE, seat, at)
        self._press_call(seat, at, Call.PUNG)
        self.now = at
        if seat is lower or self.chance(0.6):
            self.wait(0.5, 2)
            if draw >= at or seat is lower:
                self.wires.draw(lower, self.now)
            self._take_turn(lower, min(draw, self.now), laid)
        else:
            self._take_turn(seat, at, laid)

    def _empty_call(self, seat: Seat, laid: int) -> None:
        at, call = laid + self.between(0.3, 2.5), self.rng.choice((Call.PUNG, Call.KONG))
        self._press_call(seat, at, call)
        if call in self.book.empty_calls:
            self.broken(EMPTY, seat, at)
        self.now = at + self.between(0.5, 2.5)
        self._draw(self.seat.lower, laid)

    def _discard_first(self, seat: Seat, laid: int) -> None:
        """Discard and then draw, and let the turn go on from there."""
        lag = self.between(0, 0.3)
        at = laid + self.between(1, 4)
        self.wires.discard(seat, at + lag)
        self.now = at + lag + self.between(0.3, 1)
        self.wires.draw(seat, self.now)
        self.broken(BEFORE, seat, at)
        self.seat = seat
        self.wait(0.3, 1)
        self._draw(seat.lower, at)

    # The end.

    def _end(self) -> None:
        if self.book.total is not None:
            for seat, used in self.used.items():
                if used > self.book.total:
                    self.broken(TOTAL, seat, self.now)
        if self.chance(0.5) and self.wires.wiring.holds:
            winner = self.rng.choice(tuple(Seat))
            self.now += self.between(0.3, 1)
            self.wires.hold(winner, self.now)
            self.wait(3, 30)
            self.wires.order(orders.ConfirmHu(), self.now)
        else:
            self.wait(1, 30)
            self.wires.order(orders.DrawHand(), self.now)

    def _stop(self) -> Stop:
        first = self.rng.randrange(11 * SECOND, self.now)
        last = min(first + self.between(0.5, 20), self.now)
        noticed = min(first + self.between(0, 3), last)
        what = self.rng.choice(("cut", "reboot", "restart"))
        return Stop(what, first, noticed, last, lost=what == "reboot" or self.chance(0.3))
