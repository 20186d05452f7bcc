"""The referee's page: what waits for a ruling, what happens now, which rulings stand; pure."""

from datetime import datetime

from board.chronicle import verdict
from board.hall_view import Hall
from board.node_view import NodeView
from board.slots import Clock, Items, Slots, over_limit, timed
from board.table_view import TableView
from board.texts import say
from board.words import clock_time, limit, measured, ordinal, ruling, sanction, seat_name, took
from mqtt.parts import LedgerLine
from mqtt.payloads import AlertPayload
from table.seat import Seat
from table.wind import Wind

_TAKEN = "acknowledged"
_UNDECIDED = frozenset({"open", _TAKEN})
PACE_SECONDS = 0.1
"""Changes of this page are gathered for so long: the whole venue moves it."""


def items(hall: Hall) -> Items:
    """Return every item of the page, each kind in the order in which it is read."""
    waiting = [(table, alert) for table in hall.tables.values() for alert in table.alerts.values()]
    waiting.sort(key=lambda pair: _order(pair[1]))
    found: Items = {"referee:": _summary([alert for _, alert in waiting])}
    for table, alert in waiting:
        found[f"alert:{alert.alert}"] = _alert(hall, table, alert)
    for table in hall.tables.values():
        found |= _settled(hall, table) | _live(table)
    for table, line in _rulings(hall):
        found[f"ruling:{line.alert}"] = _ruling(table, line)
    return found


def _order(alert: AlertPayload) -> str:
    """Sort key: those nobody has taken first, the oldest of them on top."""
    taken = alert.status == _TAKEN
    return f"{'b' if taken else 'a'} {alert.raised.isoformat()} {alert.alert}"


def _summary(waiting: list[AlertPayload]) -> Slots:
    count = sum(alert.status != _TAKEN for alert in waiting)
    return {"count": str(count), "count_mark": "open" if count else "none"}


def _alert(hall: Hall, table: TableView, alert: AlertPayload) -> Slots:
    return {
        "id": alert.alert,
        "order": _order(alert),
        "revision": str(alert.revision),
        "settled": "no",
        "can_take": "yes" if alert.status in _UNDECIDED else "no",
        "can_rule": "yes",
        "status": "open" if alert.marked else alert.status.value,
        "status_text": _status(alert),
        "lease": _lease(hall.node_of(table), alert),
        "holder": alert.holder,
        "verdict": " / ".join(ruling(past) for past in alert.rulings),
        "marked": say("alert.marked") if alert.marked else "",
        **_facts(table, alert),
        **_proposal(alert),
    }


def _facts(table: TableView, alert: AlertPayload) -> Slots:
    return {
        "table": table.id,
        "table_name": table.name,
        "seat": seat_name(alert.seat, _winds(table, alert)),
        "player": alert.player,
        "kind": say(f"alert.{alert.kind}"),
        "took": took(alert),
        "measured": measured(alert.measured_least_us, alert.measured_most_us, alert.limit_us),
        "limit": f"{limit(alert.limit_us)} · {alert.limit_rule}",
        "start": say("alert.presumed" if alert.presumed else "alert.sensed"),
        "start_mark": "presumed" if alert.presumed else "sensed",
        "raised": clock_time(alert.raised),
        "hand": alert.hand,
    }


def _proposal(alert: AlertPayload) -> Slots:
    return {
        "proposal": sanction(alert.proposal),
        "step": say("alert.step", ordinal=ordinal(alert.step)),
        "rule": alert.proposal.rule,
    }


def _winds(table: TableView, alert: AlertPayload) -> dict[Seat, Wind]:
    """Winds move from hand to hand: those of now are right for an alert of this hand only."""
    if table.state is None or table.state.hand != alert.hand:
        return {}
    return dict(table.state.seat_winds)


def _status(alert: AlertPayload) -> str:
    if alert.status == _TAKEN:
        return say("alert.acknowledged", holder=alert.holder)
    status = say(f"alert.{alert.status}")
    return say("alert.again", status=status) if alert.marked else status


def _lease(node: NodeView | None, alert: AlertPayload) -> Clock | None:
    if alert.lease_ends_ms is None or node is None or not node.here:
        return None
    ends = alert.lease_ends_ms
    return Clock(
        node=node.clock_name, total=ends, remaining=ends, as_of=0, running=True, over=False
    )


def _settled(hall: Hall, table: TableView) -> Items:
    found: Items = {}
    for alert in table.settled.values():
        slots = _alert(hall, table, alert)
        slots |= {"settled": "yes", "status": "settled", "lease": None}
        slots |= {"can_take": "no", "can_rule": "no"}
        slots["status_text"] = verdict(table, alert.alert) or say("alert.settled")
        found[f"alert:{alert.alert}"] = slots
    return found


def _live(table: TableView) -> Items:
    found: Items = {}
    for seat, call in table.calls.items():
        found[f"call:{table.id}-{seat.value}"] = {
            "name": table.name,
            "table": table.id,
            "seat": str(seat.value),
            "text": say("notice.call", seat=seat.value),
            "time": clock_time(call.envelope.time),
        }
    for seat, shown in over_limit(table).items():
        found[f"over:{table.id}-{seat.value}"] = {
            "name": table.name,
            "text": say("notice.over", seat=seat.value, kind=timed(shown)),
        }
    return found


def _rulings(hall: Hall) -> list[tuple[TableView, LedgerLine]]:
    found = [
        (table, line)
        for table in hall.tables.values()
        for line in (table.ledger.lines if table.ledger else ())
    ]
    return sorted(found, key=lambda pair: _ruled(pair[1]))


def _ruled(line: LedgerLine) -> tuple[bool, datetime | None]:
    return (line.ruled is not None, line.ruled)


def _ruling(table: TableView, line: LedgerLine) -> Slots:
    return {
        "id": line.alert,
        "table": table.id,
        "table_name": table.name,
        "revision": str(line.revision),
        "player": line.player,
        "seat": say("seat.name", seat=line.seat.value),
        "kind": say(f"alert.{line.kind}"),
        "sanction": sanction(line.sanction),
        "by": f"{line.person}{f': {line.reason}' if line.reason else ''}",
        "time": clock_time(line.ruled) if line.ruled else "",
    }
