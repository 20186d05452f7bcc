"""The interface between a table on a wire and the daemon."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Protocol, TypeAlias

from table.commands import TableCommand
from table.events import Condition, Observed
from table.moment import Moment

Now: TypeAlias = Callable[[], Moment]
"""Reads the daemon's monotonic clock; handed to a driver, which reads no clock of its own."""
JOINED = " + "
"""Between the parts of a table in its identity."""
_PLACED = re.compile(r"unit [0-9]+ on \S+")


class Grade(StrEnum):
    """How a table comes by a capability."""

    NATIVE = "native"
    RETROFIT = "retrofit"
    INFERRED = "inferred"
    MANUAL = "manual"
    ABSENT = "absent"


class Capability(StrEnum):
    """What a table may be able to do."""

    SHUFFLE = "shuffle"
    LIFT = "lift"
    LIFT_TOGGLE = "lift-toggle"
    """The lift has one key for both ways; without a sensor its position is inferred."""
    REOPEN = "reopen"
    """A running cycle can be paused and the table opened."""
    WALL_READY = "wall-ready"
    """The table says when the next wall is stacked."""
    DICE_ROLL = "dice-roll"
    DICE_RESULT = "dice-result"
    DISCARD_INPUT = "discard-input"
    CLAIM_INPUT = "claim-input"
    HOLD_SENSE = "hold-sense"
    DRAW_SENSE = "draw-sense"
    DEAL_END_SENSE = "deal-end-sense"
    LAMP = "lamp"
    BUZZER = "buzzer"
    DEVICE_TIME = "device-time"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the table says it is; read at every connect."""

    vendor: str
    model: str
    serial: str
    """Of each of its parts, joined by ` + `; where a part tells none, where that part is wired."""
    firmware: str
    certificate: str = ""


def placed(unit: int, line: str) -> str:
    """Return what stands for the serial number of a module that tells none: its place."""
    return f"unit {unit} on {line}"


def without_number(serial: str) -> tuple[int, int]:
    """Return how many parts of a table are known by their place alone, and how many it has."""
    parts = serial.split(JOINED)
    return sum(_PLACED.fullmatch(part) is not None for part in parts), len(parts)


@dataclass(frozen=True, slots=True)
class Pace:
    """How closely polled inputs are watched, measured over the newest samples."""

    wanted: timedelta
    """The period that was asked for."""
    achieved: timedelta
    """Mean time from one question to the next."""
    width: timedelta
    """Median time from the first moment of which one sample can tell to the last one of the next.

    What changes between two samples happened in an interval of this width.
    """
    widest: timedelta
    """The largest such time."""


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """Counts since connect; damage is told, never hidden."""

    damaged_frames: int = 0
    resent_commands: int = 0
    replayed_events: int = 0
    lost_events: int = 0
    bounces: int = 0
    """Edges ignored because they came too soon after another of the same input."""
    unknown: int = 0
    """Sound messages that name a seat, input or happening we do not know, or an old boot."""
    suspect: bool = False
    """Nothing heard for a second."""
    time_doubt: timedelta = timedelta(0)
    """Bound of the clock fit at present."""
    lacks: tuple[str, ...] = ()
    """What the table is without at present though it plays on, in words."""
    pace: Pace | None = None
    """How closely the seats are watched; None where the table itself stamps what they press."""


class Outcome(StrEnum):
    """How a command to the table ended."""

    DONE = "done"
    REFUSED = "refused"
    """The table said no; nothing moved."""
    ABSENT = "absent"
    """The table is not connected; nothing was sent."""
    FAILED = "failed"
    """The table began and could not finish, or was stopped; it says where it stands by events."""
    UNCERTAIN = "uncertain"
    """No answer: it may or may not have happened. Never retried blindly."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a command, and the table's reason where it gave one."""

    outcome: Outcome
    reason: str = ""


class TableLink(Protocol):
    """A connected table."""

    @property
    def identity(self) -> Identity:
        """Who is on the other end."""

    @property
    def capabilities(self) -> dict[Capability, Grade]:
        """What it can do, and how."""

    @property
    def resolution(self) -> timedelta:
        """Step of the device's time stamps."""

    @property
    def condition(self) -> Condition:
        """The machine as last reported."""

    @property
    def health(self) -> LinkHealth:
        """What the wire did to us so far."""

    def events(self) -> AsyncIterator[Observed]:
        """Iterate over what the table reports.

        Raises:
            LinkLost: the wire or the device went away; the link is of no more use.
        """

    def recorded(self, observed: Observed, /) -> None:
        """Learn that an event, and with it all before it, need not be told again.

        Called once the event is durable, or at once where nothing is kept, in the order of events.
        """

    async def send(self, command: TableCommand) -> Answer:
        """Have the table carry out a command and say how it ended.

        Raises:
            LinkLost: the wire went away before the command was sent.
        """


class TableDriver(Protocol):
    """Knows how to reach one table; never reconnects by itself."""

    def connect(self) -> AbstractAsyncContextManager[TableLink]:
        """Open the wire, read and verify the identity, then hand over the link.

        Raises:
            LinkUnavailable: the port is absent, busy, silent or not the table expected.
        """
