"""Four players play a hand: deal, draws, discards, claims, flowers, hu or a draw game.

The players know no tiles. What they do is drawn by lot, about as often as at real tables.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from simulator.deeds import Act, Deed, Key, Sense, press
from simulator.habits import Habit, Span, happens, within
from table.events import Call, DealEnded, TileDrawn
from table.happening import Input
from table.moment import Moment
from table.seat import BySeat, Seat

WALL = 144 - 4 * 13 - 1
"""Tiles left to draw after the deal (mcr-2014 art. 5: 144 tiles)."""
CALL_WINDOW = timedelta(seconds=3)
"""A pung or kong called later is refused (mcr-2014 art. 6, 碰牌)."""

_ROLL: Span = (2_000, 5_000)
_DEAL: Span = (8_000, 14_000)
_TAP: Span = (60, 180)
_HOLD: Span = (1_100, 1_700)
_REPLACE: Span = (800, 2_000)
_VERIFY: Span = (8_000, 20_000)
_PUSH_IN: Span = (6_000, 12_000)

_CLAIMS = (("hu", 1), (Call.KONG, 1), (Call.PUNG, 8), (Call.CHOW, 15))
_REPLACEMENTS = (("hu", 1), (Call.KONG, 1), (Call.FLOWER, 6))
"""What follows a discard or a draw, and in how many of a hundred cases."""


@dataclass(frozen=True, slots=True)
class Players:
    """Four players with their habits; the same seed plays the same hands."""

    random: Random
    habits: BySeat[Habit]
    draws: bool
    """Whether the table senses draws."""

    def hand(self, dealer: Seat, start: Moment) -> list[Deed]:
        """Play a whole hand, from the raised wall until the start key is pushed again."""
        course = _Course(self, dealer, start)
        course.deal()
        while not course.over:
            course.turn()
        course.push_in()
        return sorted(course.deeds, key=lambda deed: deed.at)


@dataclass(slots=True)
class _Course:
    """A hand on its way: who holds fourteen tiles since when, and how many are left to draw."""

    players: Players
    seat: Seat
    now: Moment
    left: int = WALL
    over: bool = False
    deeds: list[Deed] = field(default_factory=list)
    down_until: dict[tuple[Seat, Input], Moment] = field(default_factory=dict)

    def deal(self) -> None:
        self._wait(_ROLL)
        self._do(Key.DICE)
        self._wait(_DEAL)
        self._do(Sense(DealEnded()))
        self._wait(self._habit(self.seat).draw)

    def turn(self) -> None:
        """Discard, and let the next seat come by its fourteenth tile."""
        self.now += self._habit(self.seat).thinking(self._random)
        if not happens(self._random, self._habit(self.seat).forgets):
            self._press(self.seat, Input.DISCARD, self.now, _TAP)
        claim = self._lot(_CLAIMS)
        if claim == "hu":
            self._hu(self._other(), self._habit(self.seat).call)
        elif not (isinstance(claim, Call) and self._claim(claim)):
            self._waver(self.seat.opposite)
            self._draw(self.seat.lower)

    def push_in(self) -> None:
        self._wait(_PUSH_IN)
        self._do(Key.START)

    def _claim(self, call: Call) -> bool:
        """Claim the discard; say whether the claimer gets it."""
        seat = self.seat.lower if call is Call.CHOW else self._other()
        habit = self._habit(seat)
        # Who is next draws anyway, and would not call the tile after that.
        next_seat = seat is self.seat.lower
        taken = within(self._random, habit.call) if next_seat else habit.calling(self._random)
        self._press(seat, Input.CLAIM, self.now + taken, _TAP, call)
        if taken > CALL_WINDOW:
            return False
        self.seat = seat
        self.now += taken
        if call is Call.KONG:
            self._take(_REPLACE)
        return True

    def _waver(self, seat: Seat) -> None:
        """Let a seat that is not next call the discard, and the next one play on all the same."""
        habit = self._habit(seat)
        if habit.wavers and happens(self._random, habit.wavers):
            called = self.now + habit.calling(self._random)
            self._press(seat, Input.CLAIM, called, _TAP, Call.PUNG)

    def _draw(self, seat: Seat) -> None:
        self.seat = seat
        habit = self._habit(seat)
        if self.left and habit.hastes and happens(self._random, habit.hastes):
            self._draw_early(within(self._random, habit.haste))
        else:
            self._take(habit.draw)
        while not self.over and (what := self._lot(_REPLACEMENTS)):
            if isinstance(what, Call):
                self._wait(_REPLACE)
                self._press(seat, Input.CLAIM, self.now, _TAP, what)
                self._take(_REPLACE)
            else:
                self._hu(seat, _REPLACE)

    def _draw_early(self, before: timedelta) -> None:
        """Take a tile before the upper seat has discarded."""
        self.left -= 1
        if self.players.draws:
            self.deeds.append(Deed(self.now - before, Sense(TileDrawn(self.seat))))

    def _take(self, span: Span) -> None:
        """Take a tile from the wall; without one it is a draw game."""
        self._wait(span)
        if self.left == 0:
            self.over = True
            return
        self.left -= 1
        if self.players.draws:
            self._do(Sense(TileDrawn(self.seat)))

    def _hu(self, seat: Seat, span: Span) -> None:
        self._wait(span)
        self._press(seat, Input.DISCARD, self.now, _HOLD)
        self._wait(_VERIFY)
        self.over = True

    def _press(
        self, seat: Seat, button: Input, at: Moment, span: Span, call: Call | None = None
    ) -> None:
        """Press, unless the finger is still on that button."""
        if at <= self.down_until.get((seat, button), self.now - CALL_WINDOW):
            return
        length = within(self._random, span)
        self.deeds += press(seat, button, at, length, call)
        self.down_until[seat, button] = at + length

    def _habit(self, seat: Seat) -> Habit:
        return self.players.habits[seat]

    def _other(self) -> Seat:
        return self.seat.after(self._random.randint(1, 3))

    def _lot(self, chances: tuple[tuple[str, int], ...]) -> str | None:
        drawn = self._random.randrange(100)
        for what, percent in chances:
            drawn -= percent
            if drawn < 0:
                return what
        return None

    def _wait(self, span: Span) -> None:
        self.now += within(self._random, span)

    def _do(self, act: Act) -> None:
        self.deeds.append(Deed(self.now, act))

    @property
    def _random(self) -> Random:
        return self.players.random
