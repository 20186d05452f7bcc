"""What a discard tells about calls: late, or come to nothing as the next seat played on."""

from table.fouls import FoulKind
from table.moment import ZERO
from timing.effects import CallWithdrawn
from timing.intervals import since
from timing.judgement import Gesture, Verdict
from timing.phases import Turn
from timing.precedence import holder
from timing.rules import Limit, TimeRules
from timing.turn_parts import Claim, Overrun


def late_calls(rules: TimeRules, turn: Turn, said: Gesture) -> tuple[Overrun, ...]:
    """Return the calls of unknown kind that a discard shows to have been late.

    Play must go on as after a late call. Where the book refuses it the seat that is next discards;
    its caller would discard after a call in time, of a discard that nobody pressed.
    """
    suspected = (call for call in turn.pool.claims if not said.replayed)
    return tuple(
        call.suspicion
        for call in suspected
        if call.suspicion is not None and _goes_on(rules, turn, call, said)
    )


def withdrawn(rules: TimeRules, turn: Turn, said: Gesture) -> Verdict:
    """Return what a discard tells about a call that had the turn.

    Its measured time is none: the limit carries the article alone.
    """
    call = holder(turn.pool)
    if call is None or not _plays_on(turn, said):
        return Verdict()
    told = (CallWithdrawn(call.seat, call.call),)
    if said.replayed or not _is_empty(rules, turn, call, said):
        return Verdict(told)
    article = Limit(ZERO, rules.sensed.empty_call)
    empty = Overrun(FoulKind.EMPTY_CALL, call.seat, None, article, call.when, said.when)
    return Verdict(told, (empty,))


def _plays_on(turn: Turn, said: Gesture) -> bool:
    """Say whether the seat that is next in order of play discards, and has called nothing."""
    claimers = {claim.seat for claim in turn.pool.claims}
    return said.seat is turn.pool.seat.lower and said.seat not in claimers


def _goes_on(rules: TimeRules, turn: Turn, call: Claim, said: Gesture) -> bool:
    """Say whether a discard is the one that follows a late call in this book."""
    if rules.late_call_stands:
        return said.seat is call.seat
    return _plays_on(turn, said) and _in_order(rules, call, said)


def _in_order(rules: TimeRules, call: Claim, said: Gesture) -> bool:
    """Say whether a discard after a call is the next one after it.

    Soon after the call it may be pressed late and be the one that was called; later than a turn
    takes it may follow turns that nobody pressed (docs/adr/0017).
    """
    taken, window = since(call.when, said.when), rules.call_window
    longest = rules.turn.span + (window.span if window else ZERO)
    return taken.over(rules.repeat_press) and taken.most <= longest


def _is_empty(rules: TimeRules, turn: Turn, call: Claim, said: Gesture) -> bool:
    """Say whether a call can have been nothing but empty."""
    sensed, window = rules.sensed, rules.call_window
    known = sensed.empty_call and rules.press_is_the_call and call.call in sensed.empty_calls
    seen = turn.pool.said is not None and turn.pool.judged and not call.replayed
    in_time = window is None or not call.taken.over(window.span)
    return bool(known) and seen and in_time and _in_order(rules, call, said)
