"""Models of what a node publishes; commands and replies are in `mqtt.orders`.

Two clocks appear. `time` is the node's UTC, for records only. `…_ms` and `…_us` readings named
`as_of`, `uptime`, `lease_ends`, `earliest` and `latest` are the node's own clock, which starts at
some moment of its session and never jumps.

Display rule: a client shows `remaining_ms - (node_now_ms - as_of_ms)` while `running`, else
`remaining_ms`, never below 0. It finds `node_now_ms` from the newest heartbeat: `uptime_ms` plus
the time that passed on the client's own monotonic clock since the heartbeat arrived. A client's
wall clock is never used.

Readers ignore fields they do not know: minor versions only add.
"""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, PlainSerializer

from scoring.alert import AlertStatus
from table.events import Fault
from table.fouls import FoulKind
from table.sanctions import SanctionKind
from table.seat import Seat
from table.wind import Wind

CONTRACT_VERSION = "1.0"


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Utc: TypeAlias = Annotated[AwareDatetime, PlainSerializer(_iso, when_used="json")]
Milliseconds: TypeAlias = int
Microseconds: TypeAlias = int
MachinePhase: TypeAlias = Literal["empty", "cycling", "ready", "raised", "fault"]
HandPhase: TypeAlias = Literal[
    "idle", "arranging", "turn", "verifying", "paused", "unsynced", "over"
]
Availability: TypeAlias = Literal["online", "degraded", "offline"]


class Payload(BaseModel):
    """What all payloads have in common: immutable, unknown fields are passed over."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    def encode(self) -> bytes:
        """Return the JSON that goes on the wire."""
        return self.model_dump_json().encode()


class NodeAvailability(Payload):
    """Whether a node is there; birth and last will are equal but for `status`."""

    node: str
    status: Literal["online", "stopping", "offline"]
    session: int
    """Grows with every start of the node; ignore a message with a lower one than already seen."""
    since: Utc
    """Start of the session."""
    time: Utc
    """When this was written; of a last will: when the connection was made."""


class Heartbeat(Payload):
    """Every 2 s; a node without three of them is gone, whatever its availability says."""

    node: str
    session: int
    time: Utc
    uptime_ms: Milliseconds
    """The node's clock now, the same that every `as_of_ms` was read from."""
    last_seq: dict[str, int] = {}
    outbox: int = 0
    """Events that wait for the broker."""
    alarms: tuple[str, ...] = ()
    """What staff must see to, in sentences; empty when all is well."""


class NodeMeta(Payload):
    """What a node is and which rules it applies."""

    node: str
    time: Utc
    venue_name: str
    software: str
    """Version of the daemon."""
    contract: str = CONTRACT_VERSION
    ruleset: str
    overrides: dict[str, str] = {}
    """Rule set values the event changed, by name."""
    keeps_venue: bool = False
    tables: tuple[str, ...] = ()


class TableMeta(Payload):
    """What a table is and what it can do."""

    table: str
    name: str
    node: str
    time: Utc
    ruleset: str
    vendor: str = ""
    """Identity as read from the wire; empty until it was first connected."""
    model: str = ""
    serial: str = ""
    firmware: str = ""
    certificate: str = ""
    capabilities: dict[str, str] = {}
    """Grade of each capability: native, retrofit, inferred, manual or absent."""
    resolution_us: Microseconds | None = None
    """Step of the table's own time stamps."""
    players: dict[Seat, str] = {}


class TableAvailability(Payload):
    """Whether a table can be reached."""

    table: str
    status: Availability
    causes: tuple[str, ...] = ()
    """Why it is not plainly online, in sentences."""
    last_contact: Utc | None = None
    time: Utc


class TableSnapshot(Payload):
    """A table as a whole."""

    table: str
    name: str
    seq: int
    """Newest event this snapshot contains."""
    as_of_ms: Milliseconds
    time: Utc
    link: Literal["up", "down"]
    machine_phase: MachinePhase
    machine_seq: int
    """Precondition of commands that move motors."""
    faults: tuple[Fault, ...] = ()
    hand_phase: HandPhase
    hand: str
    """Id of the hand, precondition of commands about it; empty before the first."""
    hand_number: int
    """Counted from 1 in the session; 0 before the first."""
    dealer: Seat | None = None
    prevalent_wind: Wind | None = None
    seat_winds: dict[Seat, Wind] = {}
    """Empty before the first hand."""
    on_turn: Seat | None = None
    window_open: bool = False
    """Whether pung and kong may be called on the newest discard."""
    discarder: Seat | None = None
    """Whose discard the window is about."""
    verifying: Seat | None = None
    """Who declared hu."""
    paused_reason: str | None = None
    unsynced_cause: str | None = None
    players: dict[Seat, str]
    missed_presses: dict[Seat, int]
    """How often the seat let others press for it in this hand."""
    dice: tuple[int, ...] | None = None
    """None: unknown, most tables cannot read them."""
    wall_break: int | None = None
    """None: unknown."""


class Face(Payload):
    """One clock as it stood at `as_of_ms`."""

    kind: str
    """What is timed: `first-discard`, `turn` or `call-window`."""
    running: bool
    total_ms: Milliseconds
    remaining_ms: Milliseconds
    over: bool
    """Whether the limit is reached: a notice, not a foul."""


class Timers(Payload):
    """All clocks of a table; sent on transitions only, never as a tick."""

    table: str
    seq: int
    as_of_ms: Milliseconds
    time: Utc
    seats: dict[Seat, Face | None]
    window: Face | None = None


class SanctionFields(Payload):
    """A sanction and where it is written."""

    kind: SanctionKind
    points: int = 0
    rule: str = ""


class RulingFields(Payload):
    """One decision of one referee."""

    person: str
    sanction: SanctionFields | None = None
    """None for a waiver or a reversal."""
    reason: str = ""


class AlertPayload(Payload):
    """A foul before the referees, as long as nobody decided it."""

    alert: str
    revision: int
    """A ruling must name the revision it rests on."""
    status: AlertStatus
    holder: str = ""
    lease_ends_ms: Milliseconds | None = None
    """Until when on the node's clock it is kept for the holder."""
    table: str
    hand: str
    kind: FoulKind
    seat: Seat
    player: str
    measured_least_us: Microseconds
    """The reading most favourable to the player; over the limit, or there were no alert."""
    measured_most_us: Microseconds
    limit_us: Microseconds
    limit_rule: str
    proposal: SanctionFields
    step: int
    """Which standing foul of this player, kind and hand it would be."""
    presumed: bool = False
    """The start was not sensed but taken as the latest the rules allow."""
    marked: bool = False
    """A ruling this one rested on was reversed."""
    rulings: tuple[RulingFields, ...] = ()
    raised: Utc
    time: Utc


class LedgerLine(Payload):
    """One ruling that stands."""

    alert: str
    revision: int
    """Of the alert; who reverses the ruling must name it."""
    hand: str
    kind: FoulKind
    player: str
    seat: Seat
    """Where the player sat when the foul was seen."""
    step: int
    sanction: SanctionFields
    marked: bool = False
    """It rested on a ruling that was reversed; it stands until a referee rules again."""
    person: str
    """Who made the ruling that stands."""
    reason: str = ""
    ruled: Utc | None = None
    rulings: tuple[RulingFields, ...] = ()
    """Everything that was ruled on the alert; the last one stands."""


class LedgerPayload(Payload):
    """What the players of a table lost by rulings in this session."""

    table: str
    seq: int
    time: Utc
    totals: dict[str, int] = {}
    """Points of each player; 0 or less."""
    lines: tuple[LedgerLine, ...] = ()


class EventEnvelope(Payload):
    """A numbered event: a CloudEvents 1.0 message in structured JSON."""

    specversion: Literal["1.0"] = "1.0"
    id: str
    """Deduplicate by this: an event may arrive twice, with the same id."""
    source: str
    """Root and node, as a relative URI."""
    type: str
    """`tablewarden.` and the event kind."""
    subject: str
    """The table."""
    time: Utc
    datacontenttype: Literal["application/json"] = "application/json"
    tableseq: int
    """Grows by one from event to event of a table and epoch: a hole is a lost event."""
    epoch: int
    """Grows when a table's numbering starts anew."""
    cause: str
    """`table`, `time`, `order`, `link` or `restart`."""
    causeid: str = ""
    """Id of the command, where the cause is an order."""
    data: dict[str, Any]
