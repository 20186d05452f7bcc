"""A claim: whose discard it calls, whether it is in time, and who is on turn after it."""

from dataclasses import replace
from typing import assert_never

from table.events import Call
from table.seat import Seat
from timing.calls import call_discard
from timing.discards import imply_discard
from timing.effects import Barred
from timing.hu import verified
from timing.intervals import since
from timing.judgement import CALLS_OF_THREE, Gesture, call_taken, too_late_to_call
from timing.out_of_turn import had_drawn, perhaps_in_turn
from timing.phases import Arranging, Hand, Idle, Over, Paused, Phase, Turn, Unsynced, Verifying
from timing.precedence import certainly_before, holder
from timing.replacements import replace_opening_tile, replace_tile
from timing.rules import TimeRules
from timing.standing import stand
from timing.steps import Step, ignored
from timing.turn_parts import Discard

CHOW_OR_PUNG = frozenset({Call.CHOW, Call.PUNG})
"""Calls that need another seat's discard."""
_WHY_NOT: dict[type[Phase], str] = {
    Idle: "no hand is running",
    Over: "no hand is running",
    Paused: "play is paused",
    Verifying: "a hu is being verified",
    Unsynced: "nobody knows whose discard this claims",
}


def claim(rules: TimeRules, hand: Hand, said: Gesture) -> Step:
    """Take a claim: of the newest discard, or of a replacement tile by the seat on turn."""
    match hand.phase:
        case Verifying(before=Turn() as turn) as verifying if _came_first(verifying, said):
            return _before_hu(rules, replace(hand, phase=turn), verifying, said)
        case Idle() | Over() | Paused() | Verifying() | Unsynced() as phase:
            return ignored(hand, _WHY_NOT[type(phase)])
        case Arranging() | Turn():
            allowed = _allowed(hand, said)
            return _barred(hand, said.seat) if allowed is None else _claim(rules, hand, allowed)
    assert_never(hand.phase)


def _claim(rules: TimeRules, hand: Hand, said: Gesture) -> Step:
    match hand.phase:
        case Arranging() as arranging:
            return _while_arranging(rules, hand, arranging, said)
        case Turn(seat=seat) as turn if said.seat is seat:
            return _on_turn(rules, hand, turn, said)
        case Turn() as turn:
            return _off_turn(rules, hand, turn, said)
        case _:
            return Step(hand)


def _came_first(verifying: Verifying, said: Gesture) -> bool:
    """Say whether a claim may have come before every hu, and was only reported after it."""
    return not any(certainly_before(hu.when, said.when) for hu in verifying.declared)


def _before_hu(rules: TimeRules, hand: Hand, verifying: Verifying, said: Gesture) -> Step:
    """Take a claim as if it had been read before the hu; the clocks go on standing."""
    heard = claim(rules, hand, said)
    closed = heard.also(*stand(heard.state).effects)
    phase = heard.state.phase
    before = verified(phase) if isinstance(phase, Turn) else verifying.before
    return Step(replace(closed.state, phase=replace(verifying, before=before)), closed.effects)


def _allowed(hand: Hand, said: Gesture) -> Gesture | None:
    """Return a claim as far as no ruling forbids it: of calls and kongs nothing is left.

    What a seat that may not call replaces on its own turn can only be a flower.
    """
    if not hand.restrictions[said.seat].no_calls or said.call is Call.FLOWER:
        return said
    own = said.seat is hand.on_turn or isinstance(hand.phase, Arranging)
    return replace(said, call=Call.FLOWER) if own and said.call is None else None


def _barred(hand: Hand, seat: Seat) -> Step:
    return Step(hand, (Barred(seat, "call"),))


def _while_arranging(rules: TimeRules, hand: Hand, phase: Arranging, said: Gesture) -> Step:
    """Take an opening flower or kong, or a call that shows the dealer's discard."""
    if said.seat is hand.dealer:
        if said.call in CHOW_OR_PUNG:
            return ignored(hand, "there is no discard to claim")
        return replace_opening_tile(rules, hand, phase, said)
    if said.call in CALLS_OF_THREE or (said.call is Call.CHOW and said.seat is hand.dealer.lower):
        return _imply(rules, hand, phase, said)
    if said.call is Call.CHOW:
        return ignored(hand, "only the next seat can chow")
    return replace_opening_tile(rules, hand, phase, said)


def _on_turn(rules: TimeRules, hand: Hand, turn: Turn, said: Gesture) -> Step:
    """Take the claim of the seat on turn: its call of the newest discard, or a replacement.

    As long as the window runs and no draw was sensed the seat may be calling the discard of its
    upper seat. After the window it still may be a chow where a sensor saw no draw; in every other
    case it is a replacement, which opens a fresh limit.
    """
    turn = perhaps_in_turn(turn, said)
    hand = replace(hand, phase=turn)
    mine = [claim for claim in turn.pool.claims if claim.seat is said.seat]
    if mine and not since(mine[-1].when, said.when).over(rules.repeat_press):
        return ignored(hand, "the seat has claimed this discard already")
    if said.call in CHOW_OR_PUNG:
        if mine or turn.drawn:
            return ignored(hand, "the seat has its tile for this turn already")
        return call_discard(rules, hand, turn, said)
    may_chow = hand.inputs.draws and said.call is None
    no_call = said.call is Call.FLOWER or not (may_chow or _in_window(rules, turn.pool, said))
    if mine or turn.drawn or no_call:
        return replace_tile(rules, hand, turn, said)
    return call_discard(rules, hand, turn, said)


def _in_window(rules: TimeRules, pool: Discard, said: Gesture) -> bool:
    window = rules.call_window
    return (
        window is not None
        and pool.judged
        and not call_taken(rules, pool, said.when).over(window.span)
    )


def _off_turn(rules: TimeRules, hand: Hand, turn: Turn, said: Gesture) -> Step:
    if (reason := _misfit(rules, turn, said)) is not None:
        return ignored(hand, reason)
    if _has_own_tile(rules, turn, said):
        return ignored(hand, "the seat had its own tile when another called the discard")
    if _shows_discard(rules, turn, said):
        return _imply(rules, hand, turn, said)
    return call_discard(rules, hand, turn, said)


def _misfit(rules: TimeRules, turn: Turn, said: Gesture) -> str | None:
    """Return why a claim off turn cannot be meant, or None."""
    pool = turn.pool
    if said.call is Call.FLOWER:
        return "a flower is replaced on the own turn"
    if said.seat in {claim.seat for claim in pool.claims}:
        return "the seat has claimed this discard already"
    if said.call is Call.CHOW and said.seat not in {pool.seat.lower, turn.seat.lower}:
        return "only the next seat can chow"
    own = said.seat is pool.seat
    if own and not since(pool.said or pool.when, said.when).over(rules.repeat_press):
        return "nobody claims the own discard"
    return None


def _has_own_tile(rules: TimeRules, turn: Turn, said: Gesture) -> bool:
    """Say whether the next seat had drawn, or took a kong of its own as another seat called."""
    has, pool = holder(turn.pool), turn.pool
    own_kong = said.call is Call.KONG and not _in_window(rules, pool, said)
    at_once = has is not None and not certainly_before(has.when, said.when)
    drawn = pool.taken is not None
    return said.seat is pool.seat.lower and (drawn or (own_kong and at_once))


def _shows_discard(rules: TimeRules, turn: Turn, said: Gesture) -> bool:
    """Say whether a claim off turn can be of a discard that the seat on turn did not press.

    Nobody claims the own discard or chows from any but the upper seat. A call after the window may
    be late, or of the next discard; it is taken as the next discard's where a call that stands was
    made before it, where it may be later than anybody calls, and where its kind is unknown and the
    seat on turn had drawn before it.
    """
    pool, window = turn.pool, rules.call_window
    if said.seat is pool.seat or (said.call is Call.CHOW and said.seat is not pool.seat.lower):
        return True
    taken = call_taken(rules, pool, said.when)
    if window is None or not pool.judged or not taken.over(window.span):
        return False
    called = any(each.stands and certainly_before(each.when, said.when) for each in pool.claims)
    drawn = said.call is None and had_drawn(turn, said)
    return called or too_late_to_call(rules, taken) or drawn


def _imply(rules: TimeRules, hand: Hand, phase: Arranging | Turn, said: Gesture) -> Step:
    return imply_discard(rules, hand, phase, said).then(lambda h: claim(rules, h, said))
