"""Writes the tables of the contract's page from the code.

`python -m mqtt.contract docs/contract.md` does it; a test checks that it was done.
"""

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel

from mqtt.events import Audience, Effect, audience, field_names, kind_of
from mqtt.orders import CommandPayload, PreconditionFields, ReplyPayload
from mqtt.parts import (
    CallFields,
    ClosedLine,
    Face,
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
    AlertPayload,
    EventEnvelope,
    Heartbeat,
    LedgerPayload,
    NodeAvailability,
    NodeMeta,
    TableAvailability,
    TableMeta,
    TableSnapshot,
    Timers,
)
from mqtt.reply_codes import ReplyCode
from mqtt.topics import Root, TopicKind
from mqtt.verbs import NODE_VERBS, VERBS, Need, Verb
from scoring.alert import Alert, Note, Ruling
from table.answers import Code
from table.fouls import FoulSeen
from table.moment import DeviceStamp, Elapsed, Interval
from table.restrictions import Restriction
from table.sanctions import Sanction
from table.seat import Seat

_NOTHING = "-"
_RETAINED, _LIVE, _LOSSY = "1, retained", "1", "0"
_COMMAND = "1, expiry at most 5 s"
TOPICS: dict[TopicKind, tuple[str, type[Payload] | None]] = {
    TopicKind.NODE_AVAILABILITY: (f"{_RETAINED}, last will", NodeAvailability),
    TopicKind.HEARTBEAT: (_LOSSY, Heartbeat),
    TopicKind.NODE_META: (_RETAINED, NodeMeta),
    TopicKind.TABLE_META: (_RETAINED, TableMeta),
    TopicKind.TABLE_AVAILABILITY: (_RETAINED, TableAvailability),
    TopicKind.STATE: (_RETAINED, TableSnapshot),
    TopicKind.TIMERS: (_RETAINED, Timers),
    TopicKind.LEDGER: (_RETAINED, LedgerPayload),
    TopicKind.VENUE_STATE: (_RETAINED, None),
    TopicKind.EVENT: (_LIVE, EventEnvelope),
    TopicKind.ALERT: (_RETAINED, AlertPayload),
    TopicKind.TABLE_COMMAND: (_COMMAND, CommandPayload),
    TopicKind.NODE_COMMAND: (_COMMAND, CommandPayload),
    TopicKind.VENUE_COMMAND: (_COMMAND, CommandPayload),
    TopicKind.REPLY: (_LIVE, ReplyPayload),
}
"""How each kind of topic is delivered, and what it carries; None: nothing yet."""
_NAMED = {
    TopicKind.EVENT: "kind",
    TopicKind.ALERT: "alert",
    TopicKind.REPLY: "command id",
    TopicKind.VENUE_STATE: "what",
}
_RECEIVED = (CommandPayload, PreconditionFields)
_PARTS: tuple[type[BaseModel], ...] = (
    Face,
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
    PreconditionFields,
)
_NESTED = {
    Interval: "interval",
    DeviceStamp: "stamp",
    Elapsed: "elapsed",
    Alert: "alert",
    FoulSeen: "foul",
    Ruling: "ruling",
    Note: "note",
    Sanction: "sanction",
    Restriction: "restriction",
}


def written(page: str) -> str:
    """Return a page with everything between its `begin` and `end` marks written anew."""
    for name, table in TABLES.items():
        head, begin, rest = page.partition(f"<!-- begin {name} -->\n")
        _, end, tail = rest.partition(f"<!-- end {name} -->")
        page = f"{head}{begin}\n{table()}\n{end}{tail}" if end else page
    return page


def _topics() -> str:
    rows = [
        (_pattern(kind), how, _link(model), _sentence(getattr(Root, kind.name.lower())))
        for kind, (how, model) in TOPICS.items()
    ]
    return _table("topic below the root | QoS | payload | what it is", rows)


def _pattern(kind: TopicKind) -> str:
    return f"`{kind.replace('{name}', '{' + _NAMED.get(kind, 'verb') + '}')}`"


def _payloads() -> str:
    models: set[type[BaseModel]] = {model for _, model in TOPICS.values() if model}
    whole = sorted(models, key=lambda model: model.__name__)
    return "\n".join(_payload(model) for model in (*whole, *_PARTS))


def _payload(model: type[BaseModel]) -> str:
    schema = model.model_json_schema()
    sent = set() if model in _RECEIVED else set(schema["properties"])
    always = sent | set(schema.get("required", []))
    rows = [
        (f"`{name}`" + ("" if name in always else "?"), _kind(schema, part), _text(part))
        for name, part in schema["properties"].items()
    ]
    head = f"### {model.__name__}\n\n{_sentence(model)}\n\n"
    return head + _table("field | type | meaning", rows)


def _kind(schema: dict[str, Any], part: dict[str, Any]) -> str:
    """Name the JSON type of a part of a schema."""
    inner = partial(_kind, schema)
    match part:
        case {"$ref": str(reference)}:
            kind = _named_kind(schema, reference.rsplit("/", 1)[1])
        case {"anyOf": options}:
            kind = " or ".join(map(inner, options))
        case {"enum": values} | {"const": values}:
            kind = _choice(values if isinstance(values, list) else [values])
        case {"items": items}:
            kind = f"list of {inner(items)}"
        case {"additionalProperties": dict(values)}:
            kind = f"{'per seat' if _is_per_seat(part) else 'object of'} {inner(values)}"
        case {"format": "date-time"}:
            kind = "UTC"
        case _:
            kind = str(part.get("type", "any"))
    return kind


def _is_per_seat(part: dict[str, Any]) -> bool:
    return str(part.get("propertyNames", {}).get("$ref", "")).endswith(f"/{Seat.__name__}")


def _named_kind(schema: dict[str, Any], name: str) -> str:
    if name == Seat.__name__:
        return "seat"
    values = schema["$defs"][name].get("enum")
    return _choice(values) if values else f"[{name}](#{name.lower()})"


def _choice(values: Iterable[object]) -> str:
    return " · ".join(f"`{value}`" for value in values)


def _text(part: dict[str, Any]) -> str:
    return _plain(part.get("description", ""))


def _plain(text: str) -> str:
    return re.sub(r"\bNone\b", "null", " ".join(text.split()))


def _kinds() -> str:
    effects: dict[type[Effect], Audience | None] = {
        # Who may hear of an event depends on nothing that an event of its class could hold.
        effect: audience(object.__new__(effect))
        for effect in sorted(get_args(Effect), key=kind_of)
    }
    rows = [
        (f"`{kind_of(effect)}`", f"{who}", _facts(effect), _sentence(effect))
        for effect, who in effects.items()
        if who
    ]
    return _table("kind | for | data | what happened", rows)


def _facts(owner: Any) -> str:  # noqa: ANN401 - any dataclass
    hints = get_type_hints(owner)
    return ", ".join(f"`{wire}`{_nested(hints[name])}" for name, wire in field_names(owner).items())


def _nested(hint: object) -> str:
    options = [option for option in (get_args(hint) or (hint,)) if option is not NoneType]
    maybe = "?" if NoneType in get_args(hint) else ""
    known = [_NESTED[option] for option in options if option in _NESTED]
    return f" ({known[0]}){maybe}" if known else maybe


def _nested_facts() -> str:
    rows = [(name, _facts(owner), _sentence(owner)) for owner, name in _NESTED.items()]
    return _table("part | fields | what it is", rows)


def _verbs(verbs: dict[str, Verb]) -> str:
    rows = [
        (f"`{name}`", _need(verb), _arguments(verb), _sentence(verb.command))
        for name, verb in verbs.items()
    ]
    return _table("verb | precondition | arguments | what it orders", rows)


def _need(verb: Verb) -> str:
    return _NOTHING if verb.need is Need.NOTHING else f"`{verb.need}`"


def _arguments(verb: Verb) -> str:
    schema = verb.arguments.model_json_schema()
    needed = schema.get("required", [])
    names = [f"`{name}`" if name in needed else f"`{name}`?" for name in schema["properties"]]
    return ", ".join(names) or _NOTHING


def _codes() -> str:
    rows = [(f"`{code}`", text) for codes in (ReplyCode, Code) for code, text in _members(codes)]
    return _table("code | why", rows)


def _members(owner: type[StrEnum]) -> Iterator[tuple[str, str]]:
    """Pair each member of an enumeration with the text written below it."""
    texts: dict[str, str] = {}
    name = ""
    for line in ast.parse(inspect.getsource(owner)).body[0].body:  # type: ignore[attr-defined]
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            name = line.targets[0].id
        elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and name:
            texts[name] = str(line.value.value)
    for member in owner:
        yield member.value, texts.get(member.name, "")


def _link(model: type[Payload] | None) -> str:
    return f"[{model.__name__}](#{model.__name__.lower()})" if model else _NOTHING


def _sentence(owner: object) -> str:
    return _plain((inspect.getdoc(owner) or "").split("\n\n", maxsplit=1)[0])


def _table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    columns = head.count("|") + 1
    lines = [f"| {head} |", "|" + "---|" * columns]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


TABLES: dict[str, Callable[[], str]] = {
    "topics": _topics,
    "payloads": _payloads,
    "kinds": _kinds,
    "parts": _nested_facts,
    "verbs": partial(_verbs, VERBS),
    "nodeverbs": partial(_verbs, NODE_VERBS),
    "codes": _codes,
}
"""The marks a page may have, and what stands between them."""


def main(page: Path) -> None:
    """Write the tables of a page anew."""
    page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
