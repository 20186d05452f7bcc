"""A replacement tile for a kong or a flower: it closes a measurement and may open a fresh limit."""

from dataclasses import replace

from table.events import Call
from timing.effects import Replaced
from timing.intervals import later
from timing.judgement import Gesture, charge, judge_turn
from timing.phases import Arranging, Hand, Replacements, Turn
from timing.rules import FirstStart, TimeRules
from timing.steps import Step
from timing.totals import add
from timing.turn_clock import from_now, quiet, started, timed
from timing.turn_parts import Clock


def replace_tile(rules: TimeRules, hand: Hand, turn: Turn, said: Gesture) -> Step:
    """Take a replacement by the seat on turn.

    Where the book opens a fresh limit, the time up to here is measured and judged; otherwise the
    clock runs on to the discard. Where the replacement is not sensed, the fresh start is presumed.
    """
    taken = Replaced(said.seat, said.call)
    konged = turn.konged or said.call is not Call.FLOWER
    turn = replace(turn, drawn=True, konged=konged)
    used = _spend(rules, hand.replacements[said.seat], said.call)
    if used is None:
        return Step(replace(hand, phase=turn), (taken,))
    verdict = judge_turn(rules, turn.clock, said)
    clock = _fresh(rules, hand, turn.clock, said)
    fresh = replace(
        add(hand, said.seat, verdict.used),
        phase=replace(turn, clock=clock),
        replacements=hand.replacements.put(said.seat, used),
    )
    closed = Step(fresh, (*quiet(turn.seat, turn.clock), *verdict.effects, *verdict.doubts))
    return closed.then(lambda h: charge(h, verdict.overruns)).also(taken, started(turn.seat, clock))


def replace_opening_tile(rules: TimeRules, hand: Hand, phase: Arranging, said: Gesture) -> Step:
    """Take a replacement while the dealer arranges.

    Opening flowers of all players are inside the first limit (mcr-2014 art. 5, 赛前 6), unless the
    book counts that limit from the last of them; what may be the dealer's kong opens it afresh.
    """
    taken = Replaced(said.seat, said.call)
    clock = phase.clock
    if clock is None:
        return Step(hand, (taken,))
    if rules.first_starts is FirstStart.LAST_FLOWER and said.call is not Call.KONG:
        return _after_flower(rules, hand, replace(phase, clock=clock), said).also(taken)
    if said.seat is not hand.dealer or said.call is Call.FLOWER:
        return Step(hand, (taken,))
    used = _spend(rules, hand.replacements[said.seat], Call.KONG)
    if used is None:
        return Step(hand, (taken,))
    verdict = judge_turn(rules, clock, said)
    again = from_now(hand, rules.first_discard, said.when, judged=not said.replayed)
    fresh = replace(
        add(hand, said.seat, verdict.used),
        phase=replace(phase, clock=again),
        replacements=hand.replacements.put(said.seat, used),
    )
    closed = Step(fresh, (*quiet(said.seat, clock), *verdict.effects, *verdict.doubts))
    return closed.then(lambda h: charge(h, verdict.overruns)).also(taken, started(said.seat, again))


def _after_flower(rules: TimeRules, hand: Hand, phase: Arranging, said: Gesture) -> Step:
    """Let the first limit count from an opening flower, which judges nobody."""
    clock, spent = phase.clock, hand.replacements[said.seat]
    if clock is None or clock.start is None or spent.flowers >= rules.flowers_at_most:
        return Step(hand)
    start = later(clock.start, said.when)
    judged = clock.judged and not said.replayed
    moved = Clock(clock.limit, start, start, judged=judged, extra=clock.extra)
    again = timed(hand, replace(moved, earlier=clock.earlier))
    counted = hand.replacements.put(said.seat, replace(spent, flowers=spent.flowers + 1))
    later_on = replace(hand, phase=replace(phase, clock=again), replacements=counted)
    return Step(later_on, (*quiet(hand.dealer, clock), started(hand.dealer, again)))


def _spend(rules: TimeRules, used: Replacements, call: Call | None) -> Replacements | None:
    """Count a fresh limit, or return None where the book or its bound allows none.

    Where the kind is unknown the flowers, of which there are more, are spent first: also where they
    open no limit, so that they use up no kong.
    """
    either = rules.flower_restarts or (rules.kong_restarts and call is None)
    if call is not Call.KONG and either and used.flowers < rules.flowers_at_most:
        return replace(used, flowers=used.flowers + 1)
    kong = rules.kong_restarts and call is not Call.FLOWER
    if kong and used.kongs < rules.kongs_at_most:
        return replace(used, kongs=used.kongs + 1)
    return None


def _fresh(rules: TimeRules, hand: Hand, clock: Clock, said: Gesture) -> Clock:
    """Return the limit after a replacement: it waits for the tile where a table senses draws.

    Rule: a kong counts as another turn after its replacement (wsom-2010 打牌时限 §3).
    """
    start, waits = later(clock.basis, said.when), hand.inputs.draws
    fresh = Clock(
        rules.turn,
        start,
        None if waits else start,
        presumed=not waits,
        judged=not said.replayed,
    )
    return timed(hand, fresh)
