"""The clock of the seat on turn: where it starts, what it shows, when it is quiet."""

from table.commands import SetLamp
from table.moment import Interval, Moment, Quality
from table.seat import Seat
from timing.effects import HandEffect, OverLimitClosed, TurnStarted
from timing.intervals import later
from timing.phases import Clock, Discard, Inputs
from timing.rules import Limit, TimeRules, TurnStart


def from_now(limit: Limit, when: Interval, *, judged: bool = True) -> Clock:
    """Return a clock that runs from a happening that was seen."""
    return Clock(limit, when, when, judged=judged)


def opening_clock(rules: TimeRules, inputs: Inputs, pool: Discard) -> Clock:
    """Return the clock of the seat that is next in order of play after a discard."""
    if rules.turn_starts is TurnStart.UPPER_DISCARD:
        return _from_discard(rules, pool)
    basis = window_end(rules, pool)
    waits = inputs.draws or rules.call_window is not None
    return Clock(rules.turn, basis, None if waits else basis, not waits, judged=pool.judged)


def claimed_clock(rules: TimeRules, pool: Discard, claim: Interval, *, replayed: bool) -> Clock:
    """Return the clock of a seat that has claimed the newest discard."""
    judged = pool.judged and not replayed
    if rules.turn_starts is TurnStart.UPPER_DISCARD and judged:
        return _from_discard(rules, pool)
    start = later(window_end(rules, pool), claim)
    return Clock(rules.turn, start, start, presumed=True, judged=judged)


def _from_discard(rules: TimeRules, pool: Discard) -> Clock:
    implied = pool.when.quality is Quality.IMPLIED
    return Clock(rules.turn, pool.when, pool.when, presumed=implied, judged=pool.judged)


def window_end(rules: TimeRules, pool: Discard) -> Interval:
    """Return when the call window of a discard is over by time; at once where the book has none."""
    return pool.when.shifted(rules.call_window.span) if rules.call_window else pool.when


def limit_at(clock: Clock) -> Moment | None:
    """Return the moment of the notice: the limit is reached by the most favourable start."""
    return None if clock.start is None else clock.start.latest + clock.limit.span


def lamp_at(rules: TimeRules, clock: Clock) -> Moment | None:
    """Return the moment at which the seat lamp is lit."""
    if clock.start is None:
        return None
    early = min(rules.lamp_before, clock.limit.span)
    return clock.start.latest + (clock.limit.span - early)


def started(seat: Seat, clock: Clock) -> TurnStarted:
    """Say that a seat's clock runs, or waits."""
    return TurnStarted(seat, clock.limit.span, clock.start, clock.presumed)


def quiet(seat: Seat, clock: Clock | None) -> tuple[HandEffect, ...]:
    """Put out the lamp and close the notice of a clock that is about to go."""
    if clock is None:
        return ()
    lamp = (SetLamp(seat, lit=False),) if clock.lit else ()
    notice = (OverLimitClosed(seat),) if clock.over else ()
    return (*lamp, *notice)
