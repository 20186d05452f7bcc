"""What follows from a stimulus: values for the table, the record and the world, in order.

Each class is one kind of event on the broker; its wire name is the class name in kebab case.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from table.answers import Ignored, Refused
from table.arming import TableArmed, TableDisarmed
from table.commands import SetLamp, SoundBuzzer
from table.events import Call
from table.fouls import FoulKind, FoulSeen, OverrunRecorded, TooClose
from table.moment import Elapsed, Interval
from table.seat import Seat
from timing.machine_effects import MachineEffect
from timing.order_effects import (
    CallAnswered,
    Decreed,
    ExtraTimeGiven,
    PlayersSeated,
    PlayPaused,
    PlayResumed,
    SeatRestricted,
    StandInSeated,
    TimeGiven,
    TurnSet,
)


class Result(StrEnum):
    """How a hand ended."""

    HU = "hu"
    DRAW = "draw"
    VOID = "void"
    UNANNOUNCED = "unannounced"
    """The next hand began and nobody had said how this one ended."""


@dataclass(frozen=True, slots=True)
class HandStarted:
    """A hand began; its deal is under way."""

    hand: str
    number: int
    """Counted from 1 in the session; decides the prevalent wind."""
    dealer: Seat


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A seat is on turn; `start` is None while its clock waits for a draw or the window's end."""

    seat: Seat
    limit: timedelta
    start: Interval | None
    presumed: bool


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat discarded; `implied` where only a later press shows it."""

    seat: Seat
    when: Interval
    implied: bool


@dataclass(frozen=True, slots=True)
class TurnMeasured:
    """How long a seat took, from its sensed or presumed start to its own press."""

    seat: Seat
    taken: Elapsed
    limit: timedelta
    presumed: bool


@dataclass(frozen=True, slots=True)
class WindowOpened:
    """Seats may call pung or kong on this discard."""

    discarder: Seat
    limit: timedelta


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """The call window is over, by time, by a claim or by the next discard."""

    discarder: Seat


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat claimed the newest discard."""

    seat: Seat
    call: Call | None
    taken: Elapsed
    """From the discard."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """A seat on turn took a replacement tile for a kong or a flower."""

    seat: Seat
    call: Call | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A seat took a tile from the wall."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OverLimit:
    """A notice: the running limit of a seat is reached. Not a foul."""

    seat: Seat
    kind: FoulKind


@dataclass(frozen=True, slots=True)
class OverLimitClosed:
    """The notice is over."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PressesMissed:
    """A seat let others press for it so often in this hand."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class HuAnnounced:
    """A seat declared hu; all clocks stand."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HuRanked:
    """Who would win if every declared hu is valid, in the order in which they are paid."""

    declared: tuple[Seat, ...]
    winners: tuple[Seat, ...]
    discarder: Seat | None
    """Whose discard it is; None where it may be the own draw, or is not known."""
    kong: Seat | None
    """Whose added kong may be robbed."""


@dataclass(frozen=True, slots=True)
class Barred:
    """A seat did what a ruling forbids it, so nothing follows from it."""

    seat: Seat
    what: str
    """`hu` or `call`."""


@dataclass(frozen=True, slots=True)
class CallWithdrawn:
    """A seat called a discard and another seat played on as if it had not."""

    seat: Seat
    call: Call | None


@dataclass(frozen=True, slots=True)
class WallBroken:
    """Where the wall is broken, as far as the dice are known."""

    thrower: Seat | None
    """Who throws second; None where one throw is enough."""
    wall: Seat | None
    """In front of whom it is broken; None until every throw is known."""
    stack: int | None
    """The first stack that is taken, counted from the right-hand end of that wall, from 1."""


@dataclass(frozen=True, slots=True)
class HuTakenBack:
    """The declared hu was withdrawn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatReady:
    """A seat says that it has arranged its tiles; the fourth one ends the deal."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RefereeWanted:
    """A seat calls the referee."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StepLost:
    """The table is out of step: no clocks and no fouls until a discard press or the referee."""

    cause: str


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand is over."""

    hand: str
    result: Result
    winner: Seat | None = None
    """The winner, or the first in order of pay; None where it is not known."""
    winners: tuple[Seat, ...] = ()
    reason: str = ""


HandEffect: TypeAlias = (
    HandStarted
    | PlayersSeated
    | TurnStarted
    | Discarded
    | TurnMeasured
    | WindowOpened
    | WindowClosed
    | Claimed
    | Replaced
    | Drawn
    | OverLimit
    | OverLimitClosed
    | PressesMissed
    | HuAnnounced
    | HuRanked
    | HuTakenBack
    | Barred
    | SeatRestricted
    | StandInSeated
    | CallWithdrawn
    | TimeGiven
    | ExtraTimeGiven
    | TurnSet
    | Decreed
    | WallBroken
    | SeatReady
    | RefereeWanted
    | CallAnswered
    | PlayPaused
    | PlayResumed
    | StepLost
    | HandEnded
    | TableArmed
    | TableDisarmed
    | FoulSeen
    | TooClose
    | OverrunRecorded
    | SoundBuzzer
    | SetLamp
    | Ignored
    | Refused
)
TimingEffect: TypeAlias = HandEffect | MachineEffect
