"""One sentence for each thing that is wrong with a file."""

import json
from collections.abc import Callable
from decimal import Decimal
from difflib import get_close_matches
from typing import TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from config.keys import Named, found, keys_of
from config.section import Section

Location: TypeAlias = tuple[int | str, ...]
Place: TypeAlias = Callable[[Location], str]
"""Says where a value came from: the file, or a variable of the environment."""
SHOWN_AT_MOST = 60


def complaints(error: ValidationError, model: type[Section], place: Place) -> list[str]:
    """Return a sentence for each error, naming place, key, value and what is allowed."""
    return [f"{place(e['loc'])}: {sentence(e, model)}." for e in error.errors(include_url=False)]


def sentence(error: ErrorDetails, model: type[Section]) -> str:
    """Say what is wrong with one value."""
    key = named(error["loc"])
    match error["type"]:
        case "extra_forbidden":
            return f"{key} is not known; {nearest(error['loc'], model)}"
        case "missing":
            return f"{key} is missing"
        case "value_error":
            reason = str(error["ctx"]["error"])
            return f"{key}: {reason}" if key else reason
        case _ if error["loc"][-1:] == ("[key]",):
            return f"the name {key} {demand(error)}"
        case _:
            return f"{key} is {shown(error['input'])}, but {demand(error)}"


def demand(error: ErrorDetails) -> str:
    """Say what the value must be."""
    match error["type"]:
        case "not_allowed":
            return error["msg"]
        case "literal_error" | "enum":
            return f"must be {error['ctx']['expected']}"
        case "bool_type":
            return "must be true or false"
        case "tuple_type":
            return "must be a list"
        case "model_type" | "dict_type":
            return "must be a section with keys of its own"
        case _:
            return error["msg"][:1].lower() + error["msg"][1:]


def nearest(location: Location, model: type[Section]) -> str:
    """Name the known key that looks most like the unknown one, or all of them."""
    *path, wrong = map(str, location)
    keys = keys_of(found(model, tuple(path)))
    known = sorted(keys.fields) if isinstance(keys, Named) else []
    close = get_close_matches(wrong, known, n=1)
    return f"did you mean {close[0]}" if close else f"known are {', '.join(known)}"


def named(location: Location) -> str:
    """Write a path of keys as the file has it."""
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in location]
    return "".join(step for step in steps if step != ".[key]").removeprefix(".")


def shown(value: object) -> str:
    """Write a value as the file has it, shortened."""
    plain = isinstance(value, Decimal)
    text = str(value) if plain else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN_AT_MOST else f"{text[:SHOWN_AT_MOST]}…"
