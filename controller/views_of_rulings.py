"""What alerts and ledger say on their retained topics, from the docket and its evidence; pure."""

from datetime import datetime
from typing import Any

from controller.node import Node
from controller.table_memory import TableMemory
from controller.views import Reading
from mqtt.parts import (
    ClosedLine,
    IntervalFields,
    LedgerLine,
    NoteFields,
    PaymentFields,
    PowersFields,
    RulingFields,
    SanctionFields,
)
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from scoring.alert import Alert, AlertStatus, Ruling
from scoring.ledger import Line, ledger
from scoring.powers import on_offer
from scoring.rules import FoulRules, Powers
from table.fouls import FoulKind, FoulSeen
from table.moment import MICROSECOND, Interval
from table.sanctions import Sanction

_CLOSED = frozenset({AlertStatus.WAIVED, AlertStatus.REVERSED})
_CLOSED_KEPT = 40


def alert_payload(alert: Alert, memory: TableMemory, rules: FoulRules, node: Node) -> AlertPayload:
    """Return an alert as referees see it while it waits for them, or for somebody to object."""
    return AlertPayload(
        alert=alert.id,
        revision=alert.revision,
        status=alert.status,
        holder=alert.holder,
        lease_ends_ms=node.uptime_ms(alert.lease_ends) if alert.lease_ends else None,
        table=memory.state.hand.table,
        player=alert.player,
        players=dict(alert.players.items()),
        proposal=_sanction(alert.proposal, alert.rule),
        choices=tuple(map(str, on_offer(rules, alert))),
        step=alert.step,
        marked=alert.marked,
        rests_on=alert.rests_on,
        objector=alert.objector,
        escalated=alert.escalated,
        notes=tuple(NoteFields(person=note.person, text=note.text) for note in alert.notes),
        rulings=tuple(_ruling(ruling) for ruling in alert.rulings),
        records=memory.evidence.records.get(alert.id, ()),
        raised=datetime.fromisoformat(memory.raised[alert.id]),
        time=node.clock.utc(),
        **_foul(alert.foul),
    )


def _foul(foul: FoulSeen) -> dict[str, Any]:
    """Return the fields that say what was seen."""
    measured, limit = foul.measured, foul.limit
    return {
        "hand": foul.hand,
        "kind": foul.kind,
        "seat": foul.seat,
        "measured_least_us": None if measured is None else measured.least // MICROSECOND,
        "measured_most_us": None if measured is None else measured.most // MICROSECOND,
        "limit_us": None if limit is None else limit // MICROSECOND,
        "excess_us": foul.excess // MICROSECOND,
        "started": _interval(foul.started),
        "ended": _interval(foul.ended),
        "limit_rule": foul.rule,
        "presumed": foul.presumed,
        "entered_by": foul.entered_by,
        "remark": foul.remark,
    }


def _interval(when: Interval | None) -> IntervalFields | None:
    if when is None:
        return None
    return IntervalFields(
        earliest_us=when.earliest.micros, latest_us=when.latest.micros, quality=when.quality
    )


def enterable(rules: FoulRules) -> dict[FoulKind, str]:
    """Return the kinds of foul that a referee can enter, and where their sanctions are written."""
    kinds = rules.ladders.items()
    return {kind: ladder.rule for kind, ladder in kinds if kind is not FoulKind.OVERTIME_SUM}


def titles(rules: FoulRules) -> dict[FoulKind, str]:
    """Return what the book calls each kind of foul that it has a name for."""
    return {kind: ladder.title for kind, ladder in rules.ladders.items() if ladder.title}


def powers_payload(powers: Powers) -> PowersFields:
    """Return what a referee may impose for any foul."""
    return PowersFields(
        warning=powers.warning,
        points=powers.points,
        each=powers.each,
        player=powers.player,
        measures=tuple(sorted(powers.measures)),
        rule=powers.rule,
    )


def ledger_payload(memory: TableMemory, reading: Reading) -> LedgerPayload:
    """Return what the rulings that stand cost each player of the table."""
    kept = ledger(memory.state.docket)
    return LedgerPayload(
        table=memory.state.hand.table,
        seq=reading.seq,
        time=reading.time,
        totals=kept.totals,
        lines=tuple(_line(line, memory) for line in kept.lines),
        payments=tuple(
            PaymentFields(payer=one.payer, payee=one.payee, points=one.points, alert=one.alert)
            for one in kept.payments
        ),
        closed=_closed(memory),
    )


def _closed(memory: TableMemory) -> tuple[ClosedLine, ...]:
    """Return what was decided last of all that costs nothing."""
    docket = memory.state.docket
    closed = [one for one in docket.alerts.values() if one.status in _CLOSED]
    closed.sort(key=lambda one: memory.ruled[one.id])
    return tuple(_closed_line(one, memory.ruled[one.id]) for one in closed[-_CLOSED_KEPT:])


def _closed_line(alert: Alert, ruled: str) -> ClosedLine:
    return ClosedLine(
        alert=alert.id,
        revision=alert.revision,
        hand=alert.foul.hand,
        kind=alert.foul.kind,
        player=alert.player,
        seat=alert.foul.seat,
        status=alert.status,
        ruled=datetime.fromisoformat(ruled),
        rulings=tuple(_ruling(ruling) for ruling in alert.rulings),
    )


def _line(line: Line, memory: TableMemory) -> LedgerLine:
    last = line.rulings[-1]
    return LedgerLine(
        alert=line.alert,
        revision=line.revision,
        hand=line.hand,
        kind=line.kind,
        player=line.player,
        seat=line.seat,
        step=line.step,
        sanction=_sanction(line.sanction),
        marked=line.marked,
        person=last.person,
        reason=last.reason,
        ruled=datetime.fromisoformat(memory.ruled[line.alert]),
        rulings=tuple(_ruling(ruling) for ruling in line.rulings),
        records=memory.evidence.records.get(line.alert, ()),
    )


def _sanction(sanction: Sanction, rule: str = "") -> SanctionFields:
    return SanctionFields(
        kind=sanction.kind,
        points=sanction.points,
        rule=rule,
        measures=sanction.measures,
        to=sanction.to,
    )


def _ruling(ruling: Ruling) -> RulingFields:
    return RulingFields(
        person=ruling.person,
        sanction=_sanction(ruling.sanction) if ruling.sanction else None,
        reason=ruling.reason,
        deed=ruling.deed,
    )
