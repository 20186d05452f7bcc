"""JSON Schema of what the contract is made of: models, enumerations and the data of events."""

from collections.abc import Callable
from dataclasses import is_dataclass
from datetime import timedelta
from enum import Enum, IntEnum
from functools import partial
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema as core

from mqtt.docstrings import first_paragraph, member_texts, plain, sentence
from mqtt.events import field_names
from table.moment import Moment
from table.seat import BySeat, Seat

Schema: TypeAlias = dict[str, Any]
SEATS = [str(seat.value) for seat in Seat]
_REFERENCE = "#/$defs/{model}"


class _Heard(GenerateJsonSchema):
    """How nodes read what is ordered: words of the house, and seats as the keys of an object."""

    def generate(self, schema: Any, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:  # noqa: ANN401 - pydantic's union
        made = super().generate(schema, mode)
        for one in (made, *made.get("$defs", {}).values()):
            _reword(one, first_paragraph)
            for part in one.get("properties", {}).values():
                _reword(part, plain)
        return made

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401, ARG002
        return False

    def enum_schema(self, schema: core.EnumSchema) -> JsonSchemaValue:
        return enumerated(schema["cls"])

    def dict_schema(self, schema: core.DictSchema) -> JsonSchemaValue:
        made = super().dict_schema(schema)
        keys = schema.get("keys_schema", {})
        # Keys of JSON are strings, whatever they are to us.
        return made | ({"propertyNames": {"enum": SEATS}} if keys.get("cls") is Seat else {})


def _reword(schema: Schema, change: Callable[[str], str]) -> None:
    if "description" in schema:
        schema["description"] = change(schema["description"])


class _Told(_Heard):
    """How nodes write: every field is there, and more may come."""

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: ANN401, ARG002, FBT001
        return True

    def default_schema(self, schema: core.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])


def told(model: type[BaseModel]) -> Schema:
    """Return the schema of what nodes send: each field is there, others may be added."""
    return model.model_json_schema(ref_template=_REFERENCE, schema_generator=_Told)


def heard(model: type[BaseModel]) -> Schema:
    """Return the schema of what nodes take: nothing but the fields that are named."""
    return model.model_json_schema(ref_template=_REFERENCE, schema_generator=_Heard)


def enumerated(words: type[Enum]) -> Schema:
    """Return the schema of an enumeration."""
    kind = "integer" if issubclass(words, IntEnum) else "string"
    values = [word.value for word in words]
    return {"title": words.__name__, "description": sentence(words), "enum": values, "type": kind}


def data_of(effect: type) -> Schema:
    """Return the schema of the data of a kind of event.

    Raises:
        TypeError: a field is of a type that has no form in the contract.
    """
    known: dict[str, Schema] = {}
    made = _object(effect, known)
    return made | ({"$defs": dict(sorted(known.items()))} if known else {})


def _object(owner: Any, known: dict[str, Schema]) -> Schema:  # noqa: ANN401 - any dataclass
    hints, texts = get_type_hints(owner), member_texts(owner)
    properties = {
        wire: _of(hints[name], known) | ({"description": texts[name]} if name in texts else {})
        for name, wire in field_names(owner).items()
    }
    head = {"title": owner.__name__, "description": sentence(owner), "type": "object"}
    return head | {"properties": properties, "required": list(properties)}


def _of(hint: Any, known: dict[str, Schema]) -> Schema:  # noqa: ANN401 - a type as it is written
    options = [option for option in get_args(hint) if option is not NoneType]
    origin = get_origin(hint)
    if origin in {Union, UnionType}:
        return {"anyOf": [_of(option, known) for option in get_args(hint)]}
    if origin is tuple:
        return {"type": "array", "items": _of(options[0], known)}
    if origin is BySeat:
        each = {seat: _of(options[0], known) for seat in SEATS}
        return {"type": "object", "properties": each, "required": SEATS}
    return _plain(hint, known)


def _plain(hint: Any, known: dict[str, Schema]) -> Schema:  # noqa: ANN401 - a class
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    make = enumerated if issubclass(hint, Enum) else partial(_object, known=known)
    if issubclass(hint, Enum) or is_dataclass(hint):
        return _named(hint, known, make)
    message = f"{hint.__name__} has no form in the contract"
    raise TypeError(message)


def _named(hint: type, known: dict[str, Schema], make: Callable[[Any], Schema]) -> Schema:
    if hint.__name__ not in known:
        known[hint.__name__] = make(hint)
    return {"$ref": _REFERENCE.format(model=hint.__name__)}


_PLAIN = {
    bool: "boolean",
    int: "integer",
    str: "string",
    timedelta: "integer",
    Moment: "integer",
    NoneType: "null",
}
"""The JSON types of what is no object; spans and moments are whole microseconds."""
