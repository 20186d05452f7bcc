"""What every table of a fault run has, whatever it is reached by."""

from collections import Counter
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from drivers.port import TableDriver
from table.moment import Moment
from tests.drivers.fault_run.evening import Evening


class Grip(Enum):
    """What a trouble may keep a table from hearing."""

    SAMPLE = auto()
    """What only a sample could have shown that came to harm."""
    MEMORY = auto()
    """What the device itself forgot, too."""


@dataclass(frozen=True, slots=True)
class Disturbed:
    """A time in which a press may be missed."""

    since: Moment
    until: Moment
    grip: Grip


@dataclass(frozen=True, slots=True)
class Moved:
    """A motor key that was really pushed, or a motor that a box started."""

    at: Moment
    key: str


class Subject(Protocol):
    """A table and what befalls it."""

    @property
    def driver(self) -> TableDriver:
        """How the daemon reaches it."""

    @property
    def evening(self) -> Evening:
        """What its seats really do."""

    @property
    def befell(self) -> Counter[str]:
        """How often each fault happened."""

    @property
    def disturbed(self) -> list[Disturbed]:
        """When presses may have been missed, beside the times without a link."""

    @property
    def remembers(self) -> bool:
        """Whether the device counts presses, so that a lost sample loses none."""

    def begin(self) -> None:
        """Switch it on."""

    async def suffer(self, until: Moment) -> None:
        """Have things befall it until then; afterwards all is well."""

    def moved(self) -> list[Moved]:
        """Return every motor that was started by a wire."""
