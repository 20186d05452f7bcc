"""One sentence for each thing that is wrong with a file."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from difflib import get_close_matches
from typing import TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from config.keys import Named, Tagged, found, keys_of, untagged
from config.section import Section

Location: TypeAlias = tuple[int | str, ...]
Place: TypeAlias = Callable[[Location], str]
"""Says where a value came from: the file, or a variable of the environment."""
SHOWN_AT_MOST = 60
FEW = 6
"""So many words are told when one of them was expected; of more, the nearest."""
DEMANDS = {
    "bool_type": "must be true or false",
    "tuple_type": "must be a list",
    "model_type": "must be a section with keys of its own",
    "model_attributes_type": "must be a section with keys of its own",
    "dict_type": "must be a section with keys of its own",
}


def complaints(error: ValidationError, model: type[Section], place: Place) -> list[str]:
    """Return a sentence for each error, naming place, key, value and what is allowed."""
    return [
        f"{place(untagged(model, e['loc']))}: {sentence(e, model)}."
        for e in error.errors(include_url=False)
    ]


def sentence(error: ErrorDetails, model: type[Section]) -> str:
    """Say what is wrong with one value."""
    key = named(untagged(model, error["loc"]))
    match error["type"]:
        case "union_tag_not_found" | "union_tag_invalid":
            return _of_no_kind(key, error, model)
        case "extra_forbidden":
            return f"{key} is not known; {nearest(error['loc'], model)}"
        case "missing":
            return f"{key} is missing"
        case "value_error":
            reason = str(error["ctx"]["error"])
            return f"{key}: {reason}" if key else reason
        case _ if error["loc"][-1:] == ("[key]",):
            return _of_a_name(key, error)
        case _:
            return f"{key} is {shown(error['input'])}, but {demand(error)}"


def _of_a_name(key: str, error: ErrorDetails) -> str:
    if error["type"] == "enum":
        return f"{key} is not known; {similar(str(error['input']), listed(error))}"
    return f"the name {key} {demand(error)}"


def _of_no_kind(key: str, error: ErrorDetails, model: type[Section]) -> str:
    """Say of a section which kinds there are, where it names none or another."""
    keys = keys_of(found(model, tuple(map(str, error["loc"]))))
    tag, kinds = (keys.tag, sorted(keys.kinds)) if isinstance(keys, Tagged) else ("", [])
    allowed = " or ".join(f'"{kind}"' for kind in kinds)
    if tag not in error["input"]:
        return f"{key}.{tag} is missing; it must be {allowed}"
    wrong = error["input"][tag]
    close = get_close_matches(str(wrong), kinds, n=1)
    hint = f"; did you mean {close[0]}" if close else ""
    return f"{key}.{tag} is {shown(wrong)}, but must be {allowed}{hint}"


def demand(error: ErrorDetails) -> str:
    """Say what the value must be."""
    kind = error["type"]
    if kind == "not_allowed":
        return error["msg"]
    if kind in {"literal_error", "enum"}:
        return one_of(error)
    return DEMANDS.get(kind, error["msg"][:1].lower() + error["msg"][1:])


def one_of(error: ErrorDetails) -> str:
    """Say which words may stand there, or the nearest of many."""
    known = listed(error)
    if len(known) > FEW:
        return f"must be one of those known; {similar(str(error['input']), known)}"
    return f"must be {error['ctx']['expected']}"


def nearest(location: Location, model: type[Section]) -> str:
    """Name the known key that looks most like the unknown one, or all of them."""
    *path, wrong = map(str, location)
    keys = keys_of(found(model, tuple(path)))
    return similar(wrong, sorted(keys.fields) if isinstance(keys, Named) else [])


def similar(wrong: str, known: list[str]) -> str:
    """Name the known word that looks most like the wrong one, or all of them."""
    close = get_close_matches(wrong, known, n=1)
    return f"did you mean {close[0]}" if close else f"known are {', '.join(known)}"


def listed(error: ErrorDetails) -> list[str]:
    """Return the words that may stand where another one does."""
    return re.findall(r"'([^']*)'", error["ctx"]["expected"])


def named(location: Location) -> str:
    """Write a path of keys as the file has it."""
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in location]
    return "".join(step for step in steps if step != ".[key]").removeprefix(".")


def shown(value: object) -> str:
    """Write a value as the file has it, shortened."""
    plain = isinstance(value, Decimal)
    text = str(value) if plain else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN_AT_MOST else f"{text[:SHOWN_AT_MOST]}…"
