"""What the clocks of a table show at a moment."""

from dataclasses import dataclass, field, replace
from datetime import timedelta

from table.moment import ZERO, Moment
from table.seat import BySeat, Seat
from timing.phases import Arranging, Hand, Idle, Over, Paused, Playing, Turn, Verifying
from timing.rules import Limit, TimeRules
from timing.totals import on_clock, unused
from timing.turn_parts import Clock, Discard


@dataclass(frozen=True, slots=True)
class ClockFace:
    """One clock: `kind` is `first-discard`, `turn`, `call-window` or `hand-total`."""

    kind: str
    running: bool
    total: timedelta
    remaining: timedelta
    """Never below zero."""
    over: bool
    """The limit is reached; a notice, not a foul."""


@dataclass(frozen=True, slots=True)
class Display:
    """The clock of each seat that has one, of the call window while it is open, and the totals."""

    seats: BySeat[ClockFace | None]
    window: ClockFace | None
    totals: BySeat[ClockFace | None] = field(default_factory=lambda: NO_CLOCKS)
    """What each seat has left for the hand, where the book limits that."""


NO_CLOCKS: BySeat[ClockFace | None] = BySeat(None, None, None, None)


def clocks(rules: TimeRules, hand: Hand, now: Moment) -> Display:
    """Return what the clocks show at `now`.

    While play is paused or a hu is verified the clock of the seat on turn stands at its whole
    limit, for that is what it will have.
    """
    return replace(_limits(rules, hand, now), totals=_totals(rules.hand_total, hand, now))


def _limits(rules: TimeRules, hand: Hand, now: Moment) -> Display:
    match hand.phase:
        case Arranging(clock=clock) if clock is not None:
            return _one(hand.dealer, _running("first-discard", clock, now))
        case Turn(seat=seat, clock=clock, pool=pool):
            return replace(
                _one(seat, _running("turn", clock, now)), window=_window(rules, pool, now)
            )
        case Paused(before=before) | Verifying(before=before):
            return _standing(rules, hand.dealer, before)
        case _:
            return Display(NO_CLOCKS, None)


def _totals(limit: Limit | None, hand: Hand, now: Moment) -> BySeat[ClockFace | None]:
    if limit is None or isinstance(hand.phase, Idle | Over):
        return NO_CLOCKS
    return BySeat[ClockFace | None].of(lambda seat: _total(limit, hand, seat, now))


def _total(limit: Limit, hand: Hand, seat: Seat, now: Moment) -> ClockFace:
    timed = on_clock(hand)
    runs = timed is not None and timed[0] is seat and timed[1].judged and _runs(timed[1], now)
    remaining = unused(limit, hand, seat, now)
    return ClockFace("hand-total", runs, limit.span, remaining, seat in hand.total_over)


def _one(seat: Seat, face: ClockFace) -> Display:
    return Display(NO_CLOCKS.put(seat, face), None)


def _running(kind: str, clock: Clock, now: Moment) -> ClockFace:
    total = clock.allowed.span
    if clock.start is None:
        return _still(kind, total)
    remaining = total - max(now - clock.start.latest, ZERO)
    return ClockFace(kind, _runs(clock, now), total, max(remaining, ZERO), clock.over)


def _runs(clock: Clock, now: Moment) -> bool:
    return clock.start is not None and clock.start.latest <= now


def _window(rules: TimeRules, pool: Discard, now: Moment) -> ClockFace | None:
    if rules.call_window is None or not pool.open:
        return None
    total = rules.call_window.span
    remaining = total - max(now - pool.when.latest, ZERO)
    return ClockFace("call-window", running=True, total=total, remaining=remaining, over=False)


def _standing(rules: TimeRules, dealer: Seat, before: Playing) -> Display:
    match before:
        case Turn(seat=seat):
            return _one(seat, _still("turn", rules.turn.span))
        case Arranging(clock=clock) if clock is not None:
            return _one(dealer, _still("first-discard", rules.first_discard.span))
        case _:
            return Display(NO_CLOCKS, None)


def _still(kind: str, total: timedelta) -> ClockFace:
    return ClockFace(kind, running=False, total=total, remaining=total, over=False)
