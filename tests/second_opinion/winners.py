"""Who wins of those who declared hu."""

from table.seat import Seat
from tests.second_opinion.spans import apart
from tests.second_opinion.story import Said
from tests.second_opinion.turns import Turn


def winners(turn: Turn) -> tuple[Seat, ...]:
    """Say who wins of those who declared, and in which order they are paid."""
    discarder = turn.after.seat if turn.after else turn.dealer.upper
    near = sorted(turn.declared, key=lambda call: ((call.seat or 0) - discarder - 1) % 4)
    if turn.book.several == "first":
        near = [call for call in near if not any(_sooner(one, call) for one in near)]
    if turn.book.several != "all":
        near = near[:1]
    return tuple(call.seat for call in near if call.seat)


def _sooner(one: Said, other: Said) -> bool:
    return apart(one.when, other.when).least > 0
