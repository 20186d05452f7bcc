"""A hu: declared beside others or alone, verified, taken back."""

from dataclasses import replace
from typing import assert_never

from table.moment import Interval
from timing.effects import HuAnnounced, HuTakenBack
from timing.hu_ranking import ranked
from timing.judgement import Gesture
from timing.phases import Arranging, Hand, Idle, Over, Paused, Playing, Turn, Unsynced, Verifying
from timing.rules import TimeRules
from timing.standing import set_going, stand, stilled
from timing.steps import Step, ignored
from timing.turn_parts import HuCall


def declared(rules: TimeRules, hand: Hand, said: Gesture) -> Step:
    """Take a declared hu: all clocks stand. The same seat declaring again takes its hu back."""
    match hand.phase:
        case Idle() | Over():
            return ignored(hand, "no hand is running")
        case Paused():
            return ignored(hand, "play is paused; the referee resumes it first")
        case Verifying() as verifying:
            return _declared_too(rules, hand, verifying, said)
        case Arranging() | Turn() | Unsynced() as before:
            used_to = None if said.replayed else said.when
            verifying = Verifying((HuCall(said.seat, said.when),), verified(before, used_to))
            closed = Step(hand, stand(hand).effects)
            return closed.then(lambda h: _told(rules, h, verifying, HuAnnounced(said.seat)))
    assert_never(hand.phase)


def withdraw(rules: TimeRules, hand: Hand, verifying: Verifying, when: Interval) -> Step:
    """Take back every declared hu; whoever is on turn has a fresh limit."""
    back = tuple(HuTakenBack(seat) for seat in verifying.seats)
    played = replace(hand, phase=verifying.before)
    return Step(played, back).then(lambda h: set_going(rules, h, when))


def verified(before: Playing, used_to: Interval | None = None) -> Playing:
    """Return play as it stands while a hu is verified: presses may still be settled."""
    if isinstance(before, Turn):
        return replace(stilled(before, used_to), held=before.held)
    return stilled(before, used_to)


def _declared_too(rules: TimeRules, hand: Hand, verifying: Verifying, said: Gesture) -> Step:
    """Take a hu declared while another is verified, or the same seat's second thoughts."""
    if verifying.seats == (said.seat,):
        return withdraw(rules, hand, verifying, said.when)
    if said.seat in verifying.seats:
        others = tuple(call for call in verifying.declared if call.seat is not said.seat)
        left = replace(verifying, declared=others)
        return _told(rules, hand, left, HuTakenBack(said.seat))
    all_calls = (*verifying.declared, HuCall(said.seat, said.when))
    return _told(rules, hand, replace(verifying, declared=all_calls), HuAnnounced(said.seat))


def _told(
    rules: TimeRules, hand: Hand, verifying: Verifying, told: HuAnnounced | HuTakenBack
) -> Step:
    """Say what changed, and who would win now."""
    return Step(replace(hand, phase=verifying), (told, ranked(rules, hand, verifying)))
