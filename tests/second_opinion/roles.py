"""What a claim means, from what was said before it in the same turn."""

from table.events import Call
from tests.second_opinion.clocks import Discard
from tests.second_opinion.spans import passed
from tests.second_opinion.story import Said
from tests.second_opinion.turns import OF_THREE, Turn


def role(turn: Turn, said: Said) -> str:
    """Return `call`, `replacement`, `shows` (a discard not pressed), `last flower` or `nothing`."""
    if turn.after is None:
        return _in_opening(turn, said)
    if said.seat is turn.holder:
        return _on_turn(turn, said, turn.after)
    return _off_turn(turn, said, turn.after)


def _in_opening(turn: Turn, said: Said) -> str:
    dealer, call, late_start = turn.dealer, said.call, turn.book.from_last_flower
    if said.seat is dealer:
        if call in (Call.CHOW, Call.PUNG):
            return "nothing"
        if call is Call.KONG or (call is None and not late_start):
            return "replacement"
    elif call in OF_THREE or (call is Call.CHOW and said.seat is dealer.lower):
        return "shows"
    elif call is Call.CHOW:
        return "nothing"
    return "last flower" if late_start else "nothing"


def _on_turn(turn: Turn, said: Said, after: Discard) -> str:
    mine = [call for call in turn.calls if call.seat is said.seat]
    if mine and passed(mine[-1].when, said.when).least <= turn.book.repeat:
        return "nothing"
    settled = bool(mine) or turn.has_tile
    if said.call in (Call.CHOW, Call.PUNG):
        return "nothing" if settled else "call"
    if said.call is Call.FLOWER or settled:
        return "replacement"
    unseen_chow = turn.draws and said.call is None
    return "call" if unseen_chow or _in_window(turn, said, after) else "replacement"


def _in_window(turn: Turn, said: Said, after: Discard) -> bool:
    window = turn.book.window
    known = not turn.interrupted() and not after.replayed
    return known and window is not None and turn.taken(said).least <= window


def _off_turn(turn: Turn, said: Said, after: Discard) -> str:
    chow, is_next = said.call is Call.CHOW, said.seat is turn.next
    if said.call is Call.FLOWER or said.seat in [call.seat for call in turn.calls]:
        return "nothing"
    if chow and not is_next and said.seat is not turn.holder.lower:
        return "nothing"
    if said.seat is after.seat:
        since = passed(after.pressed or after.when, said.when)
        return "nothing" if since.least <= turn.book.repeat else "shows"
    if is_next and _has_its_own(turn, said, after):
        return "nothing"
    if (chow and not is_next) or _of_a_later_discard(turn, said, after):
        return "shows"
    return "call"


def _has_its_own(turn: Turn, said: Said, after: Discard) -> bool:
    """The next in order has drawn, or took a kong of its own as another one called."""
    drawn = any(note.role == "own draw" and note.seat is said.seat for note in turn.notes)
    kong = said.call is Call.KONG and not _in_window(turn, said, after)
    return drawn or (kong and not turn.surely_on_turn(said))


def _of_a_later_discard(turn: Turn, said: Said, after: Discard) -> bool:
    """After the window a call may be of a discard that was not pressed (ADR 17)."""
    window = turn.book.window
    if window is None or after.replayed or turn.interrupted():
        return False
    taken, before = turn.taken(said), turn.before(said)
    called = any(call.role in ("takes", "stands") for call in before)
    drawn = said.call is None and turn.with_tile(before)
    return taken.least > window and (called or drawn or turn.too_late(taken))
