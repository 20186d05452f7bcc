"""The one list of topics: how each kind is delivered, what it carries and for whom it is.

Page, schemas, AsyncAPI document and access list are all written from it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import BaseModel

from mqtt.arguments import Arguments
from mqtt.certificate_orders import CERTIFICATE_VERBS, CertificateVerb
from mqtt.docstrings import sentence
from mqtt.events import Audience, Effect, audience, kind_of
from mqtt.inbox import LONGEST_EXPIRY_SECONDS
from mqtt.inquiries import QUESTIONS, Question
from mqtt.orders import CommandPayload, PreconditionFields, ReplyPayload
from mqtt.pad_orders import PAD_VERBS, PadVerb
from mqtt.parts import (
    CallFields,
    ClosedLine,
    CycleFields,
    Face,
    FaultFields,
    IntervalFields,
    LedgerLine,
    NoteFields,
    Payload,
    PaymentFields,
    PowersFields,
    RestrictionFields,
    RulingFields,
    SanctionFields,
)
from mqtt.payloads import (
    EventEnvelope,
    Heartbeat,
    NodeAvailability,
    NodeMeta,
    PaceFields,
    TableAvailability,
    TableMeta,
    TableSnapshot,
    Timers,
)
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.payloads_of_venue import RosterTable, Standing, VenueRoster, VenueStandings
from mqtt.topics import Root, TopicKind
from mqtt.venue_orders import VENUE_VERBS, Chore
from mqtt.verbs import NODE_VERBS, VERBS, Need, Verb


@dataclass(frozen=True, slots=True)
class Delivered:
    """How the messages of one kind of topic are delivered, and what they carry."""

    payloads: tuple[type[Payload], ...]
    qos: Literal[0, 1] = 1
    retained: bool = False
    will: bool = False
    """Whether the broker also sends it when its sender is gone."""
    expiry_seconds: int | None = None
    """After how long a broker of MQTT 5 no longer hands it on."""
    heard: bool = False
    """Whether clients send it and nodes hear it."""
    audience: Audience | None = Audience.EVERYONE
    """Who may read it; None: only its sender and whom it is for, or it depends on the event."""


def _kept(*payloads: type[Payload], audience: Audience = Audience.EVERYONE) -> Delivered:
    return Delivered(payloads, retained=True, audience=audience)


_ORDER = Delivered(
    (CommandPayload,), expiry_seconds=LONGEST_EXPIRY_SECONDS, heard=True, audience=None
)
TOPICS: dict[TopicKind, Delivered] = {
    TopicKind.NODE_AVAILABILITY: Delivered((NodeAvailability,), retained=True, will=True),
    TopicKind.HEARTBEAT: Delivered((Heartbeat,), qos=0),
    TopicKind.NODE_META: _kept(NodeMeta),
    TopicKind.TABLE_META: _kept(TableMeta),
    TopicKind.TABLE_AVAILABILITY: _kept(TableAvailability),
    TopicKind.STATE: _kept(TableSnapshot),
    TopicKind.TIMERS: _kept(Timers),
    TopicKind.LEDGER: _kept(LedgerPayload),
    TopicKind.VENUE_STATE: _kept(VenueRoster, VenueStandings),
    TopicKind.EVENT: Delivered((EventEnvelope,), audience=None),
    TopicKind.ALERT: _kept(AlertPayload, audience=Audience.OFFICIALS),
    TopicKind.TABLE_COMMAND: _ORDER,
    TopicKind.NODE_COMMAND: _ORDER,
    TopicKind.VENUE_COMMAND: _ORDER,
    TopicKind.REPLY: Delivered((ReplyPayload,), expiry_seconds=60, audience=None),
}
"""Every kind of topic."""
_BY_NAME = {model.__name__: model for one in TOPICS.values() for model in one.payloads}
PAYLOADS: tuple[type[Payload], ...] = tuple(_BY_NAME[name] for name in sorted(_BY_NAME))
"""What is a whole message, by name."""
RECEIVED = (CommandPayload, PreconditionFields)
"""What nodes hear: fields that they do not know are refused, others may be left out."""
PARTS: tuple[type[BaseModel], ...] = (
    Face,
    FaultFields,
    CycleFields,
    PaceFields,
    RestrictionFields,
    CallFields,
    PowersFields,
    IntervalFields,
    SanctionFields,
    RulingFields,
    NoteFields,
    LedgerLine,
    ClosedLine,
    PaymentFields,
    RosterTable,
    Standing,
    PreconditionFields,
)
"""What messages are made of, in the order of the page."""


def _events() -> dict[str, tuple[type[Effect], Audience]]:
    # Who may hear of an event depends on nothing that an event of its class could hold.
    heard = ((effect, audience(object.__new__(effect))) for effect in get_args(Effect))
    return {kind_of(effect): (effect, who) for effect, who in heard if who}


EVENTS: dict[str, tuple[type[Effect], Audience]] = dict(sorted(_events().items()))
"""Every kind of event by its wire name: what it tells, and who may read it."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One verb of a command topic, whether it orders or only asks."""

    purpose: str
    """A sentence."""
    arguments: type[Arguments]
    need: Need = Need.NOTHING


def _orders(verbs: Mapping[str, Verb]) -> dict[str, Spoken]:
    return {
        name: Spoken(sentence(verb.command), verb.arguments, verb.need)
        for name, verb in verbs.items()
    }


def _questions(verbs: Mapping[str, Question]) -> dict[str, Spoken]:
    return {name: Spoken(question.asks, question.arguments) for name, question in verbs.items()}


def _chores(
    verbs: Mapping[str, Chore] | Mapping[str, CertificateVerb] | Mapping[str, PadVerb],
) -> dict[str, Spoken]:
    return {name: Spoken(chore.does, chore.arguments) for name, chore in verbs.items()}


COMMANDS: dict[TopicKind, dict[str, Spoken]] = {
    TopicKind.TABLE_COMMAND: _orders(VERBS) | _questions(QUESTIONS) | _chores(PAD_VERBS),
    TopicKind.NODE_COMMAND: _orders(NODE_VERBS) | _chores(CERTIFICATE_VERBS),
    TopicKind.VENUE_COMMAND: _chores(VENUE_VERBS),
}
"""What may be sent on each kind of command topic, by verb."""
_NAMED = {
    TopicKind.EVENT: "kind",
    TopicKind.ALERT: "alert",
    TopicKind.REPLY: "id",
    TopicKind.VENUE_STATE: "what",
}


def pattern(kind: TopicKind) -> str:
    """Return a kind of topic below the root, its levels named for what they are."""
    return kind.replace("{name}", "{" + _NAMED.get(kind, "verb") + "}")


def levels(kind: TopicKind) -> list[str]:
    """Return the names of the levels of a kind of topic that vary."""
    return re.findall(r"\{(\w+)\}", pattern(kind))


def purpose(kind: TopicKind) -> str:
    """Return what a kind of topic is for, in a sentence."""
    return sentence(getattr(Root, kind.name.lower()))
