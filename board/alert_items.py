"""One alert as a referee reads it: who, where, which article, how sure, and what may be ruled."""

from board.hall_view import Hall
from board.node_view import NodeView
from board.sanction_words import options, sanction
from board.slots import Clock, Option, Slots, option
from board.table_view import TableView
from board.texts import say
from board.viewer import Viewer
from board.words import (
    briefly,
    clock_time,
    foul_name,
    limit,
    ordinal,
    ruling,
    seat_name,
    seconds,
    took,
)
from mqtt.payloads_of_rulings import AlertPayload
from table.sanctions import SanctionKind
from table.seat import Seat
from table.wind import Wind

TAKEN = "acknowledged"
POWERS = ("can_take", "can_confirm", "can_rule", "can_modify", "can_escalate", "can_undo")
UNDECIDED = frozenset({"open", TAKEN})


def urgency(table: TableView, alert: AlertPayload, looks: Viewer) -> str:
    """Sort key: the own zone first, then what nobody has taken, the oldest on top."""
    zone = "a" if looks.looks_after(table.zone) else "b"
    taken = "b" if alert.status == TAKEN else "a"
    return f"{zone}{taken} {alert.raised.isoformat()} {alert.alert}"


def waiting(hall: Hall, table: TableView, alert: AlertPayload, looks: Viewer) -> Slots:
    """Return an alert that waits for a ruling."""
    return {
        **told(table, alert, looks),
        "order": urgency(table, alert, looks),
        "revision": str(alert.revision),
        "settled": "no",
        **_powers(table, alert, looks),
        "status": "open" if alert.marked else alert.status.value,
        "status_text": _status(table, alert, looks),
        "lease": _lease(hall.node_of(table), alert),
        "choices": [*options(alert.choices)],
        "payees": _payees(alert),
        "escalated": say("alert.escalated", reason=alert.escalated) if alert.escalated else "",
        "marked": say("alert.marked") if alert.marked else "",
    }


def _powers(table: TableView, alert: AlertPayload, looks: Viewer) -> Slots:
    """Return which rulings are on offer: what is before the chief referee is for chiefs alone."""
    if _for_chiefs_alone(table, alert, looks):
        return dict.fromkeys(POWERS, "away")
    confirmable = alert.proposal.kind is not SanctionKind.CHOICE
    return {
        "can_take": "yes" if alert.status in UNDECIDED else "no",
        "can_confirm": "main" if confirmable else "no",
        "can_rule": "yes",
        "can_modify": "yes" if confirmable else "main",
        "can_escalate": "no" if alert.escalated else "yes",
        "can_undo": "away",
    }


def _for_chiefs_alone(table: TableView, alert: AlertPayload, looks: Viewer) -> bool:
    """Say whether somebody else has to decide; the table's node has the last word."""
    return bool(alert.escalated and table.chiefs) and looks.person not in table.chiefs


def told(table: TableView, alert: AlertPayload, looks: Viewer) -> Slots:
    """Return what is known of an alert, whoever decides it."""
    return {
        "id": alert.alert,
        "table": table.id,
        "table_name": table.name,
        "zone": say("alert.zone", zone=table.zone) if table.zone else "",
        "own": "yes" if looks.looks_after(table.zone) else "no",
        "seat": seat_name(alert.seat, _winds(table, alert)),
        "player": alert.player,
        "kind": foul_name(table.titles, alert.kind),
        "book": alert.limit_rule,
        "took": took(alert),
        "measured": briefly(alert),
        "raised": clock_time(alert.raised),
        "hand": alert.hand,
        "objectors": _objectors(table, alert),
        **_evidence(alert),
        **_proposal(alert),
    }


def _evidence(alert: AlertPayload) -> Slots:
    """Return what the alert rests on; a line that has nothing to say is empty."""
    start = "alert.entered" if alert.entered_by else "alert.sensed"
    if alert.presumed:
        start = "alert.presumed"
    over = say("alert.over", excess=f"{seconds(alert.excess_us)} s") if alert.excess_us else ""
    return {
        "limit": limit(alert.limit_us) if alert.limit_us else "",
        "over": over,
        "start": say(start),
        "doubt": say("alert.presumed") if alert.presumed else "",
        "start_mark": "presumed" if alert.presumed else "sensed",
        "records": ", ".join(map(str, alert.records)),
        "rests_on": ", ".join(alert.rests_on),
        "objector": say("alert.objector", seat=alert.objector.value) if alert.objector else "",
        "remark": alert.remark,
        "notes": " / ".join(
            say("alert.note", person=note.person, text=note.text) for note in alert.notes
        ),
        "verdict": " / ".join(ruling(past) for past in alert.rulings),
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


def _payees(alert: AlertPayload) -> list[Option]:
    return [
        option(player, say("seat.player", seat=seat.value, player=player))
        for seat, player in alert.players.items()
        if seat is not alert.seat
    ]


def _objectors(table: TableView, alert: AlertPayload) -> list[Option]:
    names = alert.players or table.players
    seats = [
        option(seat.value, say("seat.player", seat=seat.value, player=names.get(seat, "")))
        for seat in Seat
        if seat is not alert.seat
    ]
    return [*seats, option("", say("ask.nobody"))]


def _status(table: TableView, alert: AlertPayload, looks: Viewer) -> str:
    if _for_chiefs_alone(table, alert, looks):
        return say("alert.with-chief")
    if alert.status == TAKEN:
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
