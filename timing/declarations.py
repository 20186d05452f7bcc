"""A held press: a hu, unless a ruling forbids it. It never was a discard."""

from dataclasses import replace

from timing.effects import Barred, HandEffect, HuAnnounced, StepLost, WindowOpened
from timing.hearing import hear_again
from timing.held_presses import forget, gone_back, held_by
from timing.hu import declared, verified
from timing.hu_ranking import ranked
from timing.judgement import Gesture
from timing.phases import Arranging, Hand, HeldPress, Idle, Over, Paused, Turn, Unsynced, Verifying
from timing.rules import TimeRules
from timing.standing import stand
from timing.steps import Step
from timing.turn_clock import started
from timing.turn_parts import HuCall


def declare(rules: TimeRules, hand: Hand, said: Gesture) -> Step:
    """Take a declared hu; the press it began with was no discard.

    A seat whose hand is dead declares nothing: its press is undone and the clocks go on.
    """
    barred = hand.restrictions[said.seat].no_hu and not isinstance(hand.phase, Idle | Over | Paused)
    known = forget(hand, said.seat, said.when)
    press = held_by(known, said.seat)
    if press is not None and said.replayed:
        press = replace(press, since=tuple(replace(each, replayed=True) for each in press.since))
    back = Step(known) if press is None else _undone(rules, known, press, going=barred)
    if barred:
        return back.also(Barred(said.seat, "hu"))
    return back.then(lambda h: declared(rules, h, said))


def _undone(rules: TimeRules, hand: Hand, press: HeldPress, *, going: bool) -> Step:
    """Go back to before a press; what others said since, their hu included, is heard again."""
    before = gone_back(hand, press)
    closed = stand(hand).effects
    shown = _shown(rules, before)
    if not going and isinstance(before.phase, Arranging | Turn | Unsynced):
        before, shown = replace(before, phase=verified(before.phase)), ()
    calls = hand.phase.declared if isinstance(hand.phase, Verifying) else ()
    heard = Step(before, (*closed, *shown)).then(lambda h: hear_again(rules, h, press.since))
    return heard.then(lambda h: _declared_again(rules, h, calls))


def _shown(rules: TimeRules, hand: Hand) -> tuple[HandEffect, ...]:
    """Show again what the press that is undone had closed or taken back."""
    match hand.phase:
        case Verifying() as verifying:
            announced = (HuAnnounced(seat) for seat in verifying.seats)
            return (*announced, ranked(rules, hand, verifying))
        case Turn(seat=seat, clock=clock, pool=pool):
            window = rules.call_window if pool.open else None
            opened = () if window is None else (WindowOpened(pool.seat, window.span),)
            return (*opened, started(seat, clock))
        case Arranging(clock=clock) if clock is not None:
            return (started(hand.dealer, clock),)
        case Unsynced(cause=cause, resumed=False):
            return (StepLost(cause),)
        case _:
            return ()


def _declared_again(rules: TimeRules, hand: Hand, calls: tuple[HuCall, ...]) -> Step:
    step = Step(hand)
    for call in calls:
        if isinstance(step.state.phase, Verifying) and call.seat in step.state.phase.seats:
            continue
        again = declared(rules, step.state, Gesture(call.seat, call.when))
        step = Step(again.state, step.effects + again.effects)
    return step
