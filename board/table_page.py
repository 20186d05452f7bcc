"""One table: four clocks around the square, the call window, what to do and what happened; pure."""

from board.chronicle import told
from board.conditions import (
    dead_hands,
    hand_slots,
    link_slots,
    notices,
)
from board.foul_entry import seats_of
from board.hall_view import Hall
from board.machine_state import machine_details, machine_slots
from board.offers import hand_offers, machine_offers
from board.payments import payments, total_of
from board.slots import Items, Option, Slots, clock_of, counted, option
from board.table_view import Seen, TableView
from board.texts import say
from board.wall import wall_slots
from board.words import GLYPHS, clock_time, signed, span
from mqtt.payloads import TableSnapshot
from table.seat import Seat

_MS = 1000


def items(hall: Hall, table: TableView) -> Items:
    """Return every item of the page."""
    found: Items = {"table:": _table(hall, table)}
    for seat in Seat:
        found[f"seat:{seat.value}"] = _seat(hall, table, seat)
    for key, (mark, text) in notices(hall, table).items():
        found[f"notice:{key}"] = {"state": mark, "text": text}
    found |= payments(table)
    for seen in table.events:
        if event := _event(table, seen):
            found[f"event:{seen.envelope.epoch}-{seen.envelope.tableseq}"] = event
    return found


def _table(hall: Hall, table: TableView) -> Slots:
    window = table.timers and table.timers.window
    discarder = table.state and table.state.discarder
    alerts = len(table.waiting)
    return {
        "table": table.id,
        "name": table.name,
        **link_slots(hall, table),
        **machine_slots(table),
        **machine_details(table),
        **hand_slots(table),
        **hand_offers(table),
        **machine_offers(table),
        **wall_slots(table.state),
        **_picks(table),
        "hand_id": table.state.hand if table.state else "",
        "machine_seq": str(table.state.machine_seq) if table.state else "",
        "window": clock_of(table, hall.node_of(table), window or None),
        "window_open": "yes" if window else "no",
        "window_text": say("table.window", seat=discarder.value)
        if window and discarder
        else say("table.no-window"),
        "extra": _extra(table.state),
        "alerts": str(alerts),
        "alerts_mark": "open" if alerts else "none",
    }


def _picks(table: TableView) -> Slots:
    """Return what the dialogs of the page offer: seats, winners, seats whose player is out."""
    seats = seats_of(table)
    state = table.state
    out = {str(seat.value) for seat, it in state.restrictions.items() if it.out} if state else set()
    return {
        "seats": [*seats],
        "out_seats": [one for one in seats if one["value"] in out],
        "winners": _winners(table, state) if state else [],
    }


def _winners(table: TableView, state: TableSnapshot) -> list[Option]:
    """Return everybody who declared hu, those first whom the book lets win, which are ticked."""
    ranked = dict.fromkeys((*state.hu_winners, *state.declared))
    return [
        option(
            seat.value,
            say("seat.player", seat=seat.value, player=table.players.get(seat, "")),
            picked=seat in state.hu_winners,
        )
        for seat in ranked
    ]


def _extra(state: TableSnapshot | None) -> str:
    if state is None or not state.extra_time_ms:
        return ""
    return say("table.extra", span=span(state.extra_time_ms // _MS))


def _seat(hall: Hall, table: TableView, seat: Seat) -> Slots:
    state, timers, node = table.state, table.timers, hall.node_of(table)
    shown = timers.seats.get(seat) if timers else None
    total = timers.totals.get(seat) if timers else None
    wind = state.seat_winds.get(seat) if state else None
    on_turn = state is not None and state.on_turn is seat
    return {
        "seat": say("seat.name", seat=seat.value),
        "glyph": GLYPHS[wind] if wind else "",
        "wind": say(f"wind.{wind}") if wind else "",
        "dealer": say("seat.dealer") if state and state.dealer is seat else "",
        "player": table.players.get(seat, ""),
        "clock": clock_of(table, node, shown),
        "clock_text": counted(shown) or (say("seat.on-turn") if on_turn else ""),
        "total": clock_of(table, node, total),
        "total_text": say("seat.total") if total else "",
        "total_over": "yes" if total and total.over else "no",
        "state": "over" if shown and shown.over else "turn" if on_turn else "waits",
        "dead": dead_hands(table).get(seat, ""),
        "remarks": " · ".join(_remarks(table, seat)),
    }


def _remarks(table: TableView, seat: Seat) -> list[str]:
    missed = table.state.missed_presses.get(seat, 0) if table.state else 0
    points = total_of(table, table.players.get(seat, ""))
    remarks = [say("seat.missed", count=missed)] if missed else []
    return [*remarks, say("seat.points", points=signed(points))] if points else remarks


def _event(table: TableView, seen: Seen) -> Slots | None:
    text = told(seen, table.titles)
    return {"time": clock_time(seen.envelope.time), "text": text} if text else None
