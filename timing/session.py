"""Hands of a session: how one begins, when its deal is done, how it ends."""

from dataclasses import replace

from table.moment import Interval
from table.seat import BySeat, Seat
from timing.effects import HandEnded, HandStarted, PlayResumed, Result
from timing.phases import (
    Arranging,
    Hand,
    Idle,
    Over,
    Paused,
    Replacements,
    Unsynced,
    Verifying,
)
from timing.rules import TimeRules
from timing.standing import stand
from timing.steps import Step, ignored
from timing.turn_clock import from_now, started


def begin(hand: Hand, when: Interval) -> Step:
    """Begin the next hand; the dealer's clock waits for the end of the deal.

    The deal passes on after every hand but a void one, which is dealt again under its number
    (mcr-2014 art. 5, 竞赛方法: no dealer repeats).
    """
    match hand.phase:
        case Idle():
            number, dealer = 1, Seat.ONE
        case Over(result=Result.VOID):
            number, dealer = hand.number, hand.dealer
        case _:
            number, dealer = hand.number + 1, hand.dealer.lower
    dealt = replace(
        hand,
        phase=Arranging(when),
        deals=hand.deals + 1,
        number=number,
        dealer=dealer,
        missed=BySeat.all(0),
        replacements=BySeat.all(Replacements()),
        fouls=0,
    )
    return Step(dealt, (HandStarted(dealt.hand, number, dealer),))


def end(hand: Hand, result: Result, winner: Seat | None = None) -> Step:
    """End the hand: everything that runs or shows is closed."""
    return stand(hand).then(
        lambda h: Step(replace(h, phase=Over(result, winner)), (HandEnded(h.hand, result, winner),))
    )


def win(hand: Hand, declared: tuple[Seat, ...]) -> Step:
    """End the hand by hu; of several who declared the referee alone knows the winner."""
    return end(hand, Result.HU, declared[0] if len(declared) == 1 else None)


def deal_ended(rules: TimeRules, hand: Hand, when: Interval, *, replayed: bool) -> Step:
    """Start the dealer's first limit, in the next hand where this one must be over."""
    match hand.phase:
        case Arranging(clock=None) as arranging:
            return _time(rules, hand, arranging, when, replayed=replayed)
        case Arranging():
            return ignored(hand, "the deal has ended already")
        case Paused():
            return ignored(hand, "play is paused")
        case Unsynced(begun=False, declared=()):
            step = Step(replace(hand, phase=Arranging(when)), (PlayResumed(),))
        case _:
            step = _next_hand(hand, when)
    return step.then(lambda h: deal_ended(rules, h, when, replayed=replayed))


def wall_raised(hand: Hand, when: Interval) -> Step:
    """Begin the next hand where none is running, or where only a hu was left to confirm."""
    match hand.phase:
        case Idle() | Over() | Verifying():
            return _next_hand(hand, when)
        case Unsynced(declared=declared) if declared:
            return _next_hand(hand, when)
        case _:
            return ignored(hand, "a wall raised during a hand does not end it")


def _next_hand(hand: Hand, when: Interval) -> Step:
    """Begin the next hand, which shows that a running one is over."""
    match hand.phase:
        case Idle() | Over():
            return begin(hand, when)
        case Verifying(seats=declared) | Unsynced(declared=declared) if declared:
            return win(hand, declared).then(lambda h: begin(h, when))
        case _:
            return end(hand, Result.UNANNOUNCED).then(lambda h: begin(h, when))


def _time(
    rules: TimeRules, hand: Hand, phase: Arranging, when: Interval, *, replayed: bool
) -> Step:
    clock = from_now(rules.first_discard, when, judged=not replayed)
    timed = replace(hand, phase=replace(phase, clock=clock))
    return Step(timed, (started(hand.dealer, clock),))
