"""Hands of a session: how one begins, when its deal is done, how it ends."""

from dataclasses import dataclass, replace

from table.moment import NOTHING, Interval
from table.seat import BySeat, Seat
from timing.effects import HandEnded, HandStarted, Result
from timing.hu_ranking import winners
from timing.intervals import implied
from timing.judgement import Verdict, charge
from timing.order_effects import PlayResumed
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
from timing.rules import DealEnd, TimeRules
from timing.standing import stand
from timing.steps import Step, ignored
from timing.totals import judge_totals, on_clock
from timing.turn_clock import from_now, opening_seen, started


@dataclass(frozen=True, slots=True)
class Ending:
    """How and when a hand ends."""

    result: Result
    when: Interval
    winners: tuple[Seat, ...] = ()
    """In the order in which they are paid; empty where nobody has won or nobody knows who."""
    reason: str = ""
    replayed: bool = False
    """Seen by a replayed event, which charges nobody."""
    unsaid: bool = False
    """No seat said so: it may have ended before the last turn began.

    A drawn hand ends with its last discard, after which nobody is on turn; it is told later.
    """


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
        pressed=BySeat.all(None),
        missed=BySeat.all(0),
        replacements=BySeat.all(Replacements()),
        fouls=0,
        used=BySeat.all(NOTHING),
        total_over=frozenset(),
        opening_ends=None,
        dealt=None,
    )
    return Step(dealt, (HandStarted(dealt.hand, number, dealer),))


def end(rules: TimeRules, hand: Hand, ending: Ending) -> Step:
    """End the hand: everything that runs or shows is closed, and the totals are judged."""
    verdict = _totals(rules, hand, ending)
    closed = stand(hand).also(*verdict.effects)
    return closed.then(lambda h: charge(h, verdict.overruns)).then(lambda h: _over(h, ending))


def _totals(rules: TimeRules, hand: Hand, ending: Ending) -> Verdict:
    """Judge the totals, but of a hand that does not count or an end that was only replayed."""
    if rules.hand_total is None or ending.result is Result.VOID or ending.replayed:
        return Verdict()
    until = _last_turn_until(hand, ending.when) if ending.unsaid else ending.when
    return judge_totals(rules.hand_total, hand, until, ending.when)


def _over(hand: Hand, ending: Ending) -> Step:
    winners = ending.winners
    winner = winners[0] if winners else None
    over = replace(hand, phase=Over(ending.result, winner, winners))
    told = HandEnded(hand.hand, ending.result, winner, winners, ending.reason)
    return Step(over, (told,))


def deal_signalled(rules: TimeRules, hand: Hand, when: Interval, *, replayed: bool) -> Step:
    """Take the table's own signal that the deal is done, where the venue trusts it."""
    if rules.deal_end is DealEnd.REFEREE:
        return ignored(hand, "at this table a referee says that the deal is done")
    return deal_ended(rules, hand, when, replayed=replayed)


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
            step = _next_hand(rules, hand, when, replayed=replayed)
    if isinstance(step.state.phase, Idle | Over):
        return step
    return step.then(lambda h: deal_ended(rules, h, when, replayed=replayed))


def wall_raised(rules: TimeRules, hand: Hand, when: Interval, *, replayed: bool) -> Step:
    """Begin the next hand where none is running, or where only a hu was left to confirm."""
    match hand.phase:
        case Idle() | Over() | Verifying():
            return _next_hand(rules, hand, when, replayed=replayed)
        case Unsynced(declared=declared) if declared:
            return _next_hand(rules, hand, when, replayed=replayed)
        case _:
            return ignored(hand, "a wall raised during a hand does not end it")


def _next_hand(rules: TimeRules, hand: Hand, when: Interval, *, replayed: bool) -> Step:
    """Begin the next hand, which shows that a running one is over."""
    match hand.phase:
        case Idle() | Over():
            return _begin_if_armed(hand, when)
        case Verifying(seats=declared) | Unsynced(declared=declared) if declared:
            ending = Ending(Result.HU, when, winners(rules, hand), replayed=replayed)
        case _:
            ending = Ending(Result.UNANNOUNCED, when, replayed=replayed, unsaid=True)
    return end(rules, hand, ending).then(lambda h: _begin_if_armed(h, when))


def _begin_if_armed(hand: Hand, when: Interval) -> Step:
    """Begin the next hand that the table shows; at a disarmed one nothing is timed."""
    return ignored(hand, f"no hand begins: {hand.disarmed}") if hand.disarmed else begin(hand, when)


def _last_turn_until(hand: Hand, shown_by: Interval) -> Interval:
    """Return when the last turn can have ended of a hand whose end no seat said."""
    timed = on_clock(hand)
    start = None if timed is None else timed[1].start
    return shown_by if start is None else implied(start, shown_by)


def _time(
    rules: TimeRules, hand: Hand, phase: Arranging, when: Interval, *, replayed: bool
) -> Step:
    dealt = opening_seen(rules, replace(hand, dealt=when), when)
    clock = from_now(dealt, rules.first_discard, when, judged=not replayed)
    timed = replace(dealt, phase=replace(phase, clock=clock))
    return Step(timed, (started(hand.dealer, clock),))
