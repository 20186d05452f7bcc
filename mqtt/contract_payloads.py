"""The tables of the contract's page about payloads and the parts that they are made of."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from pydantic import BaseModel

from mqtt.catalogue import PARTS, PAYLOADS, RECEIVED
from mqtt.docstrings import plain, sentence
from table.seat import Seat


def rows_of(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    columns = head.count("|") + 1
    lines = [f"| {head} |", "|" + "---|" * columns]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def payload_tables() -> str:
    """Return a section with a table for every payload and every part."""
    return "\n".join(_payload(model) for model in (*PAYLOADS, *PARTS))


def _payload(model: type[BaseModel]) -> str:
    schema = model.model_json_schema()
    sent = set() if model in RECEIVED else set(schema["properties"])
    always = sent | set(schema.get("required", []))
    rows = [
        (f"`{name}`" + ("" if name in always else "?"), _kind(schema, part), _text(part))
        for name, part in schema["properties"].items()
    ]
    head = f"### {model.__name__}\n\n{sentence(model)}\n\n"
    return head + rows_of("field | type | meaning", rows)


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
    return _choice(values) if values else link(name)


def _choice(values: Iterable[object]) -> str:
    return " · ".join(f"`{value}`" for value in values)


def _text(part: dict[str, Any]) -> str:
    return plain(part.get("description", ""))


def link(payload: str) -> str:
    """Return a link to the section of a payload."""
    return f"[{payload}](#{payload.lower()})"
