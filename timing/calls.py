"""A call of the newest discard: in time or late, and who is on turn after it."""

from dataclasses import replace
from functools import reduce

from table.moment import Interval, Moment
from table.seat import Seat
from timing.effects import Claimed
from timing.intervals import later
from timing.judgement import CALLS_OF_THREE, Gesture, call_taken, charge, judge_call
from timing.phases import Hand, Turn
from timing.precedence import certainly_before, holder, of_three
from timing.rules import TimeRules
from timing.standing import close_window
from timing.steps import Step
from timing.turn_clock import claimed_clock, quiet, started
from timing.turn_parts import Claim, Clock, Discard


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
        replace(hand, phase=called), (Claimed(said.seat, said.call, taken), *verdict.doubts)
    )
    charged = told.then(lambda h: charge(h, verdict.overruns if known else ()))
    return charged.then(lambda h: _ranked(rules, h, turn.pool, called))


def held_up(clock: Clock, pool: Discard, seat: Seat) -> Clock:
    """Let the clock of a seat start at the latest refused call of another seat, presumed."""
    refused = (call for call in pool.claims if not call.stands and call.seat is not seat)
    return reduce(_later_start, sorted((each.when for each in refused), key=_bounds), clock)


def _ranked(rules: TimeRules, hand: Hand, before: Discard, turn: Turn) -> Step:
    """Give the turn to whoever has the tile now; a refused call holds up the seat on turn."""
    has, newest = holder(turn.pool), turn.pool.claims[-1]
    if has is not None and has != holder(before):
        return _give_turn(rules, hand, turn, has)
    if not newest.stands and newest.seat is not turn.seat:
        return _refused(hand, turn)
    return Step(hand)


def _give_turn(rules: TimeRules, hand: Hand, turn: Turn, call: Claim) -> Step:
    """Give the turn to a claimer; the window stays open for a pung where it may be a chow."""
    pool = turn.pool
    final = of_three(pool, call)
    clock = claimed_clock(rules, hand, pool, call)
    clock = held_up(clock, pool, call.seat)
    effects = (
        *quiet(turn.seat, turn.clock),
        *(close_window(turn) if final else ()),
        started(call.seat, clock),
    )
    natural = turn.seat is pool.seat.lower and turn.seat is not call.seat
    away = pool.returning | ({turn.seat} if natural and pool.taken is not None else set())
    laid = replace(pool, open=pool.open and not final, returning=away)
    return Step(replace(hand, phase=Turn(call.seat, clock, laid, held=turn.held)), effects)


def _refused(hand: Hand, turn: Turn) -> Step:
    """Give the seat on turn a fresh limit from the refused call that held it up."""
    clock = held_up(turn.clock, turn.pool, turn.seat)
    held = Step(replace(hand, phase=replace(turn, clock=clock)))
    if clock.start is None or clock == turn.clock:
        return held
    return held.also(*quiet(turn.seat, turn.clock), started(turn.seat, clock))


def _later_start(clock: Clock, when: Interval) -> Clock:
    basis = later(clock.basis, when)
    if clock.start is None:
        return replace(clock, basis=basis)
    if certainly_before(when, clock.start):
        return clock
    start = later(clock.start, when)
    fresh = Clock(clock.limit, basis, start, presumed=True, judged=clock.judged, extra=clock.extra)
    return replace(fresh, earlier=clock.earlier)


def _bounds(when: Interval) -> tuple[Moment, Moment]:
    return when.earliest, when.latest
