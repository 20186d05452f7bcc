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

from typing import Any, Literal, TypeAlias

from pydantic import Field

from mqtt.parts import (
    CallFields,
    CycleFields,
    Face,
    FaultFields,
    Microseconds,
    Milliseconds,
    Payload,
    PowersFields,
    RestrictionFields,
    Utc,
)
from table.events import Fault
from table.fouls import FoulKind
from table.seat import Seat
from table.wind import Wind

CONTRACT_VERSION = "1.3"
MachinePhase: TypeAlias = Literal["empty", "cycling", "ready", "raised", "fault"]
HandPhase: TypeAlias = Literal[
    "idle", "arranging", "turn", "verifying", "paused", "unsynced", "over"
]
Availability: TypeAlias = Literal["online", "degraded", "offline"]


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
    last_seq: dict[str, int] = Field(default={})
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
    overrides: dict[str, str] = Field(default={})
    """Rule set values the event changed, by name."""
    keeps_venue: bool = False
    tables: tuple[str, ...] = ()


class PaceFields(Payload):
    """How closely the seats of a table are watched that does not stamp presses itself."""

    wanted_us: Microseconds
    """The period that its settings ask for."""
    achieved_us: Microseconds
    """Mean time from one question to the next, as measured."""
    width_us: Microseconds
    """What changed between two answers happened in an interval of this width, in the median."""
    widest_us: Microseconds
    """The widest of the newest ones."""


class TableMeta(Payload):
    """What a table is and what it can do."""

    table: str
    name: str
    node: str
    time: Utc
    ruleset: str
    wire: str = ""
    """How the table speaks, as its settings say; `pads`: a pad at each seat is all it has."""
    vendor: str = ""
    """Identity as read from the wire; empty until it was first connected."""
    model: str = ""
    serial: str = ""
    firmware: str = ""
    certificate: str = ""
    capabilities: dict[str, str] = Field(default={})
    """Grade of each capability: native, retrofit, inferred, manual or absent."""
    resolution_us: Microseconds | None = None
    """Step of the table's own time stamps; of one whose seats are watched from outside, the width
    of the interval in which a press is known."""
    pace: PaceFields | None = None
    """Measured, and told again when it changed by more than an eighth; null where the table stamps
    presses itself."""
    players: dict[Seat, str] = Field(default={})
    zone: str = ""
    """Which referees look after it; empty where the venue has no zones."""
    fouls: dict[FoulKind, str] = Field(default={})
    """The kinds that can be entered with `enter-foul`, and where their sanctions are written."""
    titles: dict[FoulKind, str] = Field(default={})
    """What the rule set calls each kind of foul, for people; a kind without a title is absent."""
    powers: PowersFields = PowersFields()
    chiefs: tuple[str, ...] = ()
    """Who alone decides what was put before the chief referee; empty where the event has none."""
    tile_set: int | None = None
    """How many tiles the venue says the table is set to; null: nobody said. No table tells it."""
    tiles_needed: int | None = None
    """How many tiles the rule set is played with: 144 has flowers, 136 none."""
    deal_end: Literal["signal", "four-ready", "referee"] = "signal"
    """What ends the deal beside a referee's word."""
    certificate_status: str = ""
    """`unseen`, `certified`, `uncertified`, `changed`, `expired` or `revoked`; empty where the
    event does not look at certificates."""
    certificate_until: str = ""
    """The last day of the certificate in question, written 2026-07-01; empty without one."""
    certificate_notice: str = ""
    """What staff should know of it, in sentences: why it does not hold, that it ends soon, or what
    contradicts it."""


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
    machine_faults: tuple[FaultFields, ...] = ()
    """The same with what is known of each; unknown ones are told apart by their codes."""
    cycle: CycleFields | None = None
    """The cycle that runs; null where none does."""
    lift: Literal["raised", "lowered", "unknown"] | None = None
    """Where the lift stands if the table has one key for both ways; null where it has not.
    Where it is unknown, `lift` is refused until somebody orders `set-lift`."""
    hand_phase: HandPhase
    hand: str
    """Id of the hand, precondition of commands about it; empty before the first."""
    hand_number: int
    """Counted from 1 in the session; 0 before the first."""
    dealer: Seat | None = None
    prevalent_wind: Wind | None = None
    seat_winds: dict[Seat, Wind] = Field(default={})
    """Empty before the first hand."""
    on_turn: Seat | None = None
    window_open: bool = False
    """Whether pung and kong may be called on the newest discard."""
    discarder: Seat | None = None
    """Whose discard the window is about."""
    verifying: Seat | None = None
    """Who declared hu last."""
    declared: tuple[Seat, ...] = ()
    """Everybody whose hu is being verified, in the order declared."""
    hu_winners: tuple[Seat, ...] = ()
    """Who would win if all of them are valid, in order of pay."""
    paused_reason: str | None = None
    unsynced_cause: str | None = None
    players: dict[Seat, str]
    missed_presses: dict[Seat, int]
    """How often the seat let others press for it in this hand."""
    restrictions: dict[Seat, RestrictionFields] = Field(default={})
    """What rulings that stand forbid; only seats that are restricted."""
    stand_ins: dict[Seat, str] = Field(default={})
    """Who plays for a player who is out."""
    extra_time_ms: Milliseconds = 0
    """What the table may play longer in this session."""
    ready: tuple[Seat, ...] = ()
    """Who has said that the tiles are arranged, where four such presses end the deal."""
    calls: tuple[CallFields, ...] = ()
    """Who waits for the referee until somebody orders `answer-call`, the oldest first."""
    dice: tuple[int, ...] | None = None
    """The newest throw; None: unknown, most tables cannot read them."""
    throws: tuple[tuple[int, ...] | None, ...] = ()
    """Every throw for the present wall; None: thrown, not read."""
    second_thrower: Seat | None = None
    """Whom the first throw names to throw second, where the rule set has a second throw."""
    wall_seat: Seat | None = None
    """In front of whom the wall is broken; None: unknown."""
    wall_break: int | None = None
    """The first stack that is taken, from 1 at the right-hand end of that wall; None: unknown."""
    disarmed: str = ""
    """Why no hand begins and no motor runs; empty where the table is armed."""


class Timers(Payload):
    """All clocks of a table; sent on transitions only, never as a tick."""

    table: str
    seq: int
    as_of_ms: Milliseconds
    time: Utc
    seats: dict[Seat, Face | None]
    window: Face | None = None
    totals: dict[Seat, Face | None] = Field(default={})
    """What is left of each seat's thinking time of the whole hand, where the book limits it."""


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
    previous: int = 0
    """`tableseq` of the newest earlier event of the table and epoch that everyone may read; 0 where
    there is none. Who does not read all events finds holes by it."""
    epoch: int
    """Grows when a table's numbering starts anew."""
    cause: str
    """`table`, `time`, `order`, `link`, `certificate` or `restart`."""
    causeid: str = ""
    """Id of the command, where the cause is an order."""
    data: dict[str, Any]
