"""Payloads of a made-up venue: what its nodes would have published."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from board.hall_view import Changes, Hall
from mqtt.events import Effect, Origin, described, envelope
from mqtt.parts import (
    CallFields,
    ClosedLine,
    Face,
    LedgerLine,
    Payload,
    RulingFields,
    SanctionFields,
)
from mqtt.payloads import (
    EventEnvelope,
    Heartbeat,
    NodeAvailability,
    NodeMeta,
    TableAvailability,
    TableMeta,
    TableSnapshot,
    Timers,
)
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.topics import Root
from scoring.alert import Alert, AlertStatus, Ruling
from table.fouls import FoulKind, FoulSeen
from table.moment import MICROSECOND, Elapsed, Interval, Moment
from table.sanctions import Sanction, SanctionKind
from table.seat import Seat
from table.wind import seat_wind

ROOT = Root("mahjong", "hall-one")
NODE = "n1"
START = Moment(1_000_000_000)
"""When the board hears of the venue, on its own clock."""
NOON = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
RULE = "mcr-2014 art. 6 (出牌)"
LADDER = "mcr-2014 art. 11 (违例)"
WARNING = SanctionFields(kind=SanctionKind.WARNING, rule=LADDER)
PLAYERS = dict(zip(Seat, ("chen-3", "suzuki-1", "moreau-2", "novak-4"), strict=True))


CHOICES = ("warning", "5", "10", "20", "30", "40", "50", "60", "no-hu", "choice")
"""What mcr-2014 lets a referee impose, as it is written on the wire."""
TOOK = "Discard took between 10.009 s and 10.011 s, limit 10 s".replace(" s", "\N{NO-BREAK SPACE}s")
"""What is said of the alert below; a number is never torn from its unit."""
FOULS = {
    FoulKind.FALSE_HU: "mcr-2014 art. 11 (违例 6)",
    FoulKind.WRONG_MELD: "mcr-2014 art. 11 (违例 8)",
    FoulKind.PHONE_RANG: "mcr-2014 art. 11 (警告)",
}
"""Some of what a referee may enter."""


def minus(points: int) -> SanctionFields:
    return SanctionFields(kind=SanctionKind.POINTS, points=points, rule=LADDER)


def node_availability(status: str = "online", session: int = 3) -> NodeAvailability:
    return NodeAvailability.model_validate(
        {"node": NODE, "status": status, "session": session, "since": NOON, "time": NOON}
    )


def node_meta() -> NodeMeta:
    return NodeMeta(
        node=NODE, time=NOON, venue_name="Hall One", software="0.1.0", ruleset="mcr-2014"
    )


def beat(uptime_ms: int, session: int = 3, **more: object) -> Heartbeat:
    fields = {"node": NODE, "session": session, "time": NOON, "uptime_ms": uptime_ms}
    return Heartbeat.model_validate(fields | more)


def table_meta(table: str, name: str = "", zone: str = "") -> TableMeta:
    return TableMeta(
        table=table,
        name=name or table,
        node=NODE,
        time=NOON,
        ruleset="mcr-2014",
        players=PLAYERS,
        zone=zone,
        fouls=FOULS,
    )


def table_availability(table: str, status: str = "online", *causes: str) -> TableAvailability:
    return TableAvailability.model_validate(
        {"table": table, "status": status, "causes": causes, "time": NOON}
    )


def snapshot(table: str, **changes: object) -> TableSnapshot:
    """Return a table in its third hand, seat 2 deals and is on turn."""
    named = changes.get("dealer", Seat.TWO)
    dealer = Seat(named) if isinstance(named, int) else None
    fields: dict[str, object] = {
        "table": table,
        "name": f"Table {table.removeprefix('t')}",
        "seq": 41,
        "as_of_ms": 60_000,
        "time": NOON,
        "link": "up",
        "machine_phase": "ready",
        "machine_seq": 7,
        "hand_phase": "turn",
        "hand": f"{table}-s1-h3",
        "hand_number": 3,
        "dealer": dealer,
        "prevalent_wind": "east",
        "seat_winds": {seat: seat_wind(seat, dealer) for seat in Seat} if dealer else {},
        "on_turn": Seat.TWO,
        "players": PLAYERS,
        "missed_presses": dict.fromkeys(Seat, 0),
    }
    return TableSnapshot.model_validate(fields | changes)


def waits(seat: Seat, after: int) -> CallFields:
    """Return the call of a seat so many seconds after noon."""
    return CallFields(seat=seat, time=NOON + timedelta(seconds=after))


def running(remaining_ms: int, total_ms: int = 10_000, kind: str = "turn") -> Face:
    return Face(kind=kind, running=True, total_ms=total_ms, remaining_ms=remaining_ms, over=False)


def reached(total_ms: int = 10_000, kind: str = "turn") -> Face:
    return Face(kind=kind, running=False, total_ms=total_ms, remaining_ms=0, over=True)


def timers(table: str, as_of_ms: int, window: Face | None = None, **seats: Face | None) -> Timers:
    """Return the clocks of a table; seats by keyword `seat_1` to `seat_4`."""
    faces = {seat: seats.get(f"seat_{seat.value}") for seat in Seat}
    return Timers(table=table, seq=41, as_of_ms=as_of_ms, time=NOON, seats=faces, window=window)


def alert(table: str, number: int, **changes: object) -> AlertPayload:
    """Return an open alert: a discard that took 10.009 to 10.011 s."""
    fields: dict[str, object] = {
        "alert": f"{table}-s1-h3-f{number}",
        "revision": 1,
        "status": AlertStatus.OPEN,
        "table": table,
        "hand": f"{table}-s1-h3",
        "kind": FoulKind.DISCARD_OVER_LIMIT,
        "seat": Seat.THREE,
        "player": PLAYERS[Seat.THREE],
        "players": PLAYERS,
        "choices": CHOICES,
        "excess_us": 9_000,
        "records": (118, 121),
        "measured_least_us": 10_009_000,
        "measured_most_us": 10_011_000,
        "limit_us": 10_000_000,
        "limit_rule": RULE,
        "proposal": WARNING,
        "step": 1,
        "raised": NOON + timedelta(seconds=number),
        "time": NOON + timedelta(seconds=number),
    }
    return AlertPayload.model_validate(fields | changes)


def ledger(
    table: str, *lines: LedgerLine, closed: tuple[ClosedLine, ...] = (), **more: object
) -> LedgerPayload:
    totals: dict[str, int] = {}
    for line in lines:
        totals[line.player] = totals.get(line.player, 0) - line.sanction.points
    fields: dict[str, object] = {
        "table": table,
        "seq": 41,
        "time": NOON,
        "totals": totals,
        "lines": lines,
        "closed": closed,
    }
    return LedgerPayload.model_validate(fields | more)


def line(table: str, number: int, sanction: SanctionFields, **changes: object) -> LedgerLine:
    fields: dict[str, object] = {
        "alert": f"{table}-s1-h3-f{number}",
        "revision": 3,
        "hand": f"{table}-s1-h3",
        "kind": FoulKind.LATE_PUNG,
        "player": PLAYERS[Seat.ONE],
        "seat": Seat.ONE,
        "step": 1,
        "sanction": sanction,
        "person": "Referee West",
        "ruled": NOON + timedelta(seconds=number),
        "rulings": (RulingFields(person="Referee West", sanction=sanction, deed="confirmed"),),
    }
    return LedgerLine.model_validate(fields | changes)


def waived(table: str, number: int, person: str, **changes: object) -> ClosedLine:
    """Return an alert that somebody waived."""
    fields: dict[str, object] = {
        "alert": f"{table}-s1-h3-f{number}",
        "revision": 5,
        "hand": f"{table}-s1-h3",
        "kind": FoulKind.EMPTY_CALL,
        "player": PLAYERS[Seat.TWO],
        "seat": Seat.TWO,
        "status": AlertStatus.WAIVED,
        "ruled": NOON + timedelta(seconds=number),
        "rulings": (RulingFields(person=person, reason="Seen", deed="waived"),),
    }
    return ClosedLine.model_validate(fields | changes)


def event(table: str, seq: int, effect: Effect) -> EventEnvelope:
    """Return what the world hears of an effect."""
    event = described(effect)
    assert event, f"{effect} is no event of the contract"
    origin = Origin(NODE, table, 1, seq, NOON + timedelta(seconds=seq), "table")
    return envelope(event, ROOT, origin)


def ruled(payload: AlertPayload, status: AlertStatus, *rulings: Ruling) -> Alert:
    """Return the alert of a payload as the docket has it after these rulings."""
    moment = Interval.exactly(Moment(0))
    assert payload.measured_least_us
    assert payload.measured_most_us
    assert payload.limit_us
    least, most = payload.measured_least_us * MICROSECOND, payload.measured_most_us * MICROSECOND
    foul = FoulSeen(
        id=payload.alert,
        kind=payload.kind,
        seat=payload.seat,
        hand=payload.hand,
        measured=Elapsed(least, most),
        limit=payload.limit_us * MICROSECOND,
        rule=payload.limit_rule,
        started=moment,
        ended=moment,
    )
    proposal = Sanction(payload.proposal.kind, payload.proposal.points)
    alert = Alert(foul, payload.player, payload.step, proposal, LADDER, payload.revision)
    return replace(alert, status=status, holder=payload.holder, rulings=rulings)


def told(hall: Hall, topic: str, payload: Payload | None, now: Moment = START) -> Changes:
    return hall.apply(topic, payload.encode() if payload else b"", now)


def a_hall() -> Hall:
    """Return a hall that has heard of one node and table 1 in play."""
    hall = Hall(ROOT)
    told(hall, ROOT.node_meta(NODE), node_meta())
    told(hall, ROOT.node_availability(NODE), node_availability())
    told(hall, ROOT.heartbeat(NODE), beat(60_000))
    told(hall, ROOT.table_meta("t1"), table_meta("t1", "Table 1"))
    told(hall, ROOT.table_availability("t1"), table_availability("t1"))
    told(hall, ROOT.state("t1"), snapshot("t1"))
    told(hall, ROOT.timers("t1"), timers("t1", 60_000, seat_2=running(9_000)))
    return hall
