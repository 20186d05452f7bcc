"""What follows for referees and record: values, in order.

Each class is one kind of event on the broker; its wire name is the class name in kebab case.
"""

from dataclasses import dataclass
from typing import TypeAlias

from scoring.alert import Alert
from table.answers import Ignored, Refused
from table.fouls import FoulSeen


@dataclass(frozen=True, slots=True)
class AlertRecorded:
    """A foul was seen and is before nobody yet; whoever objects in time has it raised."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class AlertRaised:
    """A foul is put before the referees."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class AlertChanged:
    """An alert was acknowledged, let go, escalated or noted upon, or has another proposal."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class RulingMade:
    """A referee confirmed, modified, waived, reversed or undid; `alert.rulings[-1]` says which."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class AlertLapsed:
    """Nobody took the alert before the next hand began."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class AlertDropped:
    """An undecided alert followed from rulings that no longer stand; it is gone."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class AlertMarked:
    """A decided alert rested on a ruling that was reversed; it is before the referee again."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class FoulRecorded:
    """The event's policy keeps this foul for the record only."""

    foul: FoulSeen
    player: str


DocketEffect: TypeAlias = (
    AlertRecorded
    | AlertRaised
    | AlertChanged
    | RulingMade
    | AlertLapsed
    | AlertDropped
    | AlertMarked
    | FoulRecorded
    | Ignored
    | Refused
)
