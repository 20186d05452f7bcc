"""What the clocks of a table show at a moment."""

from dataclasses import dataclass, replace
from datetime import timedelta

from table.moment import ZERO, Moment
from table.seat import BySeat, Seat
from timing.phases import Arranging, Clock, Discard, Hand, Paused, Playing, Turn, Verifying
from timing.rules import TimeRules


@dataclass(frozen=True, slots=True)
class ClockFace:
    """One clock: `kind` is `first-discard`, `turn` or `call-window`."""

    kind: str
    running: bool
    total: timedelta
    remaining: timedelta
    """Never below zero."""
    over: bool
    """The limit is reached; a notice, not a foul."""


@dataclass(frozen=True, slots=True)
class Display:
    """The clock of each seat that has one, and of the call window while it is open."""

    seats: BySeat[ClockFace | None]
    window: ClockFace | None


def clocks(rules: TimeRules, hand: Hand, now: Moment) -> Display:
    """Return what the clocks show at `now`.

    While play is paused or a hu is verified the clock of the seat on turn stands at its whole
    limit, for that is what it will have.
    """
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
            return Display(BySeat[ClockFace | None].all(None), None)


def _one(seat: Seat, face: ClockFace) -> Display:
    return Display(BySeat[ClockFace | None].all(None).put(seat, face), None)


def _running(kind: str, clock: Clock, now: Moment) -> ClockFace:
    total = clock.limit.span
    if clock.start is None:
        return _still(kind, total)
    remaining = total - max(now - clock.start.latest, ZERO)
    runs = clock.start.latest <= now
    return ClockFace(kind, runs, total, max(remaining, ZERO), clock.over)


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
            return Display(BySeat[ClockFace | None].all(None), None)


def _still(kind: str, total: timedelta) -> ClockFace:
    return ClockFace(kind, running=False, total=total, remaining=total, over=False)
