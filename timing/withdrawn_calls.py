"""A call that came to nothing: the seat that is next in order of play played on."""

from table.fouls import FoulKind
from table.moment import ZERO
from timing.effects import CallWithdrawn
from timing.intervals import since
from timing.judgement import Gesture, Verdict
from timing.phases import Turn
from timing.precedence import holder
from timing.rules import Limit, TimeRules
from timing.turn_parts import Claim, Overrun


def withdrawn(rules: TimeRules, turn: Turn, said: Gesture) -> Verdict:
    """Return what a discard tells about a call that had the turn.

    Its measured time is none: the limit carries the article alone.
    """
    call = holder(turn.pool)
    claimers = {claim.seat for claim in turn.pool.claims}
    if call is None or said.seat is not turn.pool.seat.lower or said.seat in claimers:
        return Verdict()
    told = (CallWithdrawn(call.seat, call.call),)
    if said.replayed or not _is_empty(rules, turn, call, said):
        return Verdict(told)
    article = Limit(ZERO, rules.sensed.empty_call)
    empty = Overrun(FoulKind.EMPTY_CALL, call.seat, None, article, call.when, said.when)
    return Verdict(told, (empty,))


def _is_empty(rules: TimeRules, turn: Turn, call: Claim, said: Gesture) -> bool:
    """Say whether a call can have been nothing but empty.

    A discard soon after the call may be pressed late and be the one that was called; one that is
    later than a turn takes may follow turns that nobody pressed (docs/adr/0017).
    """
    sensed, taken = rules.sensed, since(call.when, said.when)
    window = rules.call_window.span if rules.call_window else None
    known = sensed.empty_call and rules.press_is_the_call and call.call in sensed.empty_calls
    seen = turn.pool.said is not None and turn.pool.judged and not call.replayed
    in_time = window is None or not call.taken.over(window)
    in_order = taken.over(rules.repeat_press) and taken.most <= (window or ZERO) + rules.turn.span
    return bool(known) and seen and in_time and in_order
