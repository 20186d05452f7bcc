"""What payloads have in common, and the parts that more than one of them is made of.

Readers ignore fields they do not know: minor versions only add.
"""

from datetime import UTC, datetime
from typing import Annotated, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, PlainSerializer

from scoring.alert import AlertStatus
from table.events import Fault
from table.fouls import FoulKind
from table.moment import Quality
from table.sanctions import Measure, SanctionKind
from table.seat import Seat


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Utc: TypeAlias = Annotated[AwareDatetime, PlainSerializer(_iso, when_used="json")]
Milliseconds: TypeAlias = int
Microseconds: TypeAlias = int


class Payload(BaseModel):
    """What all payloads have in common: immutable, unknown fields are passed over."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    def encode(self) -> bytes:
        """Return the JSON that goes on the wire."""
        return self.model_dump_json().encode()


class Face(Payload):
    """One clock as it stood at `as_of_ms`."""

    kind: str
    """What is timed: `first-discard`, `turn`, `call-window` or `hand-total`."""
    running: bool
    total_ms: Milliseconds
    remaining_ms: Milliseconds
    over: bool
    """Whether the limit is reached: a notice, not a foul."""


class RestrictionFields(Payload):
    """What a standing ruling forbids a seat; it goes on drawing, discarding and paying."""

    no_hu: bool = False
    no_calls: bool = False
    """Neither chow nor pung nor kong; flowers are still replaced."""
    mechanical: bool = False
    """Discards every tile it draws."""
    out: bool = False
    """The player is out: whoever sits there is a stand-in."""


class FaultFields(Payload):
    """A fault of the machine that stands."""

    fault: Fault
    severity: int
    """1 notice, 2 hindrance, 3 standstill, 4 danger."""
    code: int = 0
    """The machine's own code, 0 where it gave none."""
    text: str = ""
    """What its maker calls it."""
    times: int = 1
    """How often the machine reported it since it came."""
    unfair: str = ""
    """Why no hand should be played while it stands, in a clause; empty where play stays fair."""


class CycleFields(Payload):
    """The cycle that shuffles and stacks the next wall, as it stood at `as_of_ms`."""

    running_ms: Milliseconds | None
    """How long it runs; null where nobody saw it begin, or while it is paused."""
    expected_ms: Milliseconds
    slow_ms: Milliseconds
    """From here on it is a notice, the fault `slow-cycle`."""
    failed_ms: Milliseconds
    """From here on it is a fault, `cycle-failed`."""
    slow: bool
    reopened: bool
    """It is paused and the table is open; `resume-cycle` lets it go on."""


class CallFields(Payload):
    """A seat that waits for the referee."""

    seat: Seat
    time: Utc
    """When it called."""


class IntervalFields(Payload):
    """When something happened, on the clock of the node's session in which it was seen."""

    earliest_us: Microseconds
    latest_us: Microseconds
    quality: Quality
    """How it is known."""


class SanctionFields(Payload):
    """A sanction and where it is written."""

    kind: SanctionKind
    points: int = 0
    rule: str = ""
    measures: tuple[Measure, ...] = ()
    """What it does beside points."""
    to: str = ""
    """The player who receives a `pay-player`; a proposal need not name one."""


class RulingFields(Payload):
    """One decision of one referee."""

    person: str
    sanction: SanctionFields | None = None
    """None for a waiver, a reversal or what was undone."""
    reason: str = ""
    deed: str = ""
    """`confirmed`, `modified`, `waived`, `reversed`, `restored` or `undone`."""


class NoteFields(Payload):
    """Something a person wrote down about an alert."""

    person: str
    text: str


class PaymentFields(Payload):
    """What one player pays another because of a ruling that stands."""

    payer: str
    payee: str | None = None
    """None where the points are paid to nobody."""
    points: int
    """More than 0."""
    alert: str


class PowersFields(Payload):
    """What a referee may impose instead of a proposal; each part must be among it."""

    warning: bool = True
    points: tuple[int, ...] = ()
    """Taken from the offender, paid to nobody."""
    each: tuple[int, ...] = ()
    """To each of the other three."""
    player: tuple[int, ...] = ()
    """To one player."""
    measures: tuple[Measure, ...] = ()
    rule: str = ""


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
    records: tuple[int, ...] = ()
    """Numbers of the journal's records that the foul and the ruling rest on."""


class ClosedLine(Payload):
    """An alert that was decided and costs nothing: it may be opened or restored again."""

    alert: str
    revision: int
    """Of the alert; who takes the decision back must name it."""
    hand: str
    kind: FoulKind
    player: str
    seat: Seat
    """Where the player sat when the foul was seen."""
    status: AlertStatus
    """`waived` or `reversed`."""
    ruled: Utc | None = None
    rulings: tuple[RulingFields, ...] = ()
    """Everything that was ruled on the alert, the last one last."""
