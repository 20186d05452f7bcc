"""What can happen in a written hand; `table.script` reads it from text."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from table import alert_commands, commands
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


class Official(StrEnum):
    """Who says something beside the seats."""

    REFEREE = "referee"
    CHIEF = "chief"
    """The chief referee, who decides what was put before him."""


OfficialCommand: TypeAlias = (
    commands.HandCommand | commands.MachineCommand | alert_commands.EnterFoul
)


@dataclass(frozen=True, slots=True)
class RefereeOrders:
    """A referee says something about the hand, or to the machine."""

    command: OfficialCommand
    by: Official = Official.REFEREE


class RulingVerb(StrEnum):
    """What a referee does with an alert."""

    ACKNOWLEDGE = "acknowledge"
    CONFIRM = "confirm"
    MODIFY = "modify"
    WAIVE = "waive"
    REVERSE = "reverse"
    UNDO = "undo"
    TAKE_UP = "take-up"
    ESCALATE = "escalate"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class RefereeRules:
    """A referee takes up an alert or rules on it."""

    verb: RulingVerb
    alert: str | None
    """None is the alert that was raised or recorded last."""
    sanction: Sanction = WARNING
    """The other sanction of a `modify`; means nothing elsewhere."""
    reason: str = ""
    """Also the text of a `note`."""
    objector: Seat | None = None
    """The seat that called the foul, of a `take-up`."""
    by: Official = Official.REFEREE

    def on(self, alert: str, revision: int) -> alert_commands.AlertCommand:
        """Return the command for the alert that is meant, at the revision the referee sees."""
        match self.verb:
            case RulingVerb.ACKNOWLEDGE | RulingVerb.CONFIRM | RulingVerb.UNDO as verb:
                return _BARE[verb](alert, revision)
            case RulingVerb.MODIFY:
                return alert_commands.Modify(alert, revision, self.sanction, self.reason)
            case RulingVerb.WAIVE | RulingVerb.REVERSE | RulingVerb.ESCALATE as verb:
                return _REASONED[verb](alert, revision, self.reason)
            case RulingVerb.TAKE_UP:
                return alert_commands.TakeUp(alert, revision, self.objector)
            case RulingVerb.NOTE:
                return alert_commands.AddNote(alert, self.reason)


_BARE: dict[RulingVerb, Callable[[str, int], alert_commands.AlertCommand]] = {
    RulingVerb.ACKNOWLEDGE: alert_commands.Acknowledge,
    RulingVerb.CONFIRM: alert_commands.Confirm,
    RulingVerb.UNDO: alert_commands.Undo,
}
_REASONED: dict[RulingVerb, Callable[[str, int, str], alert_commands.AlertCommand]] = {
    RulingVerb.WAIVE: alert_commands.Waive,
    RulingVerb.REVERSE: alert_commands.Reverse,
    RulingVerb.ESCALATE: alert_commands.Escalate,
}


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


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is to have come of the lines before; `controller.expectations` says what it means."""

    number: int
    at: timedelta
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandFile:
    """What a hand file says: by which book, what happens, and what is to come of it."""

    lines: tuple[ScriptLine, ...]
    expectations: tuple[Expectation, ...] = ()
    ruleset: str | None = None
    """The rule set it was written for; None where it says nothing."""
