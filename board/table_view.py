"""A table as its topics show it."""

from collections import deque
from dataclasses import dataclass, field

from mqtt.parts import CallFields
from mqtt.payloads import EventEnvelope, TableAvailability, TableMeta, TableSnapshot, Timers
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.topics import Address, TopicKind
from table.fouls import FoulKind
from table.seat import Seat

UNCLAIMED = "unclaimed"
_EVENTS_KEPT = 60
_SETTLED_KEPT = 40


@dataclass(frozen=True, slots=True)
class Seen:
    """An event with the kind its topic names."""

    kind: str
    envelope: EventEnvelope


@dataclass(slots=True)
class TableView:
    """What a table said last, its undecided alerts and its newest events."""

    id: str
    meta: TableMeta | None = None
    availability: TableAvailability | None = None
    state: TableSnapshot | None = None
    timers: Timers | None = None
    ledger: LedgerPayload | None = None
    alerts: dict[str, AlertPayload] = field(default_factory=dict)
    """Undecided ones, and those which are only recorded."""
    doubted: set[str] = field(default_factory=set)
    """Undecided ones whose end may have been missed."""
    settled: dict[str, AlertPayload] = field(default_factory=dict)
    """The newest decided ones, as they were last seen before a referee."""
    events: deque[Seen] = field(default_factory=lambda: deque(maxlen=_EVENTS_KEPT))
    """Newest last."""

    @property
    def name(self) -> str:
        """The table as people read it."""
        return (self.meta and self.meta.name) or (self.state and self.state.name) or self.id

    @property
    def zone(self) -> str:
        """The zone of referees that looks after it; empty where there are none."""
        return self.meta.zone if self.meta else ""

    @property
    def players(self) -> dict[Seat, str]:
        """Who sits where, as far as it is known."""
        told = self.state or self.meta
        return dict(told.players) if told else {}

    @property
    def titles(self) -> dict[FoulKind, str]:
        """What the book of the table calls a foul, as far as it has a name for it."""
        return self.meta.titles if self.meta else {}

    @property
    def chiefs(self) -> tuple[str, ...]:
        """Who decides what was put before the chief referee."""
        return self.meta.chiefs if self.meta else ()

    @property
    def calls(self) -> tuple[CallFields, ...]:
        """Who waits for the referee, the oldest first."""
        return self.state.calls if self.state else ()

    @property
    def waiting(self) -> list[AlertPayload]:
        """What is before the referees."""
        return [one for one in self.alerts.values() if one.status != UNCLAIMED]

    @property
    def unclaimed(self) -> list[AlertPayload]:
        """What was seen and recorded, and nobody has objected to."""
        return [one for one in self.alerts.values() if one.status == UNCLAIMED]

    @property
    def node(self) -> str:
        """The node that has the table's cable; empty where it is not known."""
        return self.meta.node if self.meta else ""

    def take(self, address: Address, payload: bytes) -> bool:
        """Take in one message and say whether it told anything new.

        Raises:
            pydantic.ValidationError: the payload is none of the contract.
        """
        match address.kind:
            case TopicKind.ALERT:
                return self._take_alert(address.name, payload)
            case TopicKind.EVENT:
                return self._take_event(address.name, payload)
            case TopicKind.TABLE_META:
                self.meta = TableMeta.model_validate_json(payload)
            case TopicKind.TABLE_AVAILABILITY:
                self.availability = TableAvailability.model_validate_json(payload)
            case TopicKind.STATE:
                self.state = TableSnapshot.model_validate_json(payload)
            case TopicKind.TIMERS:
                self.timers = Timers.model_validate_json(payload)
            case TopicKind.LEDGER:
                self.ledger = LedgerPayload.model_validate_json(payload)
            case _:
                return False
        return True

    def settle_doubted(self) -> bool:
        """Settle the doubted alerts and say whether there were any."""
        doubted, self.doubted = self.doubted, set()
        return sum(self._take_alert(alert, b"") for alert in doubted) > 0

    def _take_event(self, kind: str, payload: bytes) -> bool:
        seen = Seen(kind, EventEnvelope.model_validate_json(payload))
        if any(seen.envelope.id == known.envelope.id for known in self.events):
            return False
        self.events.append(seen)
        return True

    def _take_alert(self, alert: str, payload: bytes) -> bool:
        self.doubted.discard(alert)
        if payload:
            self.alerts[alert] = AlertPayload.model_validate_json(payload)
            self.settled.pop(alert, None)
            return True
        gone = self.alerts.pop(alert, None)
        if gone is None:
            return False
        if gone.status == UNCLAIMED:
            return True
        self.settled[alert] = gone
        while len(self.settled) > _SETTLED_KEPT:
            del self.settled[next(iter(self.settled))]
        return True
