"""A table of which we know what really happened, whatever its inputs said of it."""

from datetime import timedelta
from random import Random

from table import commands as orders
from table.events import Call
from table.seat import Seat
from tests.second_opinion.limits import BEFORE, EARLY, EMPTY, LATE, OVER, Book
from tests.second_opinion.spans import MILLISECOND, SECOND
from tests.second_opinion.truth_course import Course, Played
from tests.second_opinion.truth_told import Wiring


def played(seed: str, book: Book) -> Played:
    """Return a hand that the seed alone decides."""
    rng = Random(seed)
    wiring = Wiring.of(rng)
    return Truth(rng, book, wiring).play()


class Truth(Course):
    """A hand being played by the book, but for the fouls that are noted."""

    def play(self) -> Played:
        self.deal()
        for _ in range(self.rng.randrange(4, 60)):
            if self.chance(0.01):
                self.wires.elbow(self.now, self.now + 10 * SECOND)
            self._turn()
            self._next()
        self.end()
        if self.rng.random() < 0.15:
            self.made.stop = self.stop()
        return self.made

    # A turn.

    def _turn(self) -> None:
        """Think, replace tiles, and discard; after a chow or a pung there is no kong."""
        for call, share in ((Call.FLOWER, 0.05), (Call.KONG, 0.02)):
            known = call is Call.KONG or self.book.opening_flowers
            if known and self.drew and self.chance(share):
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
        flower_fresh = self.book.flower_fresh and not self.first
        if self.book.kong_fresh if call is Call.KONG else flower_fresh:
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
        elif BEFORE in self.book.sensed and self.chance(self.fouls):
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
        self._take_turn(seat, self.now, laid, drew=True)

    def _take_turn(self, seat: Seat, taken: int, laid: int, *, drew: bool = False) -> None:
        self.seat, self.drew, self.first = seat, drew, False
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
            self._press_call(self.seat.lower, at + self.between(0, 0.4), Call.CHOW)
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
