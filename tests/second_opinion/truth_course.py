"""The true course of a hand: who sits where, how it is dealt, and how it ends."""

from dataclasses import dataclass, field
from random import Random

from table import commands as orders
from table import events
from table.events import Call
from table.fouls import FoulKind
from table.seat import Seat
from tests.second_opinion.limits import TOTAL, Book
from tests.second_opinion.spans import SECOND
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


class Course:
    """What is true at a table at one moment, and how it is dealt and ended."""

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
        self.first = True
        """Before the first discard all flowers are inside one limit."""
        self.drew = True
        """The seat on turn has a tile from the wall."""

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

    def deal(self) -> None:
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
                self.wait(0.8, 2.2)
                self.wires.draw(seat, self.now, tail=True)
                pressed = self.wires.claim(seat, self.now + self.wires.lag(seat), Call.FLOWER)
                if self.book.from_last_flower and pressed:
                    self.start = self.now

    # The end.

    def end(self) -> None:
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

    def stop(self) -> Stop:
        first = self.rng.randrange(11 * SECOND, self.now)
        last = min(first + self.between(0.5, 20), self.now)
        noticed = min(first + self.between(0, 3), last)
        what = self.rng.choice(("cut", "reboot", "restart"))
        return Stop(what, first, noticed, last, lost=what == "reboot" or self.chance(0.3))
