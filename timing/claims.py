"""A claim: whose discard it calls, whether it is in time, and who is on turn after it."""

from dataclasses import replace
from typing import assert_never

from table.events import Call
from table.moment import ZERO, Interval, elapsed
from timing.discards import imply_discard
from timing.effects import Claimed
from timing.intervals import later, since
from timing.judgement import CALLS_OF_THREE, Gesture, call_taken, charge, judge_call
from timing.phases import (
    Arranging,
    Claim,
    Clock,
    Discard,
    Hand,
    Idle,
    Over,
    Paused,
    Phase,
    Turn,
    Unsynced,
    Verifying,
)
from timing.replacements import replace_opening_tile, replace_tile
from timing.rules import TimeRules
from timing.standing import close_window
from timing.steps import Step, ignored
from timing.turn_clock import claimed_clock, quiet, started

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
        case Idle() | Over() | Paused() | Verifying() | Unsynced() as phase:
            return ignored(hand, _WHY_NOT[type(phase)])
        case Arranging() as arranging:
            return _while_arranging(rules, hand, arranging, said)
        case Turn(seat=seat) as turn if said.seat is seat:
            return _on_turn(rules, hand, turn, said)
        case Turn() as turn:
            return _off_turn(rules, hand, turn, said)
    assert_never(hand.phase)


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
    mine = [claim for claim in turn.pool.claims if claim.seat is said.seat]
    if mine and not since(mine[-1].when, said.when).over(rules.repeat_press):
        return ignored(hand, "the seat has claimed this discard already")
    if said.call in CHOW_OR_PUNG:
        if mine or turn.drawn:
            return ignored(hand, "the seat has its tile for this turn already")
        return _call(rules, hand, turn, said)
    may_chow = hand.inputs.draws and said.call is None
    no_call = said.call is Call.FLOWER or not (may_chow or _in_window(rules, turn.pool, said))
    if mine or turn.drawn or no_call:
        return replace_tile(rules, hand, turn, said)
    return _call(rules, hand, turn, said)


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
    if _shows_discard(rules, turn, said):
        return _imply(rules, hand, turn, said)
    return _call(rules, hand, turn, said)


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


def _shows_discard(rules: TimeRules, turn: Turn, said: Gesture) -> bool:
    """Say whether a claim off turn can be of a discard that the seat on turn did not press.

    Nobody claims the own discard or chows from any but the upper seat. A call after the window may
    be late, or of the next discard; it is taken as the next discard's where a call in time was
    made already, where it is later than anybody calls, and where its kind is unknown and the seat
    on turn has drawn.
    """
    pool, window = turn.pool, rules.call_window
    if said.seat is pool.seat or (said.call is Call.CHOW and said.seat is not pool.seat.lower):
        return True
    taken = call_taken(rules, pool, said.when)
    if window is None or not pool.judged or not taken.over(window.span):
        return False
    called = any(claim.stands for claim in pool.claims)
    no_late_call = taken.over(window.span + rules.late_call_span)
    return called or no_late_call or (turn.drawn and said.call is None)


def _imply(rules: TimeRules, hand: Hand, phase: Arranging | Turn, said: Gesture) -> Step:
    return imply_discard(rules, hand, phase, said).then(lambda h: claim(rules, h, said))


def _call(rules: TimeRules, hand: Hand, turn: Turn, said: Gesture) -> Step:
    """Take a call of the newest discard."""
    verdict = judge_call(rules, turn.pool, said)
    known = said.call in CALLS_OF_THREE
    stands = rules.late_call_stands or not verdict.overruns
    suspicion = verdict.overruns[0] if verdict.overruns and not known else None
    taken = call_taken(rules, turn.pool, said.when)
    call = Claim(said.seat, said.call, said.when, taken, stands, suspicion)
    pool = replace(turn.pool, claims=(*turn.pool.claims, call))
    called = Step(
        replace(hand, phase=replace(turn, pool=pool)),
        (Claimed(said.seat, said.call, taken), *verdict.effects),
    ).then(lambda h: charge(h, verdict.overruns if known else ()))
    if stands and _prevails(turn, call):
        return called.then(lambda h: _give_turn(rules, h, replace(turn, pool=pool), said))
    if not stands and said.seat is not turn.seat:
        return called.then(lambda h: _held_up(h, replace(turn, pool=pool), said.when))
    return called


def _prevails(turn: Turn, call: Claim) -> bool:
    """Say whether a call has the tile: pung and kong before chow, then the earlier.

    Simultaneous calls of one rank are left to who discards next; until then the first to arrive
    has the turn.
    """
    holder = next((claim for claim in turn.pool.claims if claim.seat is turn.seat), None)
    if holder is None or not holder.stands:
        return True
    mine, other = (_of_three(turn.pool, each) for each in (call, holder))
    if mine is not other:
        return mine
    return elapsed(call.when, holder.when).least > ZERO


def _of_three(pool: Discard, call: Claim) -> bool:
    """Say whether a call ranks as pung or kong; the next seat's may be a chow where unknown."""
    return call.call in CALLS_OF_THREE or (call.call is None and call.seat is not pool.seat.lower)


def _give_turn(rules: TimeRules, hand: Hand, turn: Turn, said: Gesture) -> Step:
    """Give the turn to a claimer; the window stays open for a pung where it may be a chow."""
    pool = turn.pool
    final = _of_three(pool, pool.claims[-1])
    clock = claimed_clock(rules, hand, pool, said.when, replayed=said.replayed)
    effects = (
        *quiet(turn.seat, turn.clock),
        *(close_window(turn) if final else ()),
        started(said.seat, clock),
    )
    open_still = pool.open and not final
    claimed = Turn(said.seat, clock, replace(pool, open=open_still), held=turn.held)
    return Step(replace(hand, phase=claimed), effects)


def _held_up(hand: Hand, turn: Turn, when: Interval) -> Step:
    """Give the seat on turn a fresh limit from the refused call that held it up."""
    clock = turn.clock
    basis = later(clock.basis, when)
    if clock.start is None:
        waiting = replace(turn, clock=replace(clock, basis=basis))
        return Step(replace(hand, phase=waiting))
    start = later(clock.start, when)
    fresh = Clock(clock.limit, basis, start, presumed=True, judged=clock.judged, extra=clock.extra)
    effects = (*quiet(turn.seat, clock), started(turn.seat, fresh))
    return Step(replace(hand, phase=replace(turn, clock=fresh)), effects)
