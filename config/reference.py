"""Writes docs/configuration.md from the models: `python -m config.reference`."""

import json
import sys
from collections.abc import Iterable, Iterator
from datetime import timedelta
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal, TypeGuard, get_args, get_origin

from pydantic.fields import FieldInfo

from config.keys import Free, Named, Tagged, keys_of, plain
from config.models import Settings
from config.rule_set import (
    LadderRule,
    PowersRule,
    RuleSet,
    Senses,
    StartedPoints,
    SumOfOvertime,
    TimeLimits,
    Wall,
)
from config.section import Section
from config.values import Kind, Span
from config.words import decimal
from table.fouls import FoulKind
from table.sanctions import WRITTEN

HEAD = """\
# Configuration

One TOML file holds everything that `tablewarden` is told. `config/example.toml` is one to start
from; `tablewarden check --config FILE` says in sentences what is wrong with a file, or prints the
rules in force. This page is written by `python -m config.reference` from the program itself.

* A key that is not known is an error, never passed over.
* The unit of a number stands in its key. Seconds may have decimals, down to the microsecond.
* Paths are relative to the folder of the file.
* Passwords stand in files of their own, to which nobody but owner and group has access.

Variables of the environment stand in for keys:

| variable | key |
|---|---|
| `TABLEWARDEN__BROKER__HOST=10.0.0.7` | `host` in `[broker]` |
| `TABLEWARDEN__TABLES__HALL_A_1__PORT=/dev/ttyUSB0` | `port` in `[tables.hall-a-1]`: `_` for `-` |
| `TABLEWARDEN__BROKER__LOGIN_FILE=/run/login` | `login` in `[broker]` is what that file holds |
| `TABLEWARDEN__BOARD__PEOPLE=["Lin", "Ito"]` | `people` in `[board]`, written as in the file |
"""

RULES = """\
# A venue's own rule set

`ruleset` in `[event]` may be the path of a file like `config/rulesets/mcr-2014.toml`. Beside every
value stands `rule`, the book and article it comes from (`decision: …` where the book is silent); a
referee sees it with each foul. To change a single value of a shipped rule set, `[event.overrides]`
is enough. What contradicts itself is refused: a limit without the foul of breaking it, steps that
no referee may impose, more dead tiles than the wall has.
"""
SANCTIONS = f"""\
## Sanctions

A sanction is written as {WRITTEN}.

Points go to nobody, `10-each` to each of the other three, `10-player` to the player who was harmed.
`choice` proposes nothing: the referee decides what it is to be.
"""


def reference() -> str:
    """Return the page in Markdown."""
    return "\n".join((HEAD, *_sections(Settings, ()), RULES, *_rule_set()))


def _rule_set() -> Iterator[str]:
    top = {name: f for name, f in RuleSet.model_fields.items() if name in ("name", "title")}
    yield _table(top)
    for name, section in (("time", TimeLimits), ("sensed", Senses), ("wall", Wall)):
        yield from _rules(name, section)
    yield f"{SANCTIONS}\n## `[powers]`\n\n{PowersRule.__doc__}\n\n{_table(PowersRule.model_fields)}"
    yield f"## `[overtime_sum]`\n\n{SumOfOvertime.__doc__}\n\n{_table(SumOfOvertime.model_fields)}"
    yield "## `[fouls.<kind>]`\n"
    yield f"{LadderRule.__doc__} Kinds: {', '.join(f'`{kind}`' for kind in FoulKind)}.\n"
    yield _table({n: f for n, f in LadderRule.model_fields.items() if n != "started"})
    yield "### `started`\n"
    yield f"{LadderRule.model_fields['started'].description}\n"
    yield _table(StartedPoints.model_fields)


def _rules(name: str, section: type[Section]) -> Iterator[str]:
    yield f"## `[{name}.<rule>]`\n\n{section.__doc__}\n"
    yield "| section | its value | | meaning |\n|---|---|---|---|"
    for key, field in section.model_fields.items():
        needed = "required" if field.is_required() else "may be absent"
        yield f"| `[{name}.{key}]` | {_value_of_rule(field)} | {needed} | {field.description} |"
    yield ""


def _value_of_rule(rule: FieldInfo) -> str:
    kind = plain(rule.annotation)
    value = keys_of(kind)
    fields = value.fields if isinstance(value, Named) else {}
    return "; ".join(f"`{key}`: {allowed(fields[key])}" for key in fields if key != "rule")


def _sections(kind: object, path: tuple[str, ...]) -> Iterator[str]:
    """Write one section, then those inside it; where there are several kinds, what all have."""
    keys = keys_of(kind)
    tag, model = (keys.tag, keys.shared) if isinstance(keys, Tagged) else ("", kind)
    if not _is_section(model):
        return
    if path:
        yield f"## `[{'.'.join(path)}]`\n\n{model.__doc__}\n"
    yield from _rows_and_below({n: f for n, f in model.model_fields.items() if n != tag}, path)
    for value, one in keys.kinds.items() if isinstance(keys, Tagged) else ():
        yield f'### `[{".".join(path)}]` with `{tag} = "{value}"`\n\n{one.__doc__}\n'
        own = {n: f for n, f in one.model_fields.items() if n not in model.model_fields or n == tag}
        yield from _rows_and_below(own, path)


def _rows_and_below(fields: dict[str, FieldInfo], path: tuple[str, ...]) -> Iterator[str]:
    inner = {name: _section_in(field) for name, field in fields.items()}
    if rows := {name: field for name, field in fields.items() if inner[name] is None}:
        yield _table(rows)
    for name, below in inner.items():
        if below is not None:
            yield from _sections(below[0], (*path, name, *below[1]))


def _section_in(field: FieldInfo) -> tuple[object, tuple[str, ...]] | None:
    """Return the section that a key opens, with the free part of its name."""
    kind = plain(field.annotation)
    keys = keys_of(kind)
    if isinstance(keys, Free):
        opens = _is_section(keys.of) or isinstance(keys_of(keys.of), Tagged)
        return (keys.of, ("<id>",)) if opens else None
    return (kind, ()) if _is_section(kind) else None


def _is_section(kind: object) -> TypeGuard[type[Section]]:
    return isinstance(kind, type) and issubclass(kind, Section)


def _table(fields: dict[str, FieldInfo]) -> str:
    rows = (
        f"| `{field.alias or name}` | {allowed(field)} | {default(field)} | {meaning(field)} |"
        for name, field in fields.items()
    )
    return "\n".join(("| key | value | default | meaning |", "|---|---|---|---|", *rows, ""))


def meaning(field: FieldInfo) -> str:
    """Return what a key means, on one line."""
    return " ".join((field.description or "").split())


def allowed(field: FieldInfo) -> str:
    """Say what a key's value may be."""
    return _marked(field.metadata) or _allowed(field.annotation)


def _marked(remarks: Iterable[object]) -> str:
    return next((mark.allowed for mark in remarks if isinstance(mark, Kind)), "")


def _allowed(kind: object) -> str:
    parts = [one for one in get_args(kind) if one is not type(None)]
    origin = get_origin(kind)
    if origin is Annotated:
        return _marked(parts) or _allowed(parts[0])
    if origin is Literal:
        return " or ".join(f"`{json.dumps(one)}`" for one in parts)
    if origin is tuple:
        return f"a list, each {_allowed(parts[0])}"
    if origin is dict:
        key = "a kind of foul" if parts[0] is FoulKind else _allowed(parts[0])
        return f"a section: {key} = {_allowed(parts[1])}"
    if kind is FoulKind:
        return "a kind of foul"
    return _allowed(parts[0]) if parts else _plainly(kind)


def _plainly(kind: object) -> str:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " or ".join(f'`"{one.value}"`' for one in kind)
    return "`true` or `false`"


def default(field: FieldInfo) -> str:
    """Write what holds where the key is not given, as the file would have it."""
    if field.is_required():
        return "required"
    value = field.default
    match value:
        case None | () | {}:
            return ""
        case bool():
            return f"`{str(value).lower()}`"
        case timedelta():
            units = [mark.unit for mark in field.metadata if isinstance(mark, Span)]
            return f"`{decimal(value, units[0])}`"
        case str() | Path():
            return f'`"{value}"`'
        case _:
            return f"`{value}`"


if __name__ == "__main__":
    sys.stdout.write(reference())
