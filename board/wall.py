"""What the dice showed and where the wall is broken, in words; pure."""

from board.slots import Slots
from board.texts import say
from mqtt.payloads import TableSnapshot
from table.seat import Seat


def wall_slots(state: TableSnapshot | None) -> Slots:
    """Return the throws and the break; empty as far as nothing is known."""
    if state is None:
        return {"dice": "", "wall": ""}
    return {"dice": _dice(state), "wall": _wall(state)}


def _dice(state: TableSnapshot) -> str:
    throws = state.throws or ((state.dice,) if state.dice else ())
    if not any(throws):
        return ""
    return say("table.dice", values=say("table.then").join(shown(throw) for throw in throws))


def shown(throw: tuple[int, ...] | None) -> str:
    """Return what a throw showed; a question mark where the table could not read it."""
    return " + ".join(map(str, throw)) if throw else "?"


def _wall(state: TableSnapshot) -> str:
    if state.wall_seat and state.wall_break:
        return broken(state.wall_seat, state.wall_break)
    if state.second_thrower and len(state.throws) <= 1:
        return say("table.thrower", seat=state.second_thrower.value)
    return ""


def broken(wall: Seat, stack: int) -> str:
    """Return where the wall is broken."""
    return say("table.wall", seat=wall.value, stack=stack)
