"""What was decided in a session: what stands, what was waived or reversed, and the way back."""

from datetime import datetime
from typing import TypeAlias

from board.hall_view import Hall
from board.sanction_words import sanction
from board.slots import Items, Slots
from board.table_view import TableView
from board.texts import ENGLISH, say
from board.viewer import Viewer
from board.words import clock_time, foul_name, ruling
from mqtt.parts import ClosedLine, LedgerLine, RulingFields

Line: TypeAlias = LedgerLine | ClosedLine


def lines_of(table: TableView) -> tuple[Line, ...]:
    """Return everything decided at a table that its ledger still tells."""
    if table.ledger is None:
        return ()
    return (*table.ledger.lines, *table.ledger.closed)


def decided(hall: Hall, looks: Viewer) -> Items:
    """Return every decided alert, oldest first, and the last decision of the person."""
    found = [(table, line) for table in hall.tables.values() for line in lines_of(table)]
    found.sort(key=lambda pair: _when(pair[1]))
    items: Items = {f"ruling:{line.alert}": _ruling(table, line) for table, line in found}
    own = [pair for pair in found if undoable(pair[1], looks)]
    if own:
        table, line = own[-1]
        items[f"mine:{line.alert}"] = _mine(table, line)
    return items


def undoable(line: Line, looks: Viewer) -> bool:
    """Say whether the newest decision is the person's own, and no undoing itself."""
    last = _last(line)
    return last is not None and last.person == looks.person and last.deed != "undone"


def _last(line: Line) -> RulingFields | None:
    return line.rulings[-1] if line.rulings else None


def _when(line: Line) -> tuple[bool, datetime | None]:
    return (line.ruled is not None, line.ruled)


def _ruling(table: TableView, line: Line) -> Slots:
    status = line.status if isinstance(line, ClosedLine) else "confirmed"
    return {
        **_named(table, line),
        "sanction": _outcome(line),
        "stands": "no" if isinstance(line, ClosedLine) else "yes",
        "by": _by(line),
        "history": " / ".join(ruling(past) for past in line.rulings[:-1]),
        "time": clock_time(line.ruled) if line.ruled else "",
        "back": say(_BACK.get(status, "order.reverse")),
    }


def _by(line: Line) -> str:
    last = _last(line) if isinstance(line, ClosedLine) else line
    if last is None:
        return ""
    return f"{last.person}: {last.reason}" if last.reason else last.person


_BACK = {
    "waived": "order.reopen",
    "reversed": "order.restore",
}


def _mine(table: TableView, line: Line) -> Slots:
    return {**_named(table, line), "sanction": _outcome(line)}


def _named(table: TableView, line: Line) -> Slots:
    return {
        "id": line.alert,
        "table": table.id,
        "table_name": table.name,
        "revision": str(line.revision),
        "player": line.player,
        "seat": say("seat.name", seat=line.seat.value),
        "kind": foul_name(table.titles, line.kind),
    }


def _outcome(line: Line) -> str:
    if isinstance(line, LedgerLine):
        return sanction(line.sanction)
    key = f"alert.{line.status}"
    return say(key if key in ENGLISH else "deed.unknown")
