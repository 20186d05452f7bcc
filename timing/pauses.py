"""A pause: all clocks stand on order, and go on with a fresh limit or with what was left."""

from dataclasses import replace
from typing import assert_never

from table.moment import Interval
from timing.effects import HuTakenBack
from timing.order_effects import PlayPaused, PlayResumed
from timing.phases import Arranging, Hand, Idle, Over, Paused, Turn, Unsynced, Verifying
from timing.rules import TimeRules
from timing.standing import set_going, stand, stilled
from timing.steps import Step, wrong_phase
from timing.totals import on_clock
from timing.turn_clock import left


def pause(hand: Hand, reason: str, when: Interval) -> Step:
    """Stop all clocks; what was used of the total of the hand stays used."""
    match hand.phase:
        case Arranging() | Turn() as before:
            paused = replace(hand, phase=Paused(reason, stilled(before, when), when))
            return Step(paused, (*stand(hand).effects, PlayPaused(reason)))
        case Idle() | Over():
            return wrong_phase(hand, "no hand is running")
        case Paused() | Verifying() | Unsynced():
            return wrong_phase(hand, "no clock is running")
    assert_never(hand.phase)


def resume(rules: TimeRules, hand: Hand, when: Interval, *, remaining: bool) -> Step:
    """Go on; after lost step nobody's clock can run before the next discard press."""
    match hand.phase:
        case Paused() as paused:
            return _go_on(rules, hand, paused, when, remaining=remaining)
        case Unsynced(declared=declared, resumed=False) as lost:
            back = tuple(HuTakenBack(seat) for seat in declared)
            resumed = replace(lost, declared=(), resumed=True)
            return Step(replace(hand, phase=resumed), (*back, PlayResumed()))
        case Unsynced():
            return wrong_phase(hand, "play goes on; clocks run from the next discard press")
        case _:
            return wrong_phase(hand, "play is not paused")


def _go_on(
    rules: TimeRules, hand: Hand, paused: Paused, when: Interval, *, remaining: bool
) -> Step:
    """Set the clock going; the pause is not part of the untimed opening, so it ends later."""
    ends = hand.opening_ends and hand.opening_ends.shifted(when.latest - paused.since.latest)
    going = replace(hand, phase=paused.before, opening_ends=ends)
    timed = on_clock(going)
    rest = left(timed[1], paused.since) if remaining and timed is not None else None
    return Step(going, (PlayResumed(),)).then(lambda h: set_going(rules, h, when, rest))
