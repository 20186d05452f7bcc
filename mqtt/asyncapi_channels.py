"""The channels of the AsyncAPI document, and what a client does with each."""

from mqtt.access import Deed
from mqtt.asyncapi_messages import Parts
from mqtt.catalogue import COMMANDS, EVENTS, TOPICS, Delivered, levels, pattern, purpose
from mqtt.inbox import LARGEST_PAYLOAD
from mqtt.reach import who_may
from mqtt.schema_parts import Schema
from mqtt.topics import CONTRACT, ID, TopicKind

BINDING = "0.2.0"
ROOT = f"{{prefix}}/{CONTRACT}/{{venue}}"
PARAMETERS: dict[str, str] = {
    "prefix": "The first level or levels, up to four; the venue's own choice.",
    "venue": "The venue.",
    "node": "A daemon with its table cables.",
    "table": "A table.",
    "login": "The sender's own login at the broker, whose access list makes sure of that.",
    "alert": "The foul.",
    "what": "What of the venue.",
    "id": "Id of the command.",
}
"""The levels of topics that vary, beside kinds of events and verbs."""
_STANDS = "The newest message stands until the next one; an empty payload takes it away."
_ONCE = "Never retained: what was missed is not told again by the broker."
_REFUSED = "Must not be retained: it would be carried out again after a restart."
_RESPONSE = (
    f"MQTT 5 may name another response topic, but only below {ROOT}/reply/{{login}}/;"
    " without one, and with MQTT 3.1.1, the answer comes on {login}'s reply channel."
)


def channel(kind: TopicKind, parts: Parts) -> Schema:
    """Return the channel of a kind of topic, and keep its messages among the parts."""
    names = parts.messages_of(kind)
    told = TOPICS[kind]
    return {
        "address": f"{ROOT}/{pattern(kind)}",
        "description": purpose(kind),
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
        "parameters": {name: _parameter(kind, name) for name in _parameters(kind)},
        **({"x-audience": str(told.audience)} if told.audience else {}),
        "x-retain": _REFUSED if told.heard else _STANDS if told.retained else _ONCE,
    }


def operation(kind: TopicKind, name: str) -> Schema:
    """Return what a client does on a channel."""
    told = TOPICS[kind]
    made: Schema = {
        "action": "send" if told.heard else "receive",
        "channel": {"$ref": f"#/channels/{name}"},
        "summary": purpose(kind),
        "bindings": {"mqtt": _delivery(told)},
        "x-roles": who_may(Deed.WRITE if told.heard else Deed.READ, kind),
    }
    return made | (_ordering(kind) if told.heard else {})


def channel_name(kind: TopicKind) -> str:
    """Return the name of a kind of topic as channels bear it: `tableMeta`."""
    first, *more = kind.name.lower().split("_")
    return first + "".join(word.capitalize() for word in more)


def operation_name(kind: TopicKind) -> str:
    """Return the name of what a client does on a kind of topic: `receiveTableMeta`."""
    name = channel_name(kind)
    return ("send" if TOPICS[kind].heard else "receive") + name[0].upper() + name[1:]


def parameters() -> dict[str, Schema]:
    """Return the levels of topics that are the same in every channel."""
    made = {
        name: {"description": text, "x-pattern": f"^{ID.pattern}$"}
        for name, text in PARAMETERS.items()
    }
    made["prefix"] |= {"default": "mahjong", "x-pattern": f"^{ID.pattern}(/{ID.pattern}){{0,3}}$"}
    made["id"] |= {"location": "$message.payload#/id"}
    return made


def _parameters(kind: TopicKind) -> list[str]:
    return ["prefix", "venue", *levels(kind)]


def _parameter(kind: TopicKind, name: str) -> Schema:
    match name:
        case "kind":
            return {"description": "The kind of event.", "enum": list(EVENTS)}
        case "verb":
            return {"description": "What is ordered.", "enum": list(COMMANDS[kind])}
        case _:
            return {"$ref": f"#/components/parameters/{name}"}


def _delivery(told: Delivered) -> Schema:
    expiry = {"messageExpiryInterval": told.expiry_seconds} if told.expiry_seconds else {}
    return {"qos": told.qos, "retain": told.retained, **expiry, "bindingVersion": BINDING}


def _ordering(kind: TopicKind) -> Schema:
    name = channel_name(TopicKind.REPLY)
    seconds = TOPICS[kind].expiry_seconds
    return {
        "reply": {"channel": {"$ref": f"#/channels/{name}"}},
        "x-response-topic": _RESPONSE,
        "x-message-expiry": f"At most {seconds} s; without one the precondition must be given.",
        "x-largest-payload-bytes": LARGEST_PAYLOAD,
    }
