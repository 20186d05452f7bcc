"""A hu: declared, verified, taken back."""

from dataclasses import replace
from typing import assert_never

from table.moment import Interval
from table.seat import Seat
from timing.effects import HuAnnounced, HuTakenBack
from timing.judgement import Gesture
from timing.phases import Arranging, Hand, HuCall, Idle, Over, Paused, Turn, Unsynced, Verifying
from timing.rules import TimeRules
from timing.standing import set_going, stand, stilled
from timing.steps import Step, ignored
from timing.totals import spend


def declare(rules: TimeRules, hand: Hand, said: Gesture) -> Step:
    """Take a declared hu: all clocks stand; the press it began with was no discard.

    The same seat declaring again takes its hu back.
    """
    return _undo_press(hand, said.seat).then(lambda h: _declared(rules, h, said))


def withdraw(rules: TimeRules, hand: Hand, verifying: Verifying, when: Interval) -> Step:
    """Take back every declared hu; whoever is on turn has a fresh limit."""
    back = tuple(HuTakenBack(seat) for seat in verifying.seats)
    played = replace(hand, phase=verifying.before)
    return Step(played, back).then(lambda h: set_going(rules, h, when))


def _undo_press(hand: Hand, seat: Seat) -> Step:
    """Go back to before the seat's unsettled discard press."""
    for press in hand.phase.held if isinstance(hand.phase, Turn) else ():
        if press.seat is seat:
            before = replace(hand, phase=press.before, missed=press.missed, used=press.used)
            return Step(before, (*stand(hand).effects, *_announced(before)))
    return Step(hand)


def _announced(hand: Hand) -> tuple[HuAnnounced, ...]:
    """Announce again what the press that is undone had taken back."""
    if isinstance(hand.phase, Verifying):
        return tuple(HuAnnounced(seat) for seat in hand.phase.seats)
    return ()


def _declared(rules: TimeRules, hand: Hand, said: Gesture) -> Step:
    match hand.phase:
        case Idle() | Over():
            return ignored(hand, "no hand is running")
        case Paused():
            return ignored(hand, "play is paused; the referee resumes it first")
        case Verifying() as verifying:
            return _declared_too(rules, hand, verifying, said)
        case Arranging() | Turn() | Unsynced() as before:
            verified = Verifying((HuCall(said.seat, said.when),), stilled(before))
            effects = (*stand(hand).effects, HuAnnounced(said.seat))
            used = hand if said.replayed else spend(hand, said.when)
            return Step(replace(used, phase=verified), effects)
    assert_never(hand.phase)


def _declared_too(rules: TimeRules, hand: Hand, verifying: Verifying, said: Gesture) -> Step:
    """Take a hu declared while another is verified, or the same seat's second thoughts."""
    if verifying.seats == (said.seat,):
        return withdraw(rules, hand, verifying, said.when)
    if said.seat in verifying.seats:
        others = tuple(call for call in verifying.declared if call.seat is not said.seat)
        left = replace(verifying, declared=others)
        return Step(replace(hand, phase=left), (HuTakenBack(said.seat),))
    both = replace(verifying, declared=(*verifying.declared, HuCall(said.seat, said.when)))
    return Step(replace(hand, phase=both), (HuAnnounced(said.seat),))
