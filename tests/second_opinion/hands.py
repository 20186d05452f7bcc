"""Random hands: people who play mahjong legally, mostly, and press their buttons, mostly.

Everything comes from one seeded `random.Random`. Whoever acts looks up whose limit runs, and
mostly acts within 50 ms of it, often exactly at it or one microsecond beside it.
"""

from dataclasses import dataclass
from datetime import timedelta
from random import Random

from table import commands as orders
from table import events
from table.events import Call
from table.moment import DeviceStamp, Interval, Moment, Quality
from table.seat import Seat
from tests.second_opinion.checker import opinion
from tests.second_opinion.limits import Book
from tests.second_opinion.opinions import Opinion
from tests.second_opinion.spans import MILLISECOND, SECOND, When
from tests.second_opinion.story import Happening

TAP, HOLD, GAP = 80 * MILLISECOND, SECOND, 130 * MILLISECOND
BOX, BOOT = "box-7/boot-1", 4_000 * SECOND
"""The table's own clock, and what it showed at our moment 0."""
PERSON = "referee-1"


@dataclass(frozen=True)
class Shape:
    """How sharply the table saw something: so much before and after, and whether it stamped it."""

    before: int
    after: int
    grain: int | None = None


EXACT = Shape(0, 0)


class Play:
    """A hand in the making."""

    def __init__(self, rng: Random, book: Book) -> None:
        self.rng = rng
        self.book = book
        self.holds = rng.random() < 0.8
        self.draws = rng.random() < 0.5
        self.sight = rng.choice(("exact", "box", "polled", "mixed"))
        self.now = rng.randrange(1000 * SECOND)
        self.told = self.now
        self.story: list[tuple[int, Happening]] = []
        self.tell(events.LinkUp(holds=self.holds, draws=self.draws))

    # What the table and the referee say.

    def shape(self) -> Shape:
        sight = self.sight
        if sight == "mixed":
            sight = self.rng.choice(("exact", "box", "polled"))
        if sight == "box":
            link = self.rng.randrange(5 * MILLISECOND)
            return Shape(link, link, MILLISECOND)
        if sight == "polled":
            return Shape(self.rng.choice((0, 20 * MILLISECOND)), self.rng.choice((0, 7_301)))
        return EXACT

    def tell(self, happening: Happening, when: int | None = None) -> None:
        self.told = max(self.told, self.now if when is None else when)
        self.story.append((self.told, happening))

    def order(self, command: orders.HandCommand) -> None:
        self.tell(orders.Ordered(command, PERSON))
        self.now = self.told + GAP

    def interval(self, shape: Shape) -> Interval:
        first, last = Moment(self.now - shape.before), Moment(self.now + shape.after)
        if shape.grain is None:
            quality = Quality.DEVICE if shape == EXACT else Quality.POLLED
            return Interval(first, last, quality)
        at, grain = timedelta(microseconds=BOOT + self.now), timedelta(microseconds=shape.grain)
        return Interval(first, last, Quality.DEVICE, DeviceStamp(BOX, at, grain))

    def see(self, event: events.TableEvent, shape: Shape, *, replayed: bool = False) -> Interval:
        when = self.interval(shape)
        self.tell(events.Observed(event, when, replayed), when.latest.micros)
        return when

    def press(self, seat: Seat, shape: Shape, *, replayed: bool = False) -> None:
        """Press `discard` and let go."""
        self.release(seat, self.see(events.DiscardPressed(seat), shape, replayed=replayed))

    def release(self, seat: Seat, when: Interval) -> None:
        released = events.Observed(events.DiscardReleased(seat), when, self.replays)
        if self.holds:
            self.tell(released, self.now + TAP)
        self.now += GAP

    @property
    def replays(self) -> bool:
        newest = self.story[-1][1]
        return isinstance(newest, events.Observed) and newest.replayed

    def claim(self, seat: Seat, call: Call | None, shape: Shape, *, replayed: bool = False) -> None:
        """Press `claim` and let go, upon which the table tells it."""
        when = self.interval(shape)
        claimed = events.Observed(events.ClaimPressed(seat, call), when, replayed)
        self.tell(claimed, max(when.latest.micros, self.now + TAP))
        self.now += GAP

    # When they say it.

    def so_far(self) -> Opinion:
        return opinion(self.book, tuple(self.story))

    def wait(self, least: int, most: int) -> None:
        self.now = max(self.now, self.told) + self.rng.randint(least, most)

    def delta(self) -> int:
        rng = self.rng
        small = (0, 0, 0, 1, 1, -1, rng.randint(-999, 999))
        near = rng.randint(-50 * MILLISECOND, 50 * MILLISECOND)
        return rng.choice((*small, near, near, near))

    def wait_until(self, start: When, limit: int, shape: Shape) -> None:
        """Wait until the shortest or the longest reading since a start is about a limit."""
        span, sharp = limit + self.delta(), self.rng.choice((1, -1))
        if start.box and shape.grain is not None:
            grain = max(start.grain, shape.grain)
            wanted = start.stamp - BOOT + span + sharp * grain
        elif sharp > 0:
            wanted = start.last + span + shape.before
        else:
            wanted = start.first + span - shape.after
        if wanted < max(self.now, self.told):
            self.wait(GAP, 2 * SECOND)
        else:
            self.now = wanted

    def think(self, shape: Shape) -> None:
        """Take a turn's time: mostly about what is allowed, at times much more or less."""
        clock = self.so_far().running
        if clock is None or self.rng.random() < 0.25:
            self.wait(GAP, 12 * SECOND)
            return
        limit = clock.limit
        if (clock.presumed or clock.waits) and self.rng.random() < 0.7:
            limit += self.book.margin
        if self.book.per_started and self.rng.random() < 0.25:
            _, span = next(iter(self.book.per_started.values()))
            limit += span * self.rng.choice((1, 1, 2, 3, 16))
        self.wait_until(clock.start, limit, shape)
