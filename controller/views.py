"""What the retained topics of a table say, from the core's state; pure."""

from dataclasses import dataclass
from datetime import datetime

from controller.node import Node, whole_ms
from controller.table_core import TableRules, TableState
from controller.table_memory import TableMemory
from mqtt.parts import ClosedLine, Face, LedgerLine, RulingFields, SanctionFields
from mqtt.payloads import (
    AlertPayload,
    HandPhase,
    LedgerPayload,
    MachinePhase,
    TableSnapshot,
    Timers,
)
from scoring.alert import Alert, AlertStatus, Ruling
from scoring.ledger import Line, ledger
from table.moment import MICROSECOND, Moment
from table.sanctions import Sanction
from table.seat import Seat
from table.wind import Wind, prevalent_wind, seat_wind
from timing import machine
from timing.display import ClockFace, clocks
from timing.phases import Arranging, Hand, Idle, Over, Paused, Phase, Turn, Unsynced, Verifying


@dataclass(frozen=True, slots=True)
class Reading:
    """When a view was taken, on both clocks of the node, and behind which event."""

    moment: Moment
    as_of_ms: int
    time: datetime
    seq: int


_HAND_PHASES: dict[type[Phase], HandPhase] = {
    Idle: "idle",
    Arranging: "arranging",
    Turn: "turn",
    Verifying: "verifying",
    Paused: "paused",
    Unsynced: "unsynced",
    Over: "over",
}
_CLOSED = frozenset({AlertStatus.WAIVED, AlertStatus.REVERSED})
_CLOSED_KEPT = 40
_MACHINE_PHASES: dict[type[machine.MachinePhase], MachinePhase] = {
    machine.Empty: "empty",
    machine.Cycling: "cycling",
    machine.Ready: "ready",
    machine.Raised: "raised",
    machine.Faulty: "fault",
}


def snapshot(name: str, state: TableState, reading: Reading, *, linked: bool) -> TableSnapshot:
    """Return the table as a whole."""
    hand = state.hand
    dealt = hand.deals > 0
    phase = hand.phase
    return TableSnapshot(
        table=hand.table,
        name=name,
        seq=reading.seq,
        as_of_ms=reading.as_of_ms,
        time=reading.time,
        link="up" if linked else "down",
        machine_phase=_MACHINE_PHASES[type(state.machine.phase)],
        machine_seq=state.machine.seq,
        faults=state.machine.faults,
        hand_phase=_HAND_PHASES[type(phase)],
        hand=hand.hand,
        hand_number=hand.number,
        dealer=hand.dealer if dealt else None,
        prevalent_wind=prevalent_wind(hand.number) if dealt else None,
        seat_winds=_seat_winds(hand) if dealt else {},
        on_turn=hand.on_turn,
        window_open=isinstance(phase, Turn) and phase.pool.open,
        discarder=phase.pool.seat if isinstance(phase, Turn) else None,
        verifying=phase.declared[-1].seat if isinstance(phase, Verifying) else None,
        paused_reason=phase.reason if isinstance(phase, Paused) else None,
        unsynced_cause=phase.cause if isinstance(phase, Unsynced) else None,
        players=dict(hand.players.items()),
        missed_presses=dict(hand.missed.items()),
        dice=state.machine.dice,
    )


def timers(rules: TableRules, state: TableState, reading: Reading) -> Timers:
    """Return all clocks of the table as they stand."""
    shown = clocks(rules.time, state.hand, reading.moment)
    return Timers(
        table=state.hand.table,
        seq=reading.seq,
        as_of_ms=reading.as_of_ms,
        time=reading.time,
        seats={seat: _face(face) if face else None for seat, face in shown.seats.items()},
        window=_face(shown.window) if shown.window else None,
    )


def _seat_winds(hand: Hand) -> dict[Seat, Wind]:
    return {seat: seat_wind(seat, hand.dealer) for seat in Seat}


def _face(face: ClockFace) -> Face:
    return Face(
        kind=face.kind,
        running=face.running,
        total_ms=whole_ms(face.total),
        remaining_ms=whole_ms(face.remaining),
        over=face.over,
    )


def alert_payload(alert: Alert, table: str, raised: datetime, node: Node) -> AlertPayload:
    """Return an undecided alert as referees see it."""
    foul, measured = alert.foul, alert.foul.measured
    return AlertPayload(
        alert=alert.id,
        revision=alert.revision,
        status=alert.status,
        holder=alert.holder,
        lease_ends_ms=node.uptime_ms(alert.lease_ends) if alert.lease_ends else None,
        table=table,
        hand=foul.hand,
        kind=foul.kind,
        seat=foul.seat,
        player=alert.player,
        measured_least_us=measured.least // MICROSECOND,
        measured_most_us=measured.most // MICROSECOND,
        limit_us=foul.limit // MICROSECOND,
        limit_rule=foul.rule,
        proposal=_sanction(alert.proposal, alert.rule),
        step=alert.step,
        presumed=foul.presumed,
        marked=alert.marked,
        rulings=tuple(_ruling(ruling) for ruling in alert.rulings),
        raised=raised,
        time=node.clock.utc(),
    )


def ledger_payload(memory: TableMemory, reading: Reading) -> LedgerPayload:
    """Return what the rulings that stand cost each player of the table."""
    kept = ledger(memory.state.docket)
    return LedgerPayload(
        table=memory.state.hand.table,
        seq=reading.seq,
        time=reading.time,
        totals=kept.totals,
        lines=tuple(_line(line, memory.ruled[line.alert]) for line in kept.lines),
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


def _line(line: Line, ruled: str) -> LedgerLine:
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
        ruled=datetime.fromisoformat(ruled),
        rulings=tuple(_ruling(ruling) for ruling in line.rulings),
    )


def _sanction(sanction: Sanction, rule: str = "") -> SanctionFields:
    return SanctionFields(kind=sanction.kind, points=sanction.points, rule=rule)


def _ruling(ruling: Ruling) -> RulingFields:
    return RulingFields(
        person=ruling.person,
        sanction=_sanction(ruling.sanction) if ruling.sanction else None,
        reason=ruling.reason,
    )
