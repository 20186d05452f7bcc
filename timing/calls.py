"""A call of the newest discard: in time or late, and who is on turn after it."""

from dataclasses import replace
from functools import reduce

from table.moment import Interval
from timing.effects import Claimed
from timing.intervals import later
from timing.judgement import CALLS_OF_THREE, Gesture, call_taken, charge, judge_call
from timing.phases import Claim, Clock, Discard, Hand, Turn
from timing.precedence import holder, of_three
from timing.rules import TimeRules
from timing.standing import close_window
from timing.steps import Step
from timing.turn_clock import claimed_clock, quiet, started


def call_discard(rules: TimeRules, hand: Hand, turn: Turn, said: Gesture) -> Step:
    """Take a call of the newest discard; a late one is refused where the book says so."""
    verdict = judge_call(rules, turn.pool, said)
    known = said.call in CALLS_OF_THREE
    stands = rules.late_call_stands or not verdict.overruns
    suspicion = verdict.overruns[0] if verdict.overruns and not known else None
    taken = call_taken(rules, turn.pool, said.when)
    call = Claim(said.seat, said.call, said.when, taken, stands, suspicion, said.replayed)
    called = replace(turn, pool=replace(turn.pool, claims=(*turn.pool.claims, call)))
    told = Step(
        replace(hand, phase=called), (Claimed(said.seat, said.call, taken), *verdict.effects)
    )
    charged = told.then(lambda h: charge(h, verdict.overruns if known else ()))
    return charged.then(lambda h: _ranked(rules, h, turn.pool, called))


def _ranked(rules: TimeRules, hand: Hand, before: Discard, turn: Turn) -> Step:
    """Give the turn to whoever has the tile now; a refused call holds up the seat on turn."""
    has, newest = holder(turn.pool), turn.pool.claims[-1]
    if has is not None and has != holder(before):
        return _give_turn(rules, hand, turn, has)
    if not newest.stands and newest.seat is not turn.seat:
        return _held_up(hand, turn, newest.when)
    return Step(hand)


def _give_turn(rules: TimeRules, hand: Hand, turn: Turn, call: Claim) -> Step:
    """Give the turn to a claimer; the window stays open for a pung where it may be a chow."""
    pool = turn.pool
    final = of_three(pool, call)
    clock = claimed_clock(rules, hand, pool, call.when, replayed=call.replayed)
    refused = (each.when for each in pool.claims if not each.stands and each.seat is not call.seat)
    clock = reduce(_later_start, refused, clock)
    effects = (
        *quiet(turn.seat, turn.clock),
        *(close_window(turn) if final else ()),
        started(call.seat, clock),
    )
    took_tile = turn.taken is not None and turn.seat is not call.seat
    away = pool.returning | ({turn.seat} if took_tile else set())
    laid = replace(pool, open=pool.open and not final, returning=away)
    return Step(replace(hand, phase=Turn(call.seat, clock, laid, held=turn.held)), effects)


def _held_up(hand: Hand, turn: Turn, when: Interval) -> Step:
    """Give the seat on turn a fresh limit from the refused call that held it up."""
    clock = turn.clock
    if clock.start is None:
        waiting = replace(clock, basis=later(clock.basis, when))
        return Step(replace(hand, phase=replace(turn, clock=waiting)))
    fresh = _later_start(clock, when)
    effects = (*quiet(turn.seat, clock), started(turn.seat, fresh))
    return Step(replace(hand, phase=replace(turn, clock=fresh)), effects)


def _later_start(clock: Clock, when: Interval) -> Clock:
    """Let a clock start, presumed, at a moment if that is later."""
    start = later(clock.start or clock.basis, when)
    basis = later(clock.basis, when)
    return Clock(clock.limit, basis, start, presumed=True, judged=clock.judged, extra=clock.extra)
