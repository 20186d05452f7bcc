"""What the retained topics of a table say, from the core's state; pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from controller.node import whole_ms
from controller.table_core import TableRules, TableState, broken_wall
from controller.table_memory import TableMemory
from mqtt.parts import CallFields, CycleFields, Face, FaultFields, RestrictionFields
from mqtt.payloads import HandPhase, MachinePhase, TableSnapshot, Timers
from table.moment import Moment
from table.restrictions import Restriction
from table.seat import BySeat, Seat
from table.wind import Wind, prevalent_wind, seat_wind
from timing import machine
from timing.display import ClockFace, clocks
from timing.hu_ranking import winners
from timing.machine_cycle import ran_for
from timing.machine_phases import StandingFault
from timing.machine_rules import MachineRules
from timing.phases import Arranging, Hand, Idle, Over, Paused, Phase, Turn, Unsynced, Verifying
from timing.ready import ready_seats


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
_MACHINE_PHASES: dict[type[machine.MachinePhase], MachinePhase] = {
    machine.Empty: "empty",
    machine.Cycling: "cycling",
    machine.Ready: "ready",
    machine.Raised: "raised",
    machine.Faulty: "fault",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What is fixed about a table: its name as people read it, and its rules."""

    name: str
    rules: TableRules


def snapshot(shown: Shown, memory: TableMemory, reading: Reading, *, linked: bool) -> TableSnapshot:
    """Return the table as a whole."""
    state, hand = memory.state, memory.state.hand
    dealt = hand.deals > 0
    phase = hand.phase
    broken = broken_wall(shown.rules, state)
    return TableSnapshot(
        table=hand.table,
        name=shown.name,
        seq=reading.seq,
        as_of_ms=reading.as_of_ms,
        time=reading.time,
        link="up" if linked else "down",
        machine_phase=_MACHINE_PHASES[type(state.machine.phase)],
        machine_seq=state.machine.seq,
        faults=state.machine.faults,
        machine_faults=tuple(map(_fault, state.machine.standing)),
        cycle=_cycle(shown.rules.machine, state.machine, reading.moment),
        lift=_lift(state.machine),
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
        declared=_declared(phase),
        hu_winners=winners(shown.rules.time, hand),
        paused_reason=phase.reason if isinstance(phase, Paused) else None,
        unsynced_cause=phase.cause if isinstance(phase, Unsynced) else None,
        players=dict(hand.players.items()),
        missed_presses=dict(hand.missed.items()),
        restrictions={seat: _restriction(one) for seat, one in hand.restrictions.items() if one},
        stand_ins={seat: one for seat, one in hand.stand_ins.items() if one},
        extra_time_ms=whole_ms(hand.extra_time),
        ready=tuple(seat for seat, said in ready_seats(hand).items() if said),
        calls=_calls(memory),
        dice=state.machine.dice,
        throws=state.machine.throws,
        second_thrower=broken.thrower,
        wall_seat=broken.wall,
        wall_break=broken.stack,
        disarmed=hand.disarmed,
    )


def timers(rules: TableRules, state: TableState, reading: Reading) -> Timers:
    """Return all clocks of the table as they stand."""
    shown = clocks(rules.time, state.hand, reading.moment)
    return Timers(
        table=state.hand.table,
        seq=reading.seq,
        as_of_ms=reading.as_of_ms,
        time=reading.time,
        seats=_faces(shown.seats),
        window=_face(shown.window) if shown.window else None,
        totals=_faces(shown.totals) if any(face for _, face in shown.totals.items()) else {},
    )


def _fault(one: StandingFault) -> FaultFields:
    return FaultFields(
        fault=one.fault,
        severity=one.severity,
        code=one.code,
        text=one.text,
        times=one.times,
        unfair=one.unfair,
    )


def _cycle(rules: MachineRules, state: machine.Machine, now: Moment) -> CycleFields | None:
    running = state.beneath
    if not isinstance(running, machine.Cycling):
        return None
    ran = ran_for(state, now)
    return CycleFields(
        running_ms=None if ran is None else whole_ms(ran),
        expected_ms=whole_ms(rules.expected),
        slow_ms=whole_ms(rules.slow),
        failed_ms=whole_ms(rules.failed),
        slow=running.slow,
        reopened=running.reopened,
    )


def _lift(state: machine.Machine) -> Literal["raised", "lowered", "unknown"] | None:
    if not state.abilities.lift_toggles:
        return None
    return state.lift.value if state.lift else "unknown"


def _declared(phase: Phase) -> tuple[Seat, ...]:
    """Return whose hu is being verified, or was when the table lost step."""
    match phase:
        case Verifying(seats=declared) | Unsynced(declared=declared):
            return declared
        case _:
            return ()


def _calls(memory: TableMemory) -> tuple[CallFields, ...]:
    """Return who waits for the referee, in the order in which they called."""
    waiting = [call.seat for call in memory.state.hand.calls]
    return tuple(
        CallFields(seat=seat, time=datetime.fromisoformat(memory.called[seat])) for seat in waiting
    )


def _restriction(one: Restriction) -> RestrictionFields:
    return RestrictionFields(
        no_hu=one.no_hu, no_calls=one.no_calls, mechanical=one.mechanical, out=one.out
    )


def _faces(faces: BySeat[ClockFace | None]) -> dict[Seat, Face | None]:
    return {seat: _face(face) if face else None for seat, face in faces.items()}


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
