"""Variables of the environment that stand in for keys of the file."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_origin

from config.complaints import Location
from config.keys import Free, found, keys_of
from config.section import Section

PREFIX = "TABLEWARDEN__"
FROM_FILE = "_file"


@dataclass(slots=True)
class Document:
    """What file and environment say together, and which of the two said what."""

    file: Path
    content: dict[str, Any]
    variables: dict[tuple[str, ...], str] = field(default_factory=dict)
    """The variable that each overridden key, or section that the file lacks, came from."""
    problems: list[str] = field(default_factory=list)
    """Sentences about variables that could not be used."""

    def place(self, location: Location) -> str:
        """Say where the value at a location came from."""
        path = tuple(map(str, location))
        for length in range(len(path), 0, -1):
            if path[:length] in self.variables:
                return self.variables[path[:length]]
        return str(self.file)

    def put(self, path: tuple[str, ...], value: object, variable: str) -> None:
        """Set the value at a path, making the sections on the way."""
        section = self.content
        for depth, key in enumerate(path[:-1], start=1):
            if key not in section:
                self.variables[path[:depth]] = variable
            section = section.setdefault(key, {})
            if not isinstance(section, dict):
                above = ".".join(path[:depth])
                self.problems.append(f"{variable}: {above} is a single value without keys.")
                return
        if path in self.variables:
            self.problems.append(f"{variable}: {self.variables[path]} names the same key.")
        section[path[-1]] = value
        self.variables[path] = variable

    def override(self, environ: Mapping[str, str], model: type[Section]) -> None:
        """Let the variables that begin with TABLEWARDEN__ stand in for keys of the model."""
        for variable in sorted(name for name in environ if name.startswith(PREFIX)):
            path = path_of(variable, model)
            text: str | None = environ[variable]
            if found(model, path) is None and path[-1].endswith(FROM_FILE):
                path = (*path[:-1], path[-1].removesuffix(FROM_FILE))
                text = self._read(variable, environ[variable])
            if text is not None:
                self.put(path, value_of(text, found(model, path)), variable)

    def _read(self, variable: str, name: str) -> str | None:
        try:
            return Path(name).read_text("utf-8").rstrip("\r\n")
        except (OSError, ValueError) as error:
            self.problems.append(f"{variable}: {name} cannot be read: {error}.")
            return None


def path_of(variable: str, model: type[Section]) -> tuple[str, ...]:
    """Return the path of keys that a variable names; ids have `_` where the file has `-`."""
    path: tuple[str, ...] = ()
    for word in variable.removeprefix(PREFIX).lower().split("__"):
        free = isinstance(keys_of(found(model, path)), Free)
        path = (*path, word.replace("_", "-") if free else word)
    return path


def value_of(text: str, kind: object) -> object:
    """Read the text of a variable as TOML, unless its key holds text anyway."""
    if speaks_text(kind):
        return text
    try:
        return tomllib.loads(f"value = {text}", parse_float=Decimal)["value"]
    except tomllib.TOMLDecodeError:
        return text


def speaks_text(kind: object) -> bool:
    """Say whether a key of this type is written in quotes in the file."""
    if get_origin(kind) is Literal:
        return True
    return isinstance(kind, type) and issubclass(kind, str | Path | Enum)
