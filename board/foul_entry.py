"""What the form for an entered foul offers: tables, their seats, and the fouls of their book."""

from typing import TypeAlias

from board.hall_view import Hall, in_order
from board.slots import Items, Option, Slots, option
from board.table_view import TableView
from board.words import foul_name, seat_name
from table.fouls import SENSED, FoulKind
from table.seat import Seat

_Book: TypeAlias = tuple[tuple[FoulKind, str, str], ...]
"""Each foul with its name and the article."""


def books(hall: Hall) -> Items:
    """Return one item for each table; tables of one book share the list of the first of them."""
    first: dict[_Book, str] = {}
    found: Items = {}
    for table in in_order(hall):
        book = _book(table)
        shared = first.setdefault(book, table.id)
        kinds = _kinds(book) if shared == table.id else []
        found[f"book:{table.id}"] = _entry(table, f"book:{shared}", kinds)
    return found


def _book(table: TableView) -> _Book:
    fouls = table.meta.fouls.items() if table.meta else ()
    return tuple((kind, foul_name(table.titles, kind), article) for kind, article in fouls)


def _entry(table: TableView, shared: str, kinds: list[Option]) -> Slots:
    return {
        "table": table.id,
        "name": table.name,
        "hand_id": table.state.hand if table.state else "",
        "seats": seats_of(table),
        "kinds": kinds,
        "kinds_of": shared,
    }


def _kinds(book: _Book) -> list[Option]:
    """Return the fouls of a book; what tables sense by themselves is entered least, so last."""
    book = tuple(sorted(book, key=lambda foul: foul[0] in SENSED))
    return [option(kind.value, name, article) for kind, name, article in book]


def seats_of(table: TableView) -> list[Option]:
    """Return the four seats, with winds and players where they are known."""
    winds = dict(table.state.seat_winds) if table.state else {}
    return [
        option(seat.value, seat_name(seat, winds), table.players.get(seat, "")) for seat in Seat
    ]
