"""Reads the JSON of an order, and says in one sentence what is wrong with it; pure."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, from_json

from mqtt.arguments import Arguments
from mqtt.orders import CommandPayload
from mqtt.reply_codes import ReplyCode
from table.answers import Code
from table.errors import CommandRefused
from table.printable import printable

_LONGEST_REASON = 300
_Model = TypeVar("_Model", bound=BaseModel)


def read_order(payload: bytes) -> CommandPayload:
    """Return the order that a payload holds.

    Raises:
        CommandRefused: it is no JSON, or no order.
    """
    try:
        content = from_json(payload)
    except ValueError as error:
        refuse(ReplyCode.INVALID_PAYLOAD, f"the payload is not JSON: {error}", error)
    return validated(CommandPayload, content)


def validated(model: type[_Model], content: object) -> _Model:
    """Return content as its model.

    Raises:
        CommandRefused: a key or a value is not allowed; the first one is named.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        refuse(_code(model, first), _sentence(model, first), error)


def _code(model: type[BaseModel], fault: ErrorDetails) -> str:
    if fault["loc"] == ("reason",) and fault["type"] != "string_too_long":
        return Code.REASON_MISSING
    structural = fault["type"] in {"missing", "extra_forbidden"}
    is_argument = issubclass(model, Arguments) and not structural
    return Code.BAD_VALUE if is_argument else ReplyCode.INVALID_PAYLOAD


def _sentence(model: type[BaseModel], fault: ErrorDetails) -> str:
    place = printable(".".join(str(part) for part in fault["loc"]))
    match fault["type"]:
        case "missing":
            return f"key {place} is missing"
        case "extra_forbidden":
            return f"unknown key {place}{nearest(str(fault['loc'][-1]), _keys(model, fault))}"
        case "model_type":
            return f"{place or 'the payload'} must be a JSON object"
        case "enum":
            known = re.findall(r"'([^']+)'", fault["ctx"]["expected"])
            given = str(fault["input"])[:60]
            return f"{place} {given!r} is none of {len(known)} allowed{nearest(given, known)}"
        case _:
            given = repr(fault["input"])[:60]
            return f"{place} {given}: {fault['msg'][0].lower()}{fault['msg'][1:]}"


def _keys(model: type[BaseModel], fault: ErrorDetails) -> Iterable[str]:
    """Return the keys allowed where the fault is; only one level lies deeper."""
    for part in fault["loc"][:-1]:
        inner = model.model_fields[str(part)].annotation
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return ()
        model = inner
    return model.model_fields


def nearest(given: str, known: Iterable[str]) -> str:
    """Name the known word that a slip of the pen may have meant, if there is one."""
    found = get_close_matches(given, known, n=1)
    return f"; nearest is {found[0]}" if found else ""


def refuse(code: str, reason: str, cause: Exception | None = None) -> NoReturn:
    """Refuse an order in a sentence of bounded length.

    Raises:
        CommandRefused: always.
    """
    raise CommandRefused(code, _brief(reason)) from cause


def _brief(reason: str) -> str:
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[: _LONGEST_REASON - 1]}…"
