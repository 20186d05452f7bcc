"""Finds the line of a TOML file on which a value stands."""

import tomllib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str, ...]
LONGEST = 200
"""Lines of the longest statement that is put together; a longer one is taken line by line."""


def lines_of(text: str) -> dict[Path, int]:
    """Return the line, from 1, of every section and key of a text that is TOML."""
    found: dict[Path, int] = {}
    section: Path = ()
    for number, statement in statements(text):
        if statement.lstrip().startswith("["):
            section = _deepest(_read(statement) or {})
            found.setdefault(section, number)
            continue
        for path in _paths(_read(statement) or {}):
            found.setdefault((*section, *path), number)
    return found


def line_of(lines: dict[Path, int], location: Path) -> int:
    """Return the line of a value, or of the nearest section around it that has one."""
    for length in range(len(location), 0, -1):
        if location[:length] in lines:
            return lines[location[:length]]
    return 1


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield each header and each key with its value, with the number of its first line."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        length = _length(lines, at)
        yield at + 1, "\n".join(lines[at : at + length])
        at += length


def _length(lines: list[str], at: int) -> int:
    """Return how many lines a statement has: as many as it takes to be whole."""
    for length in range(1, min(LONGEST, len(lines) - at) + 1):
        if _read("\n".join(lines[at : at + length])) is not None:
            return length
    return 1


def _read(statement: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(statement, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError):
        return None


def _deepest(header: object) -> Path:
    """Return the path that a header names."""
    match header:
        case dict() if header:
            ((key, below),) = header.items()
            return (key, *_deepest(below))
        case [*_, below]:
            return _deepest(below)
        case _:
            return ()


def _paths(value: object) -> Iterator[Path]:
    """Yield the path of every key in a statement, those of inline tables too."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield (key,)
            yield from ((key, *path) for path in _paths(below))
