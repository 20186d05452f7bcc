"""What people and sensors do at a simulated table, each at its moment."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from simulator.modbus_mishaps import Mishap
from table.events import Call
from table.happening import BoxReboot, Input, SensedEvent, WireCut
from table.moment import Moment
from table.seat import Seat


@dataclass(frozen=True, slots=True)
class Touch:
    """An input of a seat goes down or up; `call` where the button names the call."""

    seat: Seat
    input: Input
    down: bool
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Sense:
    """A sensor of the table, or the machine itself, has something to report."""

    event: SensedEvent


class Key(StrEnum):
    """The keys on the table itself."""

    START = "start"
    """Raises the wall that is ready, and shuffles the tiles that were pushed in."""
    DICE = "dice"


class Cue(StrEnum):
    """Marks in the log for those who follow a written hand."""

    STARTED = "started"
    ENDED = "ended"


Act: TypeAlias = Touch | Sense | Key | WireCut | BoxReboot | Cue | Mishap


@dataclass(frozen=True, slots=True)
class Deed:
    """One act and when it is done."""

    at: Moment
    act: Act


def press(
    seat: Seat, button: Input, at: Moment, length: timedelta, call: Call | None = None
) -> list[Deed]:
    """Return the two edges of a press."""
    down, up = (Touch(seat, button, edge, call) for edge in (True, False))
    return [Deed(at, down), Deed(at + length, up)]
