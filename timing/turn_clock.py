"""The clock of the seat on turn: where it starts, what it shows, when it is quiet."""

from dataclasses import replace
from datetime import timedelta

from table.commands import SetLamp
from table.events import Call
from table.moment import ZERO, Elapsed, Interval, Moment, Quality
from table.seat import Seat
from timing.effects import HandEffect, OverLimitClosed, TurnStarted
from timing.intervals import later, since
from timing.phases import Hand
from timing.rules import Limit, TimeRules, TurnStart
from timing.turn_parts import Claim, Clock, Discard

MAY_BE_KONG = frozenset({Call.KONG, None})
"""What is said of a call that may be a kong."""


def from_now(hand: Hand, limit: Limit, when: Interval, *, judged: bool = True) -> Clock:
    """Return a clock that runs from a happening that was seen."""
    return timed(hand, Clock(limit, when, when, judged=judged))


def timed(hand: Hand, clock: Clock) -> Clock:
    """Let a clock start at the end of the untimed opening at the earliest."""
    ends = hand.opening_ends
    if ends is None:
        return clock
    start = None if clock.start is None else later(clock.start, ends)
    return replace(clock, basis=later(clock.basis, ends), start=start)


def opening_seen(rules: TimeRules, hand: Hand, deal: Interval) -> Hand:
    """Note when the untimed opening is over, unless it is known.

    Where nothing said that the deal ended it did so at the first discard at the latest.
    """
    if rules.untimed_opening is None or hand.opening_ends is not None:
        return hand
    return replace(hand, opening_ends=deal.shifted(rules.untimed_opening.span))


def opening_clock(rules: TimeRules, hand: Hand, pool: Discard) -> Clock:
    """Return the clock of the seat that is next in order of play after a discard."""
    if rules.turn_starts is TurnStart.UPPER_DISCARD:
        return timed(hand, _from_discard(rules, pool))
    basis = window_end(rules, pool)
    waits = hand.inputs.draws or rules.call_window is not None
    clock = Clock(rules.turn, basis, None if waits else basis, not waits, judged=pool.judged)
    return timed(hand, clock)


def claimed_clock(rules: TimeRules, hand: Hand, pool: Discard, call: Claim) -> Clock:
    """Return the clock of a seat that has claimed the newest discard.

    Rule: a kong counts as another turn after its replacement (wsom-2010 打牌时限 §3); a call of
    unknown kind may be one.
    """
    judged = pool.judged and not call.replayed
    if rules.turn_starts is not TurnStart.UPPER_DISCARD or not judged:
        start = later(window_end(rules, pool), call.when)
        return timed(hand, Clock(rules.turn, start, start, presumed=True, judged=judged))
    if call.call not in MAY_BE_KONG or not rules.kong_restarts:
        return timed(hand, _from_discard(rules, pool))
    start, waits = later(pool.when, call.when), call.call is Call.KONG and hand.inputs.draws
    return timed(hand, Clock(rules.turn, start, None if waits else start, presumed=not waits))


def _from_discard(rules: TimeRules, pool: Discard) -> Clock:
    implied = pool.when.quality is Quality.IMPLIED
    return Clock(rules.turn, pool.when, pool.when, presumed=implied, judged=pool.judged)


def window_end(rules: TimeRules, pool: Discard) -> Interval:
    """Return when the call window of a discard is over by time; at once where the book has none."""
    return pool.when.shifted(rules.call_window.span) if rules.call_window else pool.when


def limit_at(clock: Clock) -> Moment | None:
    """Return the moment of the notice: the limit is reached by the most favourable start."""
    return None if clock.start is None else clock.start.latest + clock.allowed.span


def lamp_at(rules: TimeRules, clock: Clock) -> Moment | None:
    """Return the moment at which the seat lamp is lit."""
    if clock.start is None:
        return None
    limit = clock.allowed.span
    return clock.start.latest + (limit - min(rules.lamp_before, limit))


def left(clock: Clock, when: Interval) -> timedelta:
    """Return what was left of a limit at a moment, by the most favourable reading."""
    used = ZERO if clock.start is None else since(clock.start, when).least
    return max(clock.allowed.span - used, ZERO)


def used_until(clock: Clock, when: Interval) -> Elapsed:
    """Return what was used in a turn up to a moment; nothing where its clock judges nobody."""
    if clock.start is None or not clock.judged:
        return clock.earlier
    return clock.earlier + since(clock.start, when)


def silent(clock: Clock) -> Clock:
    """Return a clock of which nothing shows."""
    return replace(clock, lit=False, over=False, spent=False)


def started(seat: Seat, clock: Clock) -> TurnStarted:
    """Say that a seat's clock runs, or waits."""
    return TurnStarted(seat, clock.allowed.span, clock.start, clock.presumed)


def quiet(seat: Seat, clock: Clock | None) -> tuple[HandEffect, ...]:
    """Put out the lamp and close the notice of a clock that is about to go."""
    if clock is None:
        return ()
    lamp = (SetLamp(seat, lit=False),) if clock.lit else ()
    notice = (OverLimitClosed(seat),) if clock.over or clock.spent else ()
    return (*lamp, *notice)
