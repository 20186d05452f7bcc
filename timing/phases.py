"""The state of one table's hand: one frozen value for each phase, and what they are made of."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias, assert_never

from table.events import Observed
from table.fouls import OverrunRecorded, TooClose
from table.moment import NOTHING, ZERO, Elapsed, Interval, Moment
from table.restrictions import FREE, Restriction
from table.seat import BySeat, Seat
from timing.effects import Result
from timing.turn_parts import Clock, Discard, EarlyDraw, HuCall, Overrun


@dataclass(frozen=True, slots=True)
class RefereeCall:
    """A seat's call for the referee and when it came, by the clock of the session it came in."""

    seat: Seat
    when: Interval


@dataclass(frozen=True, slots=True)
class Idle:
    """No hand was dealt yet."""


@dataclass(frozen=True, slots=True)
class Arranging:
    """The dealer arranges; the clock is None as long as nothing said that the deal ended."""

    since: Interval
    """When the hand began."""
    clock: Clock | None = None
    early: "EarlyDraw | None" = None
    """The next seat drew before the dealer is known to have discarded."""
    ready: BySeat[Interval | None] = field(default_factory=lambda: BySeat.all(None))
    """When each seat said that it is ready, where four such presses end the deal."""
    replayed: bool = False
    """One of them was seen by a replayed event."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat is on turn, and the newest discard can be claimed."""

    seat: Seat
    clock: Clock
    pool: Discard
    drawn: bool = False
    """The seat has drawn or replaced a tile, so it no longer calls the newest discard."""
    konged: bool = False
    """The seat may have added a kong in this turn: until its discard others may rob it."""
    early: "EarlyDraw | None" = None
    """The next seat drew before the seat on turn is known to have discarded."""
    held: "tuple[HeldPress, ...]" = ()


@dataclass(frozen=True, slots=True)
class Unsynced:
    """Nobody knows who is on turn; the next discard press tells."""

    cause: str
    begun: bool
    """A discard was seen in this hand before step was lost."""
    declared: tuple[Seat, ...] = ()
    """Seats whose hu was being verified when step was lost."""
    resumed: bool = False
    """The referee said that play goes on."""


@dataclass(frozen=True, slots=True)
class Verifying:
    """A hu is being verified; all clocks stand."""

    declared: tuple[HuCall, ...]
    """In the order in which they came."""
    before: "Playing"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who declared, in the order in which they came."""
        return tuple(call.seat for call in self.declared)


@dataclass(frozen=True, slots=True)
class Paused:
    """The referee stopped all clocks."""

    reason: str
    before: "Timed"
    since: Interval


@dataclass(frozen=True, slots=True)
class Over:
    """The hand has ended and the next one has not begun."""

    result: Result
    winner: Seat | None = None
    winners: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class HeldPress:
    """A discard press that a release has not settled yet; it may still become a hu."""

    seat: Seat
    when: Interval
    before: "Hand"
    """What to go back to if it was none."""
    overruns: tuple[Overrun, ...]
    """What the release charges."""
    doubts: tuple[TooClose | OverrunRecorded, ...] = ()
    """What the release records, charging nobody."""
    since: tuple[Observed, ...] = ()
    """What the other seats said after it, to be heard again if it was none."""


Timed: TypeAlias = Arranging | Turn
"""Somebody is on turn, whose clock may run."""
Playing: TypeAlias = Timed | Unsynced
"""Play goes on, in step or not."""
Live: TypeAlias = Playing | Verifying
"""A discard press means something."""
Phase: TypeAlias = Idle | Live | Paused | Over


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the table's inputs can sense."""

    holds: bool = False
    draws: bool = False


@dataclass(frozen=True, slots=True)
class Replacements:
    """How often a seat's replacement opened a fresh limit in this hand."""

    kongs: int = 0
    flowers: int = 0


@dataclass(frozen=True, slots=True)
class Hand:
    """The play at one table: facts of the session and of the present hand, and its phase."""

    table: str
    players: BySeat[str]
    phase: Phase = field(default_factory=Idle)
    deals: int = 0
    """How many hands were dealt in the session, void ones included."""
    number: int = 0
    """The present hand in the session, counted from 1; a void hand keeps its number."""
    dealer: Seat = Seat.ONE
    inputs: Inputs = field(default_factory=Inputs)
    pressed: BySeat[Interval | None] = field(default_factory=lambda: BySeat.all(None))
    """The newest discard press of each seat in this hand."""
    missed: BySeat[int] = field(default_factory=lambda: BySeat.all(0))
    """Presses that others had to make for a seat in this hand."""
    replacements: BySeat[Replacements] = field(default_factory=lambda: BySeat.all(Replacements()))
    fouls: int = 0
    """Fouls seen in this hand."""
    last: Moment | None = None
    """The last moment handled."""
    used: BySeat[Elapsed] = field(default_factory=lambda: BySeat.all(NOTHING))
    """Thinking time of the turns that are over, for the total of the hand."""
    total_over: frozenset[Seat] = frozenset()
    """Seats that were told that their total is used up."""
    opening_ends: Interval | None = None
    """Before this no clock of the hand starts; None where the book times the opening."""
    dealt: Interval | None = None
    """When the deal of the hand ended; None as long as nothing said so."""
    restrictions: BySeat[Restriction] = field(default_factory=lambda: BySeat.all(FREE))
    """What rulings forbid each seat."""
    stand_ins: BySeat[str] = field(default_factory=lambda: BySeat.all(""))
    """Who plays for a player who is out; empty where the player plays."""
    extra_time: timedelta = ZERO
    """Given to the table in this session."""
    calls: tuple[RefereeCall, ...] = ()
    """Seats that wait for the referee, in the order in which they called; hands may pass."""
    disarmed: str = ""
    """Why no hand begins (`table.arming`); empty where the table is armed."""

    def sits(self, seat: Seat) -> str:
        """Return who presses at a seat: the player, or the stand-in."""
        return self.stand_ins[seat] or self.players[seat]

    @property
    def hand(self) -> str:
        """The id of the present or last hand, empty before the first.

        Unique in the session even where a hand is dealt again.
        """
        return f"{self.table}-{self.deals}" if self.deals else ""

    @property
    def on_turn(self) -> Seat | None:
        """The seat whose discard is awaited, if that is known."""
        return seat_on_turn(self.phase, self.dealer)


def seat_on_turn(phase: Phase, dealer: Seat) -> Seat | None:
    """Return the seat whose discard is awaited in a phase, if that is known."""
    match phase:
        case Arranging():
            return dealer
        case Turn(seat=seat):
            return seat
        case Verifying(before=before) | Paused(before=before):
            return seat_on_turn(before, dealer)
        case Idle() | Unsynced() | Over():
            return None
    assert_never(phase)
