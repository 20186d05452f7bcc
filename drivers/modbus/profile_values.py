"""Kinds of value that a profile holds, each with what is allowed in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, ValidationInfo

from config.values import Kind, Line, Span, Text, Whole, refuse, some
from table.moment import MILLISECOND, ZERO

PLACEHOLDER = "{n}"
MOST_CHANNELS = 256
"""More than any module has; keeps a slip of the pen from laying out a million signals."""


@dataclass(frozen=True, slots=True)
class Numbers(Kind):
    """The numbers that stand for `{n}` in a name: the first and the last."""

    @property
    def allowed(self) -> str:
        """The form and the bounds."""
        return (
            "a list of the first and the last number, for example [1, 8],"
            f" from 0 to {MOST_CHANNELS - 1}"
        )

    def read(self, value: object, _info: ValidationInfo) -> range:
        """Return the numbers."""
        if isinstance(value, range):
            return value
        if not isinstance(value, list | tuple) or [type(one) for one in value] != [int, int]:
            refuse(self.allowed)
        first, last = value
        if not 0 <= first <= last < MOST_CHANNELS:
            refuse(self.allowed)
        return range(first, last + 1)


@dataclass(frozen=True, slots=True)
class Name(Text):
    """The name of a signal; `{n}` in it stands for each of several numbers."""

    pattern: str = r"[a-z][a-z0-9-]*(\{n\}[a-z0-9-]*)?"
    allowed: str = "a name of a-z, 0-9 and hyphen, with {n} at most once, for example in{n}"


def named(template: str, number: int) -> str:
    """Return the name of one channel of a range."""
    return template.replace(PLACEHOLDER, str(number))


def ranged(name: str) -> bool:
    """Say whether a name stands for several."""
    return PLACEHOLDER in name


def many_lines(text: str) -> str:
    """Return text of several lines without the blanks around it."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def apart(names: Sequence[str]) -> Sequence[str]:
    """Return names of which at least two can stand in each other's way."""
    if len(set(names)) < max(2, len(names)):
        refuse("a list of two or more different names")
    return names


SignalName: TypeAlias = Annotated[str, Name()]
SourceName: TypeAlias = Annotated[
    str, Text("[a-z0-9][a-z0-9-]*", "the name of one of the [sources], of a-z, 0-9 and hyphen")
]
Lines: TypeAlias = Annotated[str, AfterValidator(many_lines)]
Doubts: TypeAlias = tuple[Line, ...]
Address: TypeAlias = Annotated[int, Whole(0, 65536)]
"""As the maker counts, from `numbering.first_address`."""
Stride: TypeAlias = Annotated[int, Whole(1, 4096)]
Bit: TypeAlias = Annotated[int, Whole(0, 15)]
Register: TypeAlias = Annotated[int, Whole(0, 65535)]
Raw: TypeAlias = Annotated[int, Whole(0, 2**64 - 1)]
Unit: TypeAlias = Annotated[int, Whole(1, 247)]
Wait: TypeAlias = Annotated[timedelta, Span(ZERO, timedelta(seconds=60), MILLISECOND)]
Patience: TypeAlias = Annotated[timedelta, Span(MILLISECOND, timedelta(minutes=10), MILLISECOND)]
PulseLength: TypeAlias = Annotated[timedelta, Span(MILLISECOND, timedelta(hours=1), MILLISECOND)]
PulseUnit: TypeAlias = Annotated[
    timedelta, Span(timedelta(microseconds=10), timedelta(minutes=1), MILLISECOND)
]
Channels: TypeAlias = Annotated[range, Numbers()]
SeveralNames: TypeAlias = Annotated[tuple[SignalName, ...], AfterValidator(some)]
Apart: TypeAlias = Annotated[tuple[SignalName, ...], AfterValidator(apart)]
