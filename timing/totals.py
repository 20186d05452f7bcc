"""The thinking time of each seat in one hand: what adds to it, what is left of it, who is over.

Only stretches that were measured count: from the start of a seat's clock to its own press or
replacement, to a pause, to a declared hu or to the end of the hand.
"""

from dataclasses import replace
from datetime import timedelta

from table.fouls import FoulKind, TooClose
from table.moment import ZERO, Elapsed, Interval, Moment
from table.seat import Seat
from timing.effects import HandEffect
from timing.intervals import since
from timing.judgement import NOTHING, Verdict
from timing.phases import Arranging, Clock, Hand, Overrun, Turn
from timing.rules import Limit, TimeRules


def on_clock(hand: Hand) -> tuple[Seat, Clock] | None:
    """Return the seat on turn and its clock, as long as that can run."""
    match hand.phase:
        case Turn(seat=seat, clock=clock):
            return seat, clock
        case Arranging(clock=clock) if clock is not None:
            return hand.dealer, clock
        case _:
            return None


def add(hand: Hand, seat: Seat, taken: Elapsed) -> Hand:
    """Add a stretch to what a seat has used."""
    return replace(hand, used=hand.used.put(seat, _sum(hand.used[seat], taken)))


def spend(hand: Hand, when: Interval) -> Hand:
    """Add the stretch of the seat on turn, which something else than its own press ends."""
    timed = on_clock(hand)
    return hand if timed is None else add(hand, timed[0], _stretch(timed[1], when))


def judge_totals(limit: Limit, hand: Hand, ended: Interval) -> Verdict:
    """Judge what each seat has used in the hand that ends, an unfinished turn included."""
    used = spend(hand, ended).used
    kind = FoulKind.HAND_TOTAL_OVER
    close: tuple[HandEffect, ...] = tuple(
        TooClose(kind, seat, total, limit.span)
        for seat, total in used.items()
        if total.too_close(limit.span)
    )
    over = tuple(
        Overrun(kind, seat, total, limit, hand.dealt, ended)
        for seat, total in used.items()
        if total.over(limit.span)
    )
    return Verdict(close, over)


def total_at(rules: TimeRules, hand: Hand) -> Moment | None:
    """Return the moment at which the seat on turn has used up its total, unless it was told."""
    timed = on_clock(hand)
    if rules.hand_total is None or timed is None:
        return None
    seat, clock = timed
    if clock.start is None or not clock.judged or seat in hand.total_over:
        return None
    return clock.start.latest + max(rules.hand_total.span - hand.used[seat].least, ZERO)


def unused(limit: Limit, hand: Hand, seat: Seat, now: Moment) -> timedelta:
    """Return what a seat has left of its total, by the most favourable reading."""
    timed = on_clock(hand)
    running = ZERO
    if timed is not None and timed[0] is seat and timed[1].judged and timed[1].start is not None:
        running = max(now - timed[1].start.latest, ZERO)
    return max(limit.span - hand.used[seat].least - running, ZERO)


def _stretch(clock: Clock, ended: Interval) -> Elapsed:
    if clock.start is None or not clock.judged:
        return NOTHING
    return since(clock.start, ended)


def _sum(first: Elapsed, second: Elapsed) -> Elapsed:
    return Elapsed(first.least + second.least, first.most + second.most)
