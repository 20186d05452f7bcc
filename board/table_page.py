"""One table: four clocks around the square, the call window, what to do and what happened; pure."""

from board.chronicle import told
from board.conditions import hand_slots, link_slots, machine_slots, notices
from board.hall_view import Hall
from board.offers import hand_offers, machine_offers
from board.slots import Items, Slots, clock_of, counted
from board.table_view import Seen, TableView
from board.texts import say
from board.words import GLYPHS, clock_time
from mqtt.payloads import TableSnapshot
from table.seat import Seat


def items(hall: Hall, table: TableView) -> Items:
    """Return every item of the page."""
    found: Items = {"table:": _table(hall, table)}
    for seat in Seat:
        found[f"seat:{seat.value}"] = _seat(hall, table, seat)
    for key, (mark, text) in notices(hall, table).items():
        found[f"notice:{key}"] = {"state": mark, "text": text}
    for seen in table.events:
        if event := _event(seen):
            found[f"event:{seen.envelope.epoch}-{seen.envelope.tableseq}"] = event
    return found


def _table(hall: Hall, table: TableView) -> Slots:
    window = table.timers and table.timers.window
    discarder = table.state and table.state.discarder
    alerts = len(table.alerts)
    return {
        "table": table.id,
        "name": table.name,
        **link_slots(hall, table),
        **machine_slots(table),
        **hand_slots(table),
        **hand_offers(table),
        **machine_offers(table),
        "hand_id": table.state.hand if table.state else "",
        "machine_seq": str(table.state.machine_seq) if table.state else "",
        "window": clock_of(table, hall.node_of(table), window or None),
        "window_open": "yes" if window else "no",
        "window_text": say("table.window", seat=discarder.value)
        if window and discarder
        else say("table.no-window"),
        "dice": _dice(table.state),
        "alerts": str(alerts),
        "alerts_mark": "open" if alerts else "none",
    }


def _dice(state: TableSnapshot | None) -> str:
    if state is None or not state.dice:
        return ""
    return say("table.dice", values=" + ".join(str(value) for value in state.dice))


def _seat(hall: Hall, table: TableView, seat: Seat) -> Slots:
    state = table.state
    shown = table.timers.seats.get(seat) if table.timers else None
    wind = state.seat_winds.get(seat) if state else None
    on_turn = state is not None and state.on_turn is seat
    return {
        "seat": say("seat.name", seat=seat.value),
        "glyph": GLYPHS[wind] if wind else "",
        "wind": say(f"wind.{wind}") if wind else "",
        "dealer": say("seat.dealer") if state and state.dealer is seat else "",
        "player": _player(table, seat),
        "clock": clock_of(table, hall.node_of(table), shown),
        "clock_text": counted(shown) or (say("seat.on-turn") if on_turn else ""),
        "state": "over" if shown and shown.over else "turn" if on_turn else "waits",
        "remarks": " · ".join(_remarks(table, seat)),
    }


def _player(table: TableView, seat: Seat) -> str:
    players = table.state.players if table.state else table.meta.players if table.meta else {}
    return players.get(seat, "")


def _remarks(table: TableView, seat: Seat) -> list[str]:
    missed = table.state.missed_presses.get(seat, 0) if table.state else 0
    lost = table.ledger.totals.get(_player(table, seat), 0) if table.ledger else 0
    remarks = [say("seat.missed", count=missed)] if missed else []
    return [*remarks, say("seat.points", points=f"\N{MINUS SIGN}{-lost}")] if lost else remarks


def _event(seen: Seen) -> Slots | None:
    text = told(seen)
    return {"time": clock_time(seen.envelope.time), "text": text} if text else None
