"""What a discard press means, from what was said before it in the same turn."""

from table.seat import Seat
from tests.second_opinion.spans import When, passed
from tests.second_opinion.story import Said
from tests.second_opinion.turns import Turn


def repeats(turn: Turn, pressed: dict[Seat, When], said: Said) -> bool:
    """Say whether somebody presses again, or whoever was skipped presses late (ADR 17).

    Who has called since its last press has another tile to discard.
    """
    after, before = turn.after, []
    if after is None or said.seat is None:
        return False
    if said.seat in (after.seat, *after.skipped):
        before.append(after.pressed or after.when)
    if said.seat in pressed and said.seat not in [call.seat for call in turn.calls]:
        before.append(pressed[said.seat])
    return any(passed(when, said.when).least <= turn.book.repeat for when in before)


def skipped(turn: Turn, said: Said) -> tuple[Seat, ...]:
    """Return those whose discards nobody pressed; callers and the next in order skip nobody."""
    found: list[Seat] = []
    if turn.after is None or said.seat not in (turn.next, *(call.seat for call in turn.calls)):
        seat = turn.holder
        while seat is not said.seat:
            found.append(seat)
            seat = seat.lower
    return tuple(found)


def undrawn(turn: Turn, took: set[Seat], said: Said) -> bool:
    """Say whether the seat should have drawn first, and for certain was not seen to."""
    if turn.after is None or turn.after.replayed or turn.interrupted() or said.replayed:
        return False
    ordinary = said.seat is turn.next and turn.tile is None and not turn.has_tile
    return turn.draws and ordinary and said.seat not in took


def plays_on(turn: Turn, said: Said) -> bool:
    """Say whether the next in order discards, and has called nothing."""
    return said.seat is turn.next and said.seat not in [call.seat for call in turn.calls]


def in_order(turn: Turn, call: Said, said: Said) -> bool:
    """Say whether a discard is the next one after a call (ADR 17).

    So soon after the call, the press may be late and of the discard that was called; later than a
    turn takes, turns that nobody pressed may lie between.
    """
    since, window = passed(call.when, said.when), turn.book.window or 0
    return since.least > turn.book.repeat and since.most <= window + turn.book.turn
