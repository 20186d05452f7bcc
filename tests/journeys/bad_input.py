"""Messages of any role on any topic of the contract: as its schemas say, nearly so, or rubbish."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from hypothesis import strategies as st

from mqtt.access import Deed, Holder, Role, grants, permits
from mqtt.catalogue import COMMANDS, EVENTS, TOPICS
from mqtt.docstrings import kebab
from mqtt.inbox import LARGEST_PAYLOAD
from mqtt.json_schemas import schemas
from mqtt.lookout import session_of
from mqtt.messages import Message, Protocol
from mqtt.topics import Address, TopicKind, is_id
from mqtt.verbs import Need
from tests.controller.verb_scenes import NODE_TRIALS, TRIALS, VENUE_TRIALS
from tests.journeys.scoreboard import ROOT

Plain: TypeAlias = Any
"""What JSON knows."""
Schema: TypeAlias = Mapping[str, Any]

NODE, RIVAL, CAPTAIN = "node-1", "node-2", "board"
LOGINS = {
    NODE: Role.NODE,
    RIVAL: Role.NODE,
    CAPTAIN: Role.BOARD,
    "referee": Role.REFEREE,
    "screen": Role.SCOREBOARD,
    "staff": Role.ADMIN,
}
SENDERS = tuple(login for login in LOGINS if login != NODE)
SCHEMAS = schemas()
EARLY = 1_000_000
"""Any node of today has a later session."""
HEARD_WHOLE = 200_000
"""Of a longer packet the broker tells a node nothing at all."""
_GRANTS = {login: grants(ROOT, Holder(login, role)) for login, role in LOGINS.items()}
_LEVELS = {
    "node": (NODE, RIVAL, "node-3"),
    "table": ("t1", "t1", "t1", "t9"),
    "login": SENDERS,
}
_SEEN: dict[Need, tuple[Plain, ...]] = {
    Need.NOTHING: ({},),
    Need.HAND: ({}, {"hand": "t1-1"}, {"hand": "t1-2"}, {"hand": ""}),
    Need.MACHINE: ({}, {"machine_seq": 1}),
    Need.ALERT: ({"revision": 1}, {"revision": 2}, {"revision": 3}),
}
_ORDERED = {"table": TRIALS, "node": NODE_TRIALS, "venue": VENUE_TRIALS}


@dataclass(frozen=True)
class Thrown:
    """A message, and who throws it at the hall."""

    login: str
    protocol: Protocol
    message: Message

    @property
    def lands(self) -> bool:
        """Whether the broker lets it through."""
        return permits(_GRANTS[self.login], Deed.WRITE, self.message.topic)

    @property
    def answer(self) -> str | None:
        """Where the contract promises an answer; None: nowhere."""
        address = ROOT.parse(self.message.topic)
        if not self.lands or address is None or not _is_heard(address):
            return None
        payload = self.message.payload
        if len(payload) >= HEARD_WHOLE or (self.message.retain and not payload):
            return None
        asked = ROOT.parse((self.protocol == "5" and self.message.response_topic) or "")
        if asked and (asked.kind, asked.login) == (TopicKind.REPLY, address.login):
            return self.message.response_topic
        named = self.id
        return ROOT.reply(address.login, named) if named else None

    @property
    def id(self) -> str:
        """The id of the order, if it names one."""
        if len(self.message.payload) > LARGEST_PAYLOAD:
            return ""
        content = _content(self.message.payload)
        named = content.get("id") if isinstance(content, dict) else None
        return named if isinstance(named, str) and is_id(named) else ""


def _is_heard(address: Address) -> bool:
    """Say whether the node hears orders on a topic: it keeps the venue, so those of any table."""
    match address.kind:
        case TopicKind.TABLE_COMMAND | TopicKind.VENUE_COMMAND:
            return True
        case TopicKind.NODE_COMMAND:
            return address.node == NODE
        case _:
            return False


def _content(payload: bytes) -> Plain:
    try:
        return json.loads(payload)
    except (ValueError, RecursionError):
        return None


def owner_of(kind: TopicKind) -> str:
    """Return what a kind of order is for: `table`, `node` or `venue`."""
    return kind.split("/")[2]


_words = st.sampled_from(["t1-1-f1", "t1-1", "t1", "node-1", "", "庄", "x" * 600, "\x00\x1b[2J"])
_numbers = st.sampled_from([0, 1, -1, 2**31, 2**63, 10**400, 0.5, 1e308])
_leaves = st.none() | st.booleans() | _numbers | _words
_rubbish = st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3),
    max_leaves=6,
)


def _values(schema: Schema, root: Schema) -> st.SearchStrategy[Plain]:
    """Return values that a schema allows, as far as it is about their shape."""
    if "$ref" in schema:
        return _values(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([_values(one, root) for one in schema["anyOf"]])
    return _OF_TYPE.get(schema.get("type", ""), _anything)(schema, root)


def _anything(_schema: Schema, _root: Schema) -> st.SearchStrategy[Plain]:
    return _rubbish


def _objects(schema: Schema, root: Schema) -> st.SearchStrategy[Plain]:
    known = {name: _values(one, root) for name, one in schema.get("properties", {}).items()}
    needed = set(schema.get("required", ()))
    return st.fixed_dictionaries(
        {name: one for name, one in known.items() if name in needed},
        optional={name: one for name, one in known.items() if name not in needed},
    )


_OF_TYPE: dict[str, Callable[[Schema, Schema], st.SearchStrategy[Plain]]] = {
    "object": _objects,
    "array": lambda schema, root: st.lists(_values(schema.get("items", {}), root), max_size=3),
    "string": lambda _schema, _root: _words,
    "integer": lambda schema, _root: st.integers(schema.get("minimum"), schema.get("maximum")),
    "number": lambda _schema, _root: _numbers,
    "boolean": lambda _schema, _root: st.booleans(),
    "null": lambda _schema, _root: st.none(),
}


@st.composite
def _spoilt(draw: st.DrawFn, value: Plain) -> Plain:
    """Change a value in one place, wherever that is."""
    children = list(value) if isinstance(value, dict) else []
    if not children or draw(st.integers(0, 3)) == 0:
        return draw(_rubbish)
    key = draw(st.sampled_from(children))
    rest = {name: one for name, one in value.items() if name != key}
    how = draw(st.sampled_from(["without", "renamed", "more", "deeper", "deeper", "deeper"]))
    match how:
        case "without":
            return rest
        case "renamed":
            return {**rest, f"{key}s": value[key]}
        case "more":
            return {**value, draw(_words): draw(_rubbish)}
        case _:
            return {**rest, key: draw(_spoilt(value[key]))}


@st.composite
def _bytes(draw: st.DrawFn, value: Plain) -> bytes:
    """Return a value as JSON, mostly, with a piece missing, or with something in between."""
    whole = json.dumps(value).encode()
    at = draw(st.integers(0, len(whole)))
    return draw(
        st.sampled_from(
            [whole] * 8 + [whole[:at], whole[:at] + b"\xff\x00" + whole[at:], whole * 2]
        )
    )


def _orders(kind: TopicKind, verb: str) -> st.SearchStrategy[Plain]:
    """Return orders of a verb: some of them fit the hall as it is."""
    owner = owner_of(kind)
    trial = _ORDERED[owner].get(verb)
    fitting = st.fixed_dictionaries(
        {
            "id": st.uuids().map(str),
            "person": st.just("Referee A"),
            "precondition": st.sampled_from(_SEEN[COMMANDS[kind][verb].need]),
            "arguments": st.just(trial.arguments if trial else {}),
        }
    )
    schema = SCHEMAS[f"commands/{owner}/{verb}"]
    near = _objects(schema, schema)
    return st.sampled_from([fitting, fitting, fitting, near]).flatmap(lambda one: one)


def _contents(kind: TopicKind, name: str) -> st.SearchStrategy[Plain]:
    """Return what belongs on a kind of topic."""
    if kind in COMMANDS:
        return _orders(kind, name) if name in COMMANDS[kind] else _rubbish
    models = [SCHEMAS[f"payloads/{kebab(model)}"] for model in TOPICS[kind].payloads]
    return st.one_of([_values(schema, schema) for schema in models])


@st.composite
def _topics(draw: st.DrawFn, login: str) -> tuple[TopicKind, str, str]:
    """Return a kind of topic, its last level, and one topic of it."""
    kind = draw(st.sampled_from([*TopicKind, *[TopicKind.TABLE_COMMAND] * len(TopicKind)]))
    names = {
        **dict.fromkeys(COMMANDS, (*COMMANDS.get(kind, ()), "no-such-verb")),
        TopicKind.EVENT: tuple(EVENTS),
        TopicKind.ALERT: ("t1-1-f1", "t1-1-f2"),
        TopicKind.VENUE_STATE: ("roster", "standings"),
    }
    name = draw(st.sampled_from(names.get(kind, ("c1", "x"))))
    levels = {level: draw(st.sampled_from(known)) for level, known in _LEVELS.items()}
    levels["login"] = draw(st.sampled_from([login] * 7 + [levels["login"]]))
    return kind, name, f"{ROOT.path}/{kind.format(**levels, name=name)}"


def _claims_the_name(topic: str, payload: bytes) -> bool:
    """Say whether a message is no rubbish but another daemon's: then the node leaves for a time."""
    return topic == ROOT.node_availability(NODE) and (session_of(payload) or 0) > EARLY


@st.composite
def thrown(draw: st.DrawFn) -> Thrown:
    """Return one message."""
    login = draw(st.sampled_from((*SENDERS, CAPTAIN, "referee", "staff")))
    kind, name, topic = draw(_topics(login))
    content = draw(_contents(kind, name))
    if draw(st.booleans()):
        content = draw(_spoilt(content))
    raw = st.binary(max_size=64) | st.sampled_from([b"", b"[" * 9000, b"x" * 20_000, b"9" * 5000])
    payload = draw(st.sampled_from([_bytes(content)] * 7 + [raw]).flatmap(lambda one: one))
    reply = [None, None, None, ROOT.reply(login, draw(st.uuids().map(str))), ROOT.state("t1"), "?"]
    message = Message(
        topic,
        b"{}" if _claims_the_name(topic, payload) else payload,
        qos=draw(st.sampled_from([0, 1, 1])),
        retain=draw(st.integers(0, 7)) == 7,
        expiry_seconds=draw(st.sampled_from([5, 5, 5, 5, 5, None, 6])),
        response_topic=draw(st.sampled_from(reply)),
    )
    return Thrown(login, draw(st.sampled_from(["5", "5", "3.1.1"])), message)
