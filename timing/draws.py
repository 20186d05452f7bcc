"""A tile taken from the wall, where a sensor sees it."""

from dataclasses import replace

from timing.effects import Drawn
from timing.intervals import later
from timing.judgement import Gesture
from timing.phases import Clock, Hand, Idle, Over, Turn
from timing.rules import TimeRules, TurnStart
from timing.steps import Step, ignored
from timing.turn_clock import quiet, started, timed


def draw(rules: TimeRules, hand: Hand, said: Gesture) -> Step:
    """Take a draw: it starts the clock of the seat on turn where the limit counts from the draw.

    A draw by any other seat is told and changes nothing: it may be early, or a tile put back.
    """
    match hand.phase:
        case Idle() | Over():
            return ignored(hand, "no hand is running")
        case Turn(seat=seat) as turn if seat is said.seat:
            return _own_draw(rules, hand, turn, said)
        case _:
            return Step(hand, (Drawn(said.seat),))


def _own_draw(rules: TimeRules, hand: Hand, turn: Turn, said: Gesture) -> Step:
    drawn = replace(turn, drawn=True)
    if rules.turn_starts is TurnStart.UPPER_DISCARD:
        return Step(replace(hand, phase=drawn), (Drawn(said.seat),))
    before = turn.clock
    start = said.when if before.start is None else later(before.start, said.when)
    presumed = before.presumed and start is not said.when
    judged = before.judged and not said.replayed
    drawn_at = Clock(before.limit, start, start, presumed, judged, before.extra)
    clock = timed(hand, drawn_at)
    effects = (*quiet(said.seat, before), Drawn(said.seat), started(said.seat, clock))
    return Step(replace(hand, phase=replace(drawn, clock=clock)), effects)
