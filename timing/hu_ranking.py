"""Who wins if every declared hu is valid, and in which order the winners are paid."""

from collections.abc import Iterable

from table.seat import Seat
from timing.effects import HuRanked
from timing.phases import Arranging, Hand, Turn, Unsynced, Verifying
from timing.precedence import earliest, nearest, places_from
from timing.rules import SeveralHu, TimeRules


def ranked(rules: TimeRules, hand: Hand, verifying: Verifying) -> HuRanked:
    """Rank the declared hu by the book, whatever order they were read in.

    A seat whose hand is dead wins nothing. Where nobody knows whose discard it is, only time can
    decide between several; the winners are empty where it does not.
    """
    return HuRanked(
        declared=verifying.seats,
        winners=_winners(rules, hand, verifying),
        discarder=_discarder(hand, verifying),
        kong=_kong(verifying),
    )


def winners(rules: TimeRules, hand: Hand) -> tuple[Seat, ...]:
    """Return who wins if every declared hu is valid; nobody where the book leaves it open."""
    match hand.phase:
        case Verifying() as verifying:
            return _winners(rules, hand, verifying)
        case Unsynced(declared=declared):
            able = tuple(sorted(seat for seat in declared if may_win(hand, seat)))
            return able if len(able) == 1 or rules.several_hu is SeveralHu.ALL else ()
        case _:
            return ()


def may_win(hand: Hand, seat: Seat) -> bool:
    """Say whether no ruling has made a seat's hand dead."""
    return not hand.restrictions[seat].no_hu


def order_of_pay(hand: Hand, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return winners in order of play from the discarder; as they are where no hu was heard."""
    if isinstance(hand.phase, Verifying):
        return _from(_origin(hand, hand.phase), seats)
    return seats


def _from(origin: Seat | None, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    if origin is None:
        return tuple(sorted(seats))
    return tuple(sorted(seats, key=lambda seat: places_from(origin, seat)))


def _winners(rules: TimeRules, hand: Hand, verifying: Verifying) -> tuple[Seat, ...]:
    able = [call for call in verifying.declared if may_win(hand, call.seat)]
    origin = _origin(hand, verifying)
    if rules.several_hu is SeveralHu.ALL:
        alone = [call.seat for call in able if _has_own_tile(verifying, call.seat)]
        return _from(origin, alone or (call.seat for call in able))
    first = able if rules.several_hu is SeveralHu.NEAREST else earliest(able)
    if origin is None:
        return (first[0].seat,) if len(first) == 1 else ()
    winner = nearest(first, origin)
    return () if winner is None else (winner.seat,)


def _has_own_tile(verifying: Verifying, seat: Seat) -> bool:
    """Say whether a seat has drawn or replaced, so that its hu is of its own tile."""
    before = verifying.before
    return isinstance(before, Turn) and before.seat is seat and before.drawn


def _kong(verifying: Verifying) -> Seat | None:
    """Return whose added kong may be robbed."""
    before = verifying.before
    if isinstance(before, Turn) and before.konged and {*verifying.seats} - {before.seat}:
        return before.seat
    return None


def _origin(hand: Hand, verifying: Verifying) -> Seat | None:
    """Return from whom the order of play counts: a robbed kong is a discard (mcr-2014 art. 7)."""
    match verifying.before:
        case Turn(pool=pool):
            return _kong(verifying) or pool.seat
        case Arranging():
            return hand.dealer
        case Unsynced():
            return None


def _discarder(hand: Hand, verifying: Verifying) -> Seat | None:
    match verifying.before:
        case Turn(pool=pool) as turn:
            return None if _may_be_own_tile(hand, turn, verifying.seats) else pool.seat
        case Arranging():
            return None if verifying.seats == (hand.dealer,) else hand.dealer
        case Unsynced():
            return None


def _may_be_own_tile(hand: Hand, turn: Turn, declared: tuple[Seat, ...]) -> bool:
    """Say whether the only declarer may have drawn the tile; a seat that called it has not."""
    called = any(claim.seat is turn.seat for claim in turn.pool.claims)
    unseen = not hand.inputs.draws and not called
    return declared == (turn.seat,) and (turn.drawn or unseen)
