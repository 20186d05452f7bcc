"""A tile taken from the wall, where a sensor sees it: in turn, too early, too late, or put back."""

from dataclasses import replace

from timing.calls import held_up
from timing.effects import Drawn
from timing.held_presses import charged_with
from timing.intervals import later
from timing.judgement import Gesture
from timing.out_of_turn import early_draw, judge_late_draw, noted, out_of_turn
from timing.phases import Arranging, Hand, Idle, Over, Turn
from timing.rules import TimeRules, TurnStart
from timing.steps import Step, ignored
from timing.turn_clock import quiet, started, timed
from timing.turn_parts import Clock


def draw(rules: TimeRules, hand: Hand, said: Gesture) -> Step:
    """Take a draw: it starts the clock of the seat on turn where the limit counts from the draw.

    A draw by any other seat starts nothing: it may be early, too late, or a tile put back.
    """
    match hand.phase:
        case Idle() | Over():
            return ignored(hand, "no hand is running")
        case Turn(seat=seat) as turn if seat is said.seat:
            return Step(hand, (Drawn(said.seat),)).then(lambda h: take(rules, h, turn, said))
        case Turn() as turn:
            return _out_of_turn(rules, hand, turn, said)
        case Arranging() as arranging:
            early = early_draw(rules, hand, arranging, said)
            return Step(replace(hand, phase=replace(arranging, early=early)), (Drawn(said.seat),))
        case _:
            return Step(hand, (Drawn(said.seat),))


def take(rules: TimeRules, hand: Hand, turn: Turn, said: Gesture) -> Step:
    """Give the seat on turn its tile; a limit that counts from a draw, or waits for one, starts."""
    early = early_draw(rules, hand, turn, said)
    drawn = replace(turn, drawn=True, early=early, pool=noted(turn.pool, said))
    before = turn.clock
    if rules.turn_starts is TurnStart.UPPER_DISCARD and before.start is not None:
        return Step(replace(hand, phase=drawn))
    taken = later(turn.pool.when, said.when)
    start = taken if before.start is None else later(before.start, taken)
    presumed = before.presumed and start is not said.when
    judged = before.judged and not said.replayed
    drawn_at = Clock(
        before.limit, start, start, presumed, judged, before.extra, earlier=before.earlier
    )
    clock = timed(hand, held_up(drawn_at, turn.pool, said.seat))
    effects = (*quiet(said.seat, before), started(said.seat, clock))
    return Step(replace(hand, phase=replace(drawn, clock=clock)), effects)


def _out_of_turn(rules: TimeRules, hand: Hand, turn: Turn, said: Gesture) -> Step:
    late = judge_late_draw(rules, turn, said) if said.seat is turn.pool.seat else ()
    early = early_draw(rules, hand, turn, said)
    taken = replace(turn, early=early, pool=out_of_turn(turn.pool, said))
    told = Step(replace(hand, phase=taken), (Drawn(said.seat),))
    return told.then(lambda h: charged_with(h, said.seat, late))
