"""The thinking time of each seat in one hand: what adds to it, what is left of it, who is over.

Only turns that were measured count: from the start of the clock to the seat's own press or
replacement, or to the end of the hand, without pauses and the verification of a hu. A turn that a
claim takes away, that is only implied, or in which step was lost, counts nothing.
"""

from dataclasses import replace
from datetime import timedelta

from table.fouls import FoulKind, TooClose
from table.moment import NOTHING, ZERO, Elapsed, Interval, Moment
from table.seat import Seat
from timing.effects import HandEffect
from timing.judgement import Verdict
from timing.phases import Arranging, Hand, Paused, Phase, Turn, Verifying
from timing.rules import Limit, TimeRules
from timing.turn_clock import used_until
from timing.turn_parts import Clock, Overrun


def on_clock(hand: Hand) -> tuple[Seat, Clock] | None:
    """Return the seat on turn and its clock, as long as that can run."""
    seat, clock = hand.on_turn, _clock(hand.phase)
    return None if seat is None or clock is None else (seat, clock)


def add(hand: Hand, seat: Seat, taken: Elapsed) -> Hand:
    """Add a stretch to what a seat has used."""
    return replace(hand, used=hand.used.put(seat, hand.used[seat] + taken))


def judge_totals(limit: Limit, hand: Hand, until: Interval, ended: Interval) -> Verdict:
    """Judge what each seat has used in the hand that ends, its last turn up to `until` included."""
    used = _with_unfinished(hand, until).used
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
    used = hand.used[seat] + clock.earlier
    return clock.start.latest + max(rules.hand_total.span - used.least, ZERO)


def unused(limit: Limit, hand: Hand, seat: Seat, now: Moment) -> timedelta:
    """Return what a seat has left of its total, by the most favourable reading."""
    turn = _turn_so_far(hand, Interval.exactly(now)) if seat is hand.on_turn else NOTHING
    return max(limit.span - (hand.used[seat] + turn).least, ZERO)


def _with_unfinished(hand: Hand, ended: Interval) -> Hand:
    seat = hand.on_turn
    return hand if seat is None else add(hand, seat, _turn_so_far(hand, ended))


def _turn_so_far(hand: Hand, when: Interval) -> Elapsed:
    """Return what the seat on turn has used in its turn; while clocks stand, up to then."""
    match hand.phase:
        case Paused(before=before) | Verifying(before=before):
            clock = _clock(before)
            return NOTHING if clock is None else clock.earlier
        case phase:
            clock = _clock(phase)
            return NOTHING if clock is None else used_until(clock, when)


def _clock(phase: Phase) -> Clock | None:
    match phase:
        case Turn(clock=clock):
            return clock
        case Arranging(clock=clock):
            return clock
        case _:
            return None
