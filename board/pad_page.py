"""A seat's pad: its clock, whose turn it is, and whether a press would count; pure."""

from board.conditions import hand_slots, link
from board.hall_view import Hall
from board.slots import Items, Slots, clock_of, counted
from board.table_view import TableView
from board.texts import say
from board.words import GLYPHS
from table.seat import Seat

WIRE = "pads"


def items(hall: Hall, table: str, seat: Seat) -> Items:
    """Return the one item of the page, whatever is known of the table."""
    view = hall.tables.get(table)
    if view is None:
        return {"pad:": {"why": say("pad.unknown", table=table), "name": table}}
    return {"pad:": _pad(hall, view, seat)}


def _pad(hall: Hall, table: TableView, seat: Seat) -> Slots:
    timers, node = table.timers, hall.node_of(table)
    shown = timers.seats.get(seat) if timers else None
    window = timers.window if timers else None
    discarder = table.state.discarder if table.state else None
    return {
        "why": _why_not(hall, table),
        "node": node.clock_name if node else "",
        "name": table.name,
        "player": table.players.get(seat, ""),
        **_wind(table, seat),
        "clock": clock_of(table, node, shown),
        "clock_text": counted(shown),
        "state": "over" if shown and shown.over else _turn(table, seat),
        "turn_text": _turn_text(table, seat),
        "window": clock_of(table, node, window),
        "window_open": "yes" if window and discarder else "no",
        "window_text": say("pad.window", seat=discarder.value) if window and discarder else "",
    }


def _why_not(hall: Hall, table: TableView) -> str:
    """Return why a press would not count; empty where it would."""
    state = link(hall, table)
    if table.meta is not None and table.meta.wire != WIRE:
        return say("pad.own-inputs", table=table.name)
    if state in {"stale", "unknown"}:
        return say("pad.no-node", table=table.name)
    return say("pad.away", table=table.name) if state == "offline" else ""


def _wind(table: TableView, seat: Seat) -> Slots:
    wind = table.state.seat_winds.get(seat) if table.state else None
    dealer = table.state is not None and table.state.dealer is seat
    return {
        "glyph": GLYPHS[wind] if wind else "",
        "wind": say(f"wind.{wind}") if wind else "",
        "dealer": say("seat.dealer") if dealer else "",
    }


def _turn(table: TableView, seat: Seat) -> str:
    return "turn" if table.state and table.state.on_turn is seat else "waits"


def _turn_text(table: TableView, seat: Seat) -> str:
    on_turn = table.state.on_turn if table.state else None
    if on_turn is None:
        return str(hand_slots(table)["hand_text"])
    return say("pad.your-turn") if on_turn is seat else say("pad.their-turn", seat=on_turn.value)
