"""What can happen in a written hand; `table.script` reads it from text."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from table import commands
from table.events import Call, DealEnded, MachineEvent, TileDrawn
from table.sanctions import WARNING, Sanction
from table.seat import Seat

TAP = timedelta(milliseconds=80)
"""From press to release of a tapped input."""
HOLD = timedelta(milliseconds=1200)
"""From press to release of a held input; longer than the second that makes it a hold."""

SensedEvent: TypeAlias = TileDrawn | DealEnded | MachineEvent
"""What a table reports by itself."""


class Input(StrEnum):
    """The two inputs of a seat."""

    DISCARD = "discard"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class SeatTap:
    """A seat presses an input and lets go at once; `call` where the button names the call."""

    seat: Seat
    input: Input
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class SeatHold:
    """A seat holds an input down: hu on `discard`, the referee on `claim`."""

    seat: Seat
    input: Input


@dataclass(frozen=True, slots=True)
class Sensed:
    """The table reports something that no seat said."""

    event: SensedEvent


@dataclass(frozen=True, slots=True)
class WireCut:
    """The wire between table and daemon is away for a time; the table plays on."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class BoxReboot:
    """The table's box starts anew."""


@dataclass(frozen=True, slots=True)
class RefereeOrders:
    """A referee says something about the hand."""

    command: commands.HandCommand


class RulingVerb(StrEnum):
    """What a referee does with an alert."""

    ACKNOWLEDGE = "acknowledge"
    CONFIRM = "confirm"
    MODIFY = "modify"
    WAIVE = "waive"
    REVERSE = "reverse"


@dataclass(frozen=True, slots=True)
class RefereeRules:
    """A referee takes up an alert or rules on it."""

    verb: RulingVerb
    alert: str | None
    """None is the alert that was raised last."""
    sanction: Sanction = WARNING
    """The other sanction of a `modify`; means nothing elsewhere."""
    reason: str = ""

    def on(self, alert: str, revision: int) -> commands.RulingCommand:
        """Return the command for the alert that is meant, at the revision the referee sees."""
        match self.verb:
            case RulingVerb.ACKNOWLEDGE:
                return commands.Acknowledge(alert, revision)
            case RulingVerb.CONFIRM:
                return commands.Confirm(alert, revision)
            case RulingVerb.MODIFY:
                return commands.Modify(alert, revision, self.sanction, self.reason)
            case RulingVerb.WAIVE:
                return commands.Waive(alert, revision, self.reason)
            case RulingVerb.REVERSE:
                return commands.Reverse(alert, revision, self.reason)


SeatGesture: TypeAlias = SeatTap | SeatHold
Happening: TypeAlias = SeatGesture | Sensed | WireCut | BoxReboot | RefereeOrders | RefereeRules


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One happening of a written hand.

    `at` counts from the start of the script; the happening lies within `doubt` of it.
    """

    number: int
    at: timedelta
    doubt: timedelta
    happening: Happening

    @property
    def done(self) -> timedelta:
        """When the happening is over: at once, or when the input is let go."""
        match self.happening:
            case SeatTap():
                return self.at + TAP
            case SeatHold():
                return self.at + HOLD
            case _:
                return self.at

    @property
    def pressed(self) -> tuple[Seat, Input] | None:
        """Which input of which seat is pressed, if one is."""
        match self.happening:
            case SeatTap(seat, button) | SeatHold(seat, button):
                return seat, button
            case _:
                return None
