"""Making the clocks of a table stand, and giving them a fresh limit afterwards."""

from dataclasses import replace
from datetime import timedelta
from typing import overload

from table.moment import Interval
from table.seat import Seat
from timing.effects import HandEffect, WindowClosed
from timing.phases import Arranging, Hand, Live, Turn, Unsynced, Verifying
from timing.rules import Limit, TimeRules
from timing.steps import Step
from timing.turn_clock import from_now, quiet, silent, started, used_until
from timing.turn_parts import Clock


def stand(hand: Hand) -> Step:
    """Close everything that runs or shows; a press that is not settled yet is forgotten."""
    match hand.phase:
        case Arranging() | Turn() as phase:
            return Step(replace(hand, phase=stilled(phase)), _closing(phase, hand.dealer))
        case _:
            return Step(hand)


@overload
def stilled(phase: Arranging, used_to: Interval | None = None) -> Arranging: ...
@overload
def stilled(phase: Turn, used_to: Interval | None = None) -> Turn: ...
@overload
def stilled(phase: Unsynced, used_to: Interval | None = None) -> Unsynced: ...
@overload
def stilled(phase: Verifying, used_to: Interval | None = None) -> Verifying: ...
def stilled(phase: Live, used_to: Interval | None = None) -> Live:
    """Return a phase of play as it is after everything that runs or shows was closed.

    Where the turn may go on, what was used of it up to a moment is kept for the total.
    """
    match phase:
        case Arranging(clock=clock) if clock is not None:
            return replace(phase, clock=_stopped(clock, used_to), early=None)
        case Turn(clock=clock, pool=pool):
            pool = replace(pool, open=False)
            still = _stopped(clock, used_to)
            return replace(phase, clock=still, pool=pool, early=None, held=())
        case _:
            return phase


def close_window(turn: Turn) -> tuple[HandEffect, ...]:
    """Say that the call window is over, if it was open."""
    return (WindowClosed(turn.pool.seat),) if turn.pool.open else ()


def set_going(rules: TimeRules, hand: Hand, when: Interval, left: timedelta | None = None) -> Step:
    """Give whoever is on turn a fresh limit, or what was left of the one before.

    Calls of the discard before are not measured.
    """
    match hand.phase:
        case Arranging(clock=clock) as arranging if clock is not None:
            fresh = replace(_fresh(hand, rules.first_discard, when, left), earlier=clock.earlier)
            going = replace(hand, phase=replace(arranging, clock=fresh))
            return Step(going, (started(hand.dealer, fresh),))
        case Turn(seat=seat, clock=clock, pool=pool) as turn:
            fresh = replace(_fresh(hand, rules.turn, when, left), earlier=clock.earlier)
            unmeasured = replace(pool, judged=False)
            going = replace(hand, phase=replace(turn, clock=fresh, pool=unmeasured))
            return Step(going, (started(seat, fresh),))
        case _:
            return Step(hand)


def _stopped(clock: Clock, used_to: Interval | None) -> Clock:
    earlier = clock.earlier if used_to is None else used_until(clock, used_to)
    return replace(silent(clock), earlier=earlier)


def _fresh(hand: Hand, limit: Limit, when: Interval, left: timedelta | None) -> Clock:
    clock = from_now(hand, limit, when)
    return clock if left is None else replace(clock, extra=left - limit.span)


def _closing(phase: Arranging | Turn, dealer: Seat) -> tuple[HandEffect, ...]:
    if isinstance(phase, Arranging):
        return quiet(dealer, phase.clock)
    return (*quiet(phase.seat, phase.clock), *close_window(phase))
