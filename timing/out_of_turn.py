"""Tiles taken before the turn or after the discard, where draws are sensed."""

from dataclasses import replace

from table.events import Call
from table.fouls import FoulKind
from table.moment import ZERO, elapsed
from table.seat import Seat
from timing.judgement import Gesture
from timing.phases import Arranging, Hand, Timed, Turn
from timing.precedence import certainly_before, holder
from timing.rules import Limit, TimeRules
from timing.turn_parts import Discard, EarlyDraw, Overrun


def early_draw(rules: TimeRules, hand: Hand, phase: Timed, said: Gesture) -> EarlyDraw | None:
    """Return the draw that is early if the discard comes after it, the first of several.

    It must be for certain that the seat before was on turn. A seat that may be putting a tile
    back draws nothing; where play went on past the seats in between nobody knows whose turn it is.
    """
    early = phase.early
    on_turn = phase.seat if isinstance(phase, Turn) else hand.dealer
    if said.seat is not on_turn.lower:
        past = early is not None and certainly_before(early.when, said.when)
        return replace(early, judged=False) if early is not None and past else early
    if early is not None:
        return early
    judged = bool(rules.sensed.early_draw) and not said.replayed and _waits(rules, phase, said)
    return EarlyDraw(said.seat, said.when, judged, said.replayed)


def judge_early_draw(
    rules: TimeRules, early: EarlyDraw | None, said: Gesture
) -> tuple[Overrun, ...]:
    """Charge a draw that came before the pressed discard of the seat before."""
    if early is None or not early.judged or said.replayed:
        return ()
    ahead = elapsed(early.when, said.when)
    if not ahead.over(ZERO):
        return ()
    article = Limit(ZERO, rules.sensed.early_draw)
    return (Overrun(FoulKind.EARLY_DRAW, early.seat, ahead, article, early.when, said.when),)


def perhaps_in_turn(turn: Turn, said: Gesture) -> Turn:
    """Judge no early draw once the seat on turn has claimed anything but a flower.

    It may claim a later discard, and have discarded before the draw without a press.
    """
    if turn.early is None or said.call is Call.FLOWER:
        return turn
    return replace(turn, early=replace(turn.early, judged=False))


def is_undrawn(rules: TimeRules, hand: Hand, said: Gesture) -> bool:
    """Say whether a discard came from a seat that had to draw first and was not seen to."""
    match hand.phase:
        case Turn(seat=seat, pool=pool, drawn=False) if seat is said.seat:
            claimed = any(claim.seat is seat for claim in pool.claims)
            sensed = bool(rules.sensed.discard_before_draw) and hand.inputs.draws
            certain = pool.judged and not said.replayed and seat not in pool.returning
            return sensed and certain and not claimed
        case _:
            return False


def judge_late_draw(rules: TimeRules, turn: Turn, said: Gesture) -> tuple[Overrun, ...]:
    """Charge a discard whose seat drew after it, before anything else of the next turn."""
    pool = turn.pool
    if not pool.undrawn or pool.said is None or not pool.judged or said.replayed:
        return ()
    late = elapsed(pool.said, said.when)
    if not late.over(ZERO) or _went_on(turn, said):
        return ()
    article = Limit(ZERO, rules.sensed.discard_before_draw)
    kind = FoulKind.DISCARD_BEFORE_DRAW
    return (Overrun(kind, pool.seat, late, article, pool.said, said.when),)


def noted(pool: Discard, said: Gesture) -> Discard:
    """Note when the next seat in order of play drew first."""
    natural = said.seat is pool.seat.lower and pool.taken is None
    return replace(pool, taken=said.when) if natural else pool


def out_of_turn(pool: Discard, said: Gesture) -> Discard:
    """Note that a seat has taken a tile that it may have to put back."""
    undrawn = pool.undrawn and said.seat is not pool.seat
    returning = pool.returning | {said.seat}
    return replace(noted(pool, said), undrawn=undrawn, returning=returning)


def had_drawn(turn: Turn, said: Gesture) -> bool:
    """Say whether the seat on turn had its tile for certain before something else."""
    pool = turn.pool
    sensed = pool.taken if turn.seat is pool.seat.lower else None
    return turn.drawn and (sensed is None or certainly_before(sensed, said.when))


def still_out(hand: Hand, *laid: Seat) -> frozenset[Seat]:
    """Return who may still have a tile to put back after these seats have discarded."""
    match hand.phase:
        case Turn(pool=pool):
            return pool.returning - {*laid}
        case Arranging(early=early) if early is not None:
            return frozenset({early.seat}) - {*laid}
        case _:
            return frozenset()


def left_out(hand: Hand, seat: Seat) -> frozenset[Seat]:
    """Return who had drawn on its turn, which another seat's discard has passed over."""
    match hand.phase:
        case Turn(seat=on_turn, drawn=True) if on_turn is not seat:
            return frozenset({on_turn})
        case _:
            return frozenset()


def _waits(rules: TimeRules, phase: Timed, said: Gesture) -> bool:
    """Say whether the seat before was on turn for certain, and nobody was putting a tile back."""
    match phase:
        case Arranging(clock=clock):
            dealt = clock is not None and certainly_before(clock.basis, said.when)
            return dealt and not rules.opening_flowers
        case Turn(seat=seat, pool=pool):
            call = holder(pool)
            since = call.when if call is not None and call.seat is seat else pool.when
            return said.seat not in pool.returning and certainly_before(since, said.when)


def _went_on(turn: Turn, said: Gesture) -> bool:
    """Say whether the next turn had begun for certain, other than by waiting."""
    called = any(certainly_before(claim.when, said.when) for claim in turn.pool.claims)
    return called or had_drawn(turn, said)
