"""Models of what a node publishes of fouls and rulings; clocks as in `mqtt.payloads`."""

from pydantic import Field

from mqtt.parts import (
    ClosedLine,
    IntervalFields,
    LedgerLine,
    Microseconds,
    Milliseconds,
    NoteFields,
    Payload,
    PaymentFields,
    RulingFields,
    SanctionFields,
    Utc,
)
from scoring.alert import AlertStatus
from table.fouls import FoulKind
from table.seat import Seat


class AlertPayload(Payload):
    """A foul before the referees as long as nobody decided it, or recorded until one objects."""

    alert: str
    revision: int
    """A ruling must name the revision it rests on."""
    status: AlertStatus
    """`unclaimed`: only recorded, before the referees as soon as one takes it up."""
    holder: str = ""
    lease_ends_ms: Milliseconds | None = None
    """Until when on the node's clock it is kept for the holder."""
    table: str
    hand: str
    kind: FoulKind
    seat: Seat
    player: str
    players: dict[Seat, str] = Field(default={})
    """Who sat where, hence who is paid."""
    measured_least_us: Microseconds | None = None
    """The reading most favourable to the player; None where nothing is measured."""
    measured_most_us: Microseconds | None = None
    limit_us: Microseconds | None = None
    excess_us: Microseconds = 0
    """How far the most favourable reading is over the limit."""
    started: IntervalFields | None = None
    """When the measured time began; None where nothing is known of it."""
    ended: IntervalFields | None = None
    """The press or draw that ended it."""
    limit_rule: str
    """Rule set and article that was broken."""
    entered_by: str = ""
    """The referee who entered it; empty where the table sensed it."""
    remark: str = ""
    """What that referee wrote about it."""
    proposal: SanctionFields
    choices: tuple[str, ...] = ()
    """Everything else that may be imposed, as it is written: `10-each+mechanical`."""
    step: int
    """Which standing foul of this player, kind and hand or session it would be."""
    presumed: bool = False
    """The start was not sensed but taken as the latest the rules allow."""
    marked: bool = False
    """A ruling this one rested on was reversed."""
    rests_on: tuple[str, ...] = ()
    """The alerts whose rulings it follows from."""
    objector: Seat | None = None
    """Who called the foul, where it was recorded first."""
    escalated: str = ""
    """Why only the chief referee decides; empty where every referee may."""
    notes: tuple[NoteFields, ...] = ()
    rulings: tuple[RulingFields, ...] = ()
    records: tuple[int, ...] = ()
    """Numbers of the journal's records that it rests on: what began, what ended, what ruled."""
    raised: Utc
    """When it came before the referees, or was recorded."""
    time: Utc


class LedgerPayload(Payload):
    """What the players of a table lost and received by rulings in this session."""

    table: str
    seq: int
    time: Utc
    totals: dict[str, int] = Field(default={})
    """Points of each player, received less paid."""
    lines: tuple[LedgerLine, ...] = ()
    payments: tuple[PaymentFields, ...] = ()
    """Who pays whom, in the order of the lines."""
    closed: tuple[ClosedLine, ...] = ()
    """The newest of what was waived or reversed, in the order decided."""
