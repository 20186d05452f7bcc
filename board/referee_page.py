"""The referee's page: what waits for a ruling, what happens now, what was decided; pure."""

from board.alert_items import TAKEN, told, urgency, waiting
from board.chronicle import verdict
from board.decided_items import Line, decided, lines_of, undoable
from board.foul_entry import books
from board.hall_view import Hall
from board.slots import Items, Slots, over_limit, timed
from board.table_view import TableView
from board.texts import say
from board.viewer import Viewer
from board.words import clock_time
from mqtt.parts import CallFields
from mqtt.payloads_of_rulings import AlertPayload

PACE_SECONDS = 0.1
"""Changes of this page are gathered for so long: the whole venue moves it."""


def items(hall: Hall, looks: Viewer) -> Items:
    """Return every item of the page, each kind in the order in which it is read."""
    tables = list(hall.tables.values())
    open_ones = [(table, alert) for table in tables for alert in table.waiting]
    open_ones.sort(key=lambda pair: urgency(pair[0], pair[1], looks))
    found: Items = {"referee:": _summary(hall, [alert for _, alert in open_ones], looks)}
    for table, alert in open_ones:
        found[f"alert:{alert.alert}"] = waiting(hall, table, alert, looks)
    for table in tables:
        found |= _settled(table, looks) | _over(table)
    for table, alert in _recorded(tables):
        found[f"unclaimed:{alert.alert}"] = _unclaimed(table, alert, looks)
    return found | _calls(tables, looks) | decided(hall, looks) | books(hall)


def _summary(hall: Hall, alerts: list[AlertPayload], looks: Viewer) -> Slots:
    count = sum(alert.status != TAKEN for alert in alerts)
    recorded = sum(len(table.unclaimed) for table in hall.tables.values())
    zones = ", ".join(sorted(looks.zones)) or say("referee.all-zones")
    return {
        "count": str(count),
        "count_mark": "open" if count else "none",
        "unclaimed": str(recorded),
        "zones": zones,
    }


def _recorded(tables: list[TableView]) -> list[tuple[TableView, AlertPayload]]:
    """Return what was only recorded, the newest first: that is what players call for."""
    found = [(table, alert) for table in tables for alert in table.unclaimed]
    return sorted(found, key=lambda pair: pair[1].raised, reverse=True)


def _unclaimed(table: TableView, alert: AlertPayload, looks: Viewer) -> Slots:
    return {**told(table, alert, looks), "revision": str(alert.revision)}


def _settled(table: TableView, looks: Viewer) -> Items:
    lines = {line.alert: line for line in lines_of(table)}
    return {
        f"alert:{alert.alert}": _decided_here(table, alert, lines.get(alert.alert), looks)
        for alert in table.settled.values()
    }


def _decided_here(table: TableView, alert: AlertPayload, line: Line | None, looks: Viewer) -> Slots:
    """Return an alert that was settled while the page was open: it stays in its place."""
    own = line is not None and undoable(line, looks)
    return {
        **told(table, alert, looks),
        "order": urgency(table, alert, looks),
        "revision": str(line.revision if line else alert.revision),
        "settled": "yes",
        "can_take": "away" if own else "no",
        "can_confirm": "no",
        "can_rule": "no",
        "can_modify": "no",
        "can_escalate": "no",
        "can_undo": "main" if own else "away",
        "status": "settled",
        "status_text": verdict(table, alert.alert) or say("alert.settled"),
        "lease": None,
        "choices": [],
        "payees": [],
        "escalated": "",
        "marked": "",
    }


def _calls(tables: list[TableView], looks: Viewer) -> Items:
    """Return every seat that waits for the referee, the oldest first; other zones are apart."""
    found = [(table, call) for table in tables for call in table.calls]
    found.sort(key=lambda pair: pair[1].time)
    return {
        f"{_place(table, looks)}:{table.id}-{call.seat.value}": _call(table, call)
        for table, call in found
    }


def _place(table: TableView, looks: Viewer) -> str:
    return "call" if looks.looks_after(table.zone) else "far-call"


def _call(table: TableView, call: CallFields) -> Slots:
    return {
        "name": table.name,
        "table": table.id,
        "seat": str(call.seat.value),
        "text": say("referee.call", seat=call.seat.value),
        "time": clock_time(call.time),
    }


def _over(table: TableView) -> Items:
    return {
        f"over:{table.id}-{seat.value}": {
            "name": table.name,
            "text": say("notice.over", seat=seat.value, kind=timed(shown)),
        }
        for seat, shown in over_limit(table).items()
    }
