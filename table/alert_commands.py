"""What may be asked of a foul and its alert."""

from dataclasses import dataclass
from typing import TypeAlias

from table.fouls import FoulKind
from table.sanctions import Sanction
from table.seat import Seat


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """The person looks at the alert; for a time nobody else may rule on it."""

    alert: str
    revision: int


@dataclass(frozen=True, slots=True)
class Confirm:
    """The proposed sanction stands."""

    alert: str
    revision: int


@dataclass(frozen=True, slots=True)
class Modify:
    """Another sanction than the proposed one."""

    alert: str
    revision: int
    sanction: Sanction
    reason: str


@dataclass(frozen=True, slots=True)
class Waive:
    """No sanction."""

    alert: str
    revision: int
    reason: str


@dataclass(frozen=True, slots=True)
class Reverse:
    """A ruling made earlier is taken back and stops counting as a step.

    Reversing what was reversed lets the ruling stand again; reversing a waiver opens the alert.
    """

    alert: str
    revision: int
    reason: str


@dataclass(frozen=True, slots=True)
class Undo:
    """The person's own last decision was a slip: the alert is before the referee as it was."""

    alert: str
    revision: int


@dataclass(frozen=True, slots=True)
class TakeUp:
    """A foul that was only recorded is put before the referee, because somebody objects."""

    alert: str
    revision: int
    objector: Seat | None = None
    """The seat that called it; None where the referee takes it up without one."""


@dataclass(frozen=True, slots=True)
class Escalate:
    """The chief referee decides, and nobody else."""

    alert: str
    revision: int
    reason: str


@dataclass(frozen=True, slots=True)
class AddNote:
    """Something to remember about an alert, at any time; changes nothing else."""

    alert: str
    text: str


@dataclass(frozen=True, slots=True)
class EnterFoul:
    """A referee saw a foul that no table can sense; it becomes an alert kept for that referee."""

    kind: FoulKind
    seat: Seat
    remark: str = ""


AlertCommand: TypeAlias = (
    Acknowledge | Confirm | Modify | Waive | Reverse | Undo | TakeUp | Escalate | AddNote
)
"""About one alert that the docket holds."""


RulingCommand: TypeAlias = AlertCommand | EnterFoul
