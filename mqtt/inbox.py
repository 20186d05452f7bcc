"""What a message on a command topic asks for; pure, and total: whatever arrives has an answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from pydantic_core import from_json

from mqtt.certificate_orders import CERTIFICATE_VERBS, CertificateOrder
from mqtt.inquiries import QUESTIONS, Inquiry, Question
from mqtt.messages import Delivery
from mqtt.order_faults import nearest, read_order, refuse, validated
from mqtt.orders import PreconditionFields
from mqtt.pad_orders import PAD_VERBS, PadOrder
from mqtt.reply_codes import ReplyCode
from mqtt.topics import Address, Root, TopicKind, is_id
from mqtt.venue_orders import VENUE_VERBS, VenueOrder
from mqtt.verbs import NODE_VERBS, VERBS, Need, Verb
from table.commands import ALWAYS, Command, Precondition
from table.errors import CommandRefused

LARGEST_PAYLOAD = 16 * 1024
LONGEST_EXPIRY_SECONDS = 5
_LONGEST_PERSON = 100
_Row = TypeVar("_Row")
_TAKEN = {TopicKind.TABLE_COMMAND: VERBS, TopicKind.NODE_COMMAND: NODE_VERBS}
_COMMANDS = {TopicKind.TABLE_COMMAND, TopicKind.NODE_COMMAND, TopicKind.VENUE_COMMAND}


@dataclass(frozen=True, slots=True)
class Request:
    """A command that is well formed; whether it can be carried out is for the core to say."""

    id: str
    login: str
    """As the broker knows the sender."""
    person: str
    """As the sender authenticated it."""
    table: str
    verb: str
    command: Command
    precondition: Precondition
    reply_topic: str
    expiry_seconds: int | None
    """What was left of it when the broker handed the message on."""
    node: str = ""
    """The node whose every table it is for; `table` is empty then."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A message that is no command, and why."""

    code: str
    """One of `ReplyCode` or `table.answers.Code`."""
    reason: str
    """One sentence."""
    login: str
    topic: str
    id: str = ""
    """Empty where the message does not say."""
    reply_topic: str | None = None
    """None where nobody can be answered."""
    person: str = ""
    """Empty where the message does not say."""


OfATurn: TypeAlias = Request | PadOrder
"""What a turn of a table may come with, and is answered once the turn is durable."""
Asked: TypeAlias = OfATurn | Inquiry | VenueOrder | CertificateOrder
Heard: TypeAlias = Asked | Rejection


def read_request(root: Root, message: Delivery) -> Heard | None:
    """Return what a message asks for.

    None where its topic is no command of this venue, or it only takes a retained one away.
    """
    address = root.parse(message.topic)
    cleared = message.retained and not message.payload
    if cleared or address is None or address.kind not in _COMMANDS:
        return None
    sender = _sender(message.payload)
    reply_topic = _return_address(root, address, message, sender.id)
    try:
        return _asked(address, message, reply_topic)
    except CommandRefused as refused:
        return Rejection(
            code=refused.code,
            reason=str(refused),
            login=address.login,
            topic=message.topic,
            id=sender.id,
            reply_topic=reply_topic,
            person=sender.person,
        )


@dataclass(frozen=True, slots=True)
class _Sender:
    """Who sends what, as far as a message says that may be anything."""

    id: str = ""
    person: str = ""


def _sender(payload: bytes) -> _Sender:
    if len(payload) > LARGEST_PAYLOAD:
        return _Sender()
    try:
        content = from_json(payload)
    except ValueError:
        return _Sender()
    named = content if isinstance(content, dict) else {}
    id_, person = named.get("id"), named.get("person")
    return _Sender(
        id_ if isinstance(id_, str) and is_id(id_) else "",
        person[:_LONGEST_PERSON] if isinstance(person, str) else "",
    )


def _return_address(root: Root, address: Address, message: Delivery, named: str) -> str | None:
    wanted = root.parse(message.response_topic or "")
    if wanted and (wanted.kind, wanted.login) == (TopicKind.REPLY, address.login):
        return message.response_topic
    return root.reply(address.login, named) if named else None


def _asked(address: Address, message: Delivery, reply_topic: str | None) -> Asked:
    if address.kind is TopicKind.VENUE_COMMAND:
        return _venue_order(address, message, reply_topic)
    if address.kind is TopicKind.NODE_COMMAND and address.name in CERTIFICATE_VERBS:
        return _certificate_order(address, message, reply_topic)
    if address.kind is TopicKind.TABLE_COMMAND and address.name in PAD_VERBS:
        return _pad_order(address, message, reply_topic)
    question = QUESTIONS.get(address.name) if address.kind is TopicKind.TABLE_COMMAND else None
    if question is None:
        return _request(address, message, reply_topic)
    return _inquiry(question, address, message, reply_topic)


def _venue_order(address: Address, message: Delivery, reply_topic: str | None) -> VenueOrder:
    _check_delivery(message)
    chore = _known(address.name, VENUE_VERBS)
    order = read_order(message.payload)
    asked = validated(chore.arguments, order.arguments)
    return VenueOrder(
        id=order.id,
        login=address.login,
        person=order.person,
        verb=address.name,
        node=asked.node,
        reply_topic=_reply_topic(address, message, reply_topic),
        expiry_seconds=message.expiry_seconds,
    )


def _certificate_order(
    address: Address, message: Delivery, reply_topic: str | None
) -> CertificateOrder:
    _check_delivery(message)
    order = read_order(message.payload)
    return CertificateOrder(
        id=order.id,
        login=address.login,
        person=order.person,
        verb=address.name,
        arguments=validated(CERTIFICATE_VERBS[address.name].arguments, order.arguments),
        node=address.node,
        reply_topic=_reply_topic(address, message, reply_topic),
        expiry_seconds=message.expiry_seconds,
    )


def _pad_order(address: Address, message: Delivery, reply_topic: str | None) -> PadOrder:
    _check_delivery(message)
    order = read_order(message.payload)
    return PadOrder(
        id=order.id,
        login=address.login,
        person=order.person,
        table=address.table,
        verb=address.name,
        arguments=validated(PAD_VERBS[address.name].arguments, order.arguments),
        reply_topic=_reply_topic(address, message, reply_topic),
        expiry_seconds=message.expiry_seconds,
    )


def _inquiry(
    question: Question, address: Address, message: Delivery, reply_topic: str | None
) -> Inquiry:
    _check_delivery(message)
    order = read_order(message.payload)
    asked = validated(question.arguments, order.arguments)
    return Inquiry(
        id=order.id,
        login=address.login,
        person=order.person,
        table=address.table,
        verb=address.name,
        audience=question.audience,
        epoch=asked.epoch,
        after=asked.after,
        before=asked.before,
        reply_topic=_reply_topic(address, message, reply_topic),
    )


def _request(address: Address, message: Delivery, reply_topic: str | None) -> Request:
    _check_delivery(message)
    verb = _verb(address)
    order = read_order(message.payload)
    arguments = validated(verb.arguments, order.arguments)
    _check_precondition(verb.need, order.precondition, message.expiry_seconds)
    return Request(
        id=order.id,
        login=address.login,
        person=order.person,
        table=address.table,
        verb=address.name,
        command=verb.order(arguments, order.precondition.revision),
        precondition=_precondition(verb.need, order.precondition),
        reply_topic=_reply_topic(address, message, reply_topic),
        expiry_seconds=message.expiry_seconds,
        node=address.node,
    )


def _check_delivery(message: Delivery) -> None:
    size, expiry = len(message.payload), message.expiry_seconds or 0
    if message.retained:
        refuse(ReplyCode.RETAINED, "a command must not be retained; publish it without the flag")
    if size > LARGEST_PAYLOAD:
        refuse(ReplyCode.TOO_LARGE, f"the payload has {size} bytes; {LARGEST_PAYLOAD} at most")
    if expiry > LONGEST_EXPIRY_SECONDS:
        reason = f"message expiry is {expiry} s; {LONGEST_EXPIRY_SECONDS} s at most"
        refuse(ReplyCode.EXPIRY_TOO_LONG, reason)


def _verb(address: Address) -> Verb:
    verbs = _TAKEN[address.kind]
    others = (*QUESTIONS, *PAD_VERBS) if verbs is VERBS else CERTIFICATE_VERBS
    return _known(address.name, verbs, others)


def _known(name: str, verbs: Mapping[str, _Row], others: Iterable[str] = ()) -> _Row:
    if name not in verbs:
        names = (*verbs, *others)
        known = nearest(name, names) or f"; allowed: {', '.join(names)}"
        refuse(ReplyCode.UNKNOWN_VERB, f"no verb {name}{known}")
    return verbs[name]


def _check_precondition(need: Need, given: PreconditionFields, expiry_seconds: int | None) -> None:
    if need is Need.NOTHING:
        return
    named = given.model_dump(exclude_none=True)
    if surplus := sorted(set(named) - {need.value}):
        reason = f"precondition {surplus[0]} is not checked for this verb, only {need} is"
        refuse(ReplyCode.INVALID_PAYLOAD, reason)
    if need in named:
        return
    if need is Need.ALERT:
        refuse(ReplyCode.PRECONDITION_MISSING, "a ruling needs precondition revision")
    if expiry_seconds is None:
        reason = f"without a message expiry precondition {need} is needed"
        refuse(ReplyCode.PRECONDITION_MISSING, reason)


def _precondition(need: Need, given: PreconditionFields) -> Precondition:
    if need is Need.NOTHING:
        return ALWAYS
    return Precondition(given.hand, given.machine_seq)


def _reply_topic(address: Address, message: Delivery, reply_topic: str | None) -> str:
    if reply_topic is None or (message.response_topic or reply_topic) != reply_topic:
        asked = f"response topic {message.response_topic!r:.100}"
        reason = f"{asked}: only topics below reply/{address.login}/ are allowed"
        refuse(ReplyCode.REPLY_TOPIC_REFUSED, reason)
    return reply_topic
