"""What a turn is made of: its clock, the newest discard, claims of it, and what waits for proof."""

from dataclasses import dataclass
from datetime import timedelta

from table.events import Call
from table.fouls import FoulKind
from table.moment import NOTHING, ZERO, Elapsed, Interval, Quality
from table.seat import Seat
from timing.rules import Limit


@dataclass(frozen=True, slots=True)
class Clock:
    """The limit of the seat on turn, running or waiting for its start."""

    limit: Limit
    basis: Interval
    """Where the start is presumed as long as none was sensed."""
    start: Interval | None
    """None while the clock waits for a draw or for the end of the call window."""
    presumed: bool = False
    judged: bool = True
    """False where a replayed event started it: it then charges nobody."""
    extra: timedelta = ZERO
    """What a referee gave for this turn; negative where play went on with what was left."""
    lit: bool = False
    over: bool = False
    """The notice was given."""
    earlier: Elapsed = NOTHING
    """Used in this turn before a pause or a declared hu, for the total of the hand."""
    spent: bool = False
    """The notice that the total of the hand is used up was given in this turn."""

    @property
    def allowed(self) -> Limit:
        """The limit of this turn, with what a referee gave."""
        return Limit(self.limit.span + self.extra, self.limit.rule)


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat's claim of the newest discard."""

    seat: Seat
    call: Call | None
    when: Interval
    taken: Elapsed
    """From the discard, the reach time in the player's favour."""
    stands: bool
    """False for a late call that the book refuses."""
    suspicion: "Overrun | None" = None
    """What a late call of unknown kind was if play goes on as after one."""
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Discard:
    """The newest discard and the claims of it."""

    seat: Seat
    when: Interval
    said: Interval | None
    """The discarder's own press; None as long as the discard is only implied."""
    open: bool
    """The call window runs."""
    judged: bool = True
    """False where a replay or a pause forbids measuring calls of it."""
    claims: tuple[Claim, ...] = ()
    passed_over: frozenset[Seat] = frozenset()
    """The seats whose own discards this press has shown."""
    undrawn: bool = False
    """A draw should have come before it and no sensor saw one."""
    taken: Interval | None = None
    """When a sensor saw the next seat in order of play draw, whoever is on turn now."""
    returning: frozenset[Seat] = frozenset()
    """Seats that took a tile out of turn: a draw of theirs may be that tile going back."""

    @property
    def measurable(self) -> bool:
        """Whether a call of this discard can be found late."""
        return self.judged and self.when.quality is not Quality.IMPLIED


@dataclass(frozen=True, slots=True)
class Overrun:
    """A rule that was broken for certain, before it is charged."""

    kind: FoulKind
    seat: Seat
    measured: Elapsed | None
    limit: Limit
    started: Interval | None
    ended: Interval
    presumed: bool = False


@dataclass(frozen=True, slots=True)
class EarlyDraw:
    """A draw by the seat that is next, which is early if the discard comes after it."""

    seat: Seat
    when: Interval
    judged: bool
    """False where it charges nobody."""
    replayed: bool


@dataclass(frozen=True, slots=True)
class HuCall:
    """A seat's hu and when it was declared."""

    seat: Seat
    when: Interval
