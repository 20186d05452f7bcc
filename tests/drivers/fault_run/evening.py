"""What four seats really do, hour after hour: turns and calls, most in time and some too late."""

from bisect import insort
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from simulator.deeds import Act, Deed, Sense, press
from simulator.habits import Span, happens, within
from table.events import Call, DealEnded, TableEvent, TileDrawn
from table.happening import Input
from table.moment import Moment
from table.seat import Seat

_SETTLE = timedelta(seconds=2)
_DRAW: Span = (400, 2_900)
"""Before the call window closes (mcr-2014 art. 6: 3 s), so that a turn never begins later."""
_TAP: Span = (110, 200)
_HOLD: Span = (1_150, 1_700)
_IN_TIME: Span = (500, 2_995)
_TOO_LATE: Span = (3_005, 4_500)
_THOUGHTS: tuple[tuple[int, Span], ...] = (
    (80, (700, 5_000)),
    (7, (9_500, 10_000)),
    (8, (10_005, 12_500)),
    (5, (15_000, 22_000)),
)
"""How many of a hundred turns take how long; 10 s is the limit (mcr-2014 art. 6)."""
_AHEAD = 8
_CALLED, _LATE, _HELD, _NAMED = 22, 35, 3, 50


@dataclass(frozen=True, slots=True)
class Press:
    """A finger on a button."""

    seat: Seat
    input: Input
    down: Moment
    up: Moment


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as it was: from the draw or the claim to the discard."""

    seat: Seat
    began: Moment
    discarded: Moment

    @property
    def took(self) -> timedelta:
        return self.discarded - self.began


@dataclass(frozen=True, slots=True)
class Claimed:
    """A pung as it was: from the discard to the call."""

    seat: Seat
    discarded: Moment
    called: Moment

    @property
    def took(self) -> timedelta:
        return self.called - self.discarded


class Evening:
    """Obeys `simulator.plays.Play`, and keeps what is true of it."""

    def __init__(self, random: Random, until: Moment, *, draws: bool) -> None:
        self._random = random
        self._until = until
        self._draws = draws
        self._deeds: list[Deed] = []
        self._seat = Seat.ONE
        self._began = Moment(0)
        self.presses: list[Press] = []
        self.turns: list[Turn] = []
        self.claims: list[Claimed] = []

    def begin(self, now: Moment) -> None:
        self._began = now + _SETTLE
        self._deeds.append(Deed(self._began, Sense(DealEnded())))
        self._turn()

    def wake_at(self) -> Moment | None:
        return self._deeds[0].at if self._deeds else None

    def next_deed(self) -> Deed:
        # Whole turns ahead, so that no deed is thought of after its moment.
        while len(self._deeds) < _AHEAD and self._began < self._until:
            self._turn()
        return self._deeds.pop(0)

    def notice(self, event: TableEvent, at: Moment) -> None:
        """Play on, whatever the machine does."""

    def _turn(self) -> None:
        discarded = self._began + self._thought()
        held = happens(self._random, _HELD)
        self.turns.append(Turn(self._seat, self._began, discarded))
        self._press(self._seat, Input.DISCARD, discarded, _HOLD if held else _TAP)
        if not held and happens(self._random, _CALLED):
            self._call(discarded)
        else:
            self._draw(discarded + timedelta(milliseconds=_HOLD[1] * held))

    def _call(self, discarded: Moment) -> None:
        late = happens(self._random, _LATE)
        taken = within(self._random, _TOO_LATE if late else _IN_TIME)
        self._seat = self._seat.after(self._random.choice((2, 3)))
        self._began = discarded + taken
        self.claims.append(Claimed(self._seat, discarded, self._began))
        call = Call.PUNG if happens(self._random, _NAMED) else None
        self._press(self._seat, Input.CLAIM, self._began, _TAP, call)

    def _draw(self, from_: Moment) -> None:
        self._seat = self._seat.lower
        self._began = from_ + within(self._random, _DRAW)
        self._do(self._began, Sense(TileDrawn(self._seat)) if self._draws else None)

    def _press(
        self, seat: Seat, button: Input, at: Moment, span: Span, call: Call | None = None
    ) -> None:
        length = within(self._random, span)
        self.presses.append(Press(seat, button, at, at + length))
        for deed in press(seat, button, at, length, call):
            self._do(deed.at, deed.act)

    def _do(self, at: Moment, act: Act | None) -> None:
        if act:
            insort(self._deeds, Deed(at, act), key=lambda deed: deed.at)

    def _thought(self) -> timedelta:
        drawn = self._random.randrange(100)
        for percent, span in _THOUGHTS:
            drawn -= percent
            if drawn < 0:
                return within(self._random, span)
        raise AssertionError
