"""Kinds of value that a configuration holds, each with what is allowed in words."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Context, Decimal, Inexact
from pathlib import Path
from typing import Annotated, NoReturn, TypeAlias, TypeVar

from pydantic import AfterValidator, GetCoreSchemaHandler, Strict, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core.core_schema import with_info_plain_validator_function

from config.shipped import is_path, shipped
from config.words import span
from table.events import Call
from table.moment import MICROSECOND, MILLISECOND
from table.sanctions import WRITTEN, Measure, Sanction, read_sanction

V = TypeVar("V")
EXACTLY = Context(prec=60, traps=[Inexact])
SECOND = timedelta(seconds=1)
FARTHEST = 1_000_000_000
"""No unit is so short that more of them are a time anybody waits for."""


def refuse(allowed: str) -> NoReturn:
    """Complain about a value; `allowed` follows the words "must be"."""
    kind = "not_allowed"
    raise PydanticCustomError(kind, "must be {allowed}", {"allowed": allowed})


def exactly(amount: int | Decimal, unit: timedelta) -> timedelta | None:
    """Return so many units as a duration, or None if that is no whole number of microseconds."""
    number = Decimal(amount)
    if not number.is_finite() or abs(number) > FARTHEST:
        return None
    try:
        micros = EXACTLY.multiply(number, Decimal(unit // MICROSECOND))
        return timedelta(microseconds=int(EXACTLY.to_integral_exact(micros)))
    except Inexact:
        return None


class Kind(ABC):
    """Marks a value of one kind in a model."""

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What may stand there, after the words "must be"."""

    @abstractmethod
    def read(self, value: object, info: ValidationInfo) -> object:
        """Return the value as the program uses it, or refuse it."""

    def __get_pydantic_core_schema__(
        self, _source: object, _next: GetCoreSchemaHandler
    ) -> CoreSchema:
        return with_info_plain_validator_function(self.read)


@dataclass(frozen=True, slots=True)
class Span(Kind):
    """A duration that the file gives as a decimal number of one unit."""

    least: timedelta
    most: timedelta
    unit: timedelta = SECOND

    @property
    def allowed(self) -> str:
        """The unit and the bounds."""
        unit = "seconds" if self.unit == SECOND else "milliseconds"
        return f"a number of {unit}, from {span(self.least)} to {span(self.most)}"

    def read(self, value: object, _info: ValidationInfo) -> timedelta:
        """Return the duration."""
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            value = exactly(value, self.unit)
        if not isinstance(value, timedelta) or not self.least <= value <= self.most:
            refuse(f"{self.allowed}, in whole microseconds")
        return value


@dataclass(frozen=True, slots=True)
class Whole(Kind):
    """A whole number between two bounds."""

    least: int
    most: int

    @property
    def allowed(self) -> str:
        """The bounds."""
        return f"a whole number from {self.least} to {self.most}"

    def read(self, value: object, _info: ValidationInfo) -> int:
        """Return the number."""
        if isinstance(value, bool) or not isinstance(value, int):
            refuse(self.allowed)
        if not self.least <= value <= self.most:
            refuse(self.allowed)
        return value


@dataclass(frozen=True, slots=True)
class Text(Kind):
    """Text of a certain form."""

    pattern: str
    allowed: str

    def read(self, value: object, _info: ValidationInfo) -> str:
        """Return the text."""
        if not isinstance(value, str) or not re.fullmatch(self.pattern, value):
            refuse(self.allowed)
        return value


class FromHere(Kind):
    """A path that is relative to the folder of the configuration file."""

    allowed = "a path, absolute or relative to the folder of this file"

    def read(self, value: object, info: ValidationInfo) -> Path:
        """Return the path, absolute where the folder is known."""
        if not isinstance(value, str | Path) or not str(value).strip() or "\0" in str(value):
            refuse(self.allowed)
        return Path((info.context or {}).get("folder", "")) / value


class BookName(Kind):
    """The name of a shipped rule set, or the path of the venue's own."""

    allowed = f"{' or '.join(shipped())}, or the path of a TOML file"

    def read(self, value: object, info: ValidationInfo) -> str:
        """Return the name, or the path made absolute where the folder is known."""
        if isinstance(value, str) and is_path(value):
            return str(FromHere().read(value, info))
        if not isinstance(value, str) or value not in shipped():
            refuse(self.allowed)
        return value


class ProfileName(Kind):
    """The id of a profile that comes with the program, or the path of the venue's own."""

    allowed = "the id of a profile that comes with the program, or the path of a TOML file"

    def read(self, value: object, info: ValidationInfo) -> str:
        """Return the id, or the path made absolute where the folder is known."""
        if not isinstance(value, str) or not value.strip():
            refuse(self.allowed)
        return str(FromHere().read(value, info)) if is_path(value) else value


class Step(Kind):
    """A sanction as it is written; plain points may be a number."""

    allowed = "a sanction"

    def read(self, value: object, _info: ValidationInfo) -> Sanction:
        """Return the sanction."""
        if isinstance(value, Sanction):
            return value
        if isinstance(value, bool) or not isinstance(value, int | str):
            refuse(f"{self.allowed}: {WRITTEN}")
        try:
            sanction = read_sanction(str(value))
        except ValueError:
            refuse(f"{self.allowed}: {WRITTEN}")
        if sanction.to:
            refuse("a sanction that names no player")
        return sanction


class DiscardCall(Kind):
    """A call that takes a discard."""

    allowed = '"chow", "pung" or "kong"'

    def read(self, value: object, _info: ValidationInfo) -> Call:
        """Return the call."""
        if not isinstance(value, str) or value not in {Call.CHOW, Call.PUNG, Call.KONG}:
            refuse(self.allowed)
        return Call(value)


def some(values: Sequence[object]) -> Sequence[object]:
    """Return a list that has at least one value."""
    if not values:
        refuse("a list of at least one")
    return values


def once(values: tuple[V, ...]) -> tuple[V, ...]:
    """Return a list in which nothing stands twice."""
    if len(set(values)) < len(values):
        refuse("a list in which nothing stands twice")
    return values


Id: TypeAlias = Annotated[
    str,
    Text(
        "[a-z0-9][a-z0-9-]*",
        "an id of the characters a-z, 0-9 and hyphen, with no hyphen first, for example hall-a",
    ),
]
Line: TypeAlias = Annotated[
    str, Text(r"[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*", "text on one line")
]
Source: TypeAlias = Annotated[
    str,
    Text(
        r"(?!\s*decision:?\s*$)[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*",
        "the book and article, or `decision:` and what was decided",
    ),
]
Port: TypeAlias = Annotated[int, Whole(1, 65535)]
Count: TypeAlias = Annotated[int, Whole(0, 144)]
YesNo: TypeAlias = Annotated[bool, Strict()]
Limit: TypeAlias = Annotated[timedelta, Span(MILLISECOND, timedelta(minutes=10))]
Patience: TypeAlias = Annotated[timedelta, Span(timedelta(0), timedelta(minutes=10))]
Stacks: TypeAlias = Annotated[int, Whole(14, 19)]
OneSanction: TypeAlias = Annotated[Sanction, Step()]
Steps: TypeAlias = Annotated[tuple[OneSanction, ...], AfterValidator(some)]
Choices: TypeAlias = Annotated[tuple[OneSanction, ...], AfterValidator(once)]
Amounts: TypeAlias = Annotated[tuple[Annotated[int, Whole(1, 9999)], ...], AfterValidator(once)]
Measures: TypeAlias = Annotated[tuple[Measure, ...], AfterValidator(once)]
DiscardCalls: TypeAlias = Annotated[
    tuple[Annotated[Call, DiscardCall()], ...], AfterValidator(once)
]
File: TypeAlias = Annotated[Path, FromHere()]
Book: TypeAlias = Annotated[str, BookName()]
