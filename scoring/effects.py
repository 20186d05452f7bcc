"""What follows for referees and record: values, in order.

Each class is one kind of event on the broker; its wire name is the class name in kebab case.
"""

from dataclasses import dataclass
from typing import TypeAlias

from scoring.alert import Alert
from table.answers import Ignored, Refused
from table.fouls import FoulSeen


@dataclass(frozen=True, slots=True)
class AlertRaised:
    """A foul is put before the referees."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class AlertChanged:
    """An undecided alert was acknowledged, let go, or has another proposal."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class RulingMade:
    """A referee confirmed, modified, waived or reversed."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class AlertLapsed:
    """Nobody took the alert before the next hand began."""

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
    AlertRaised
    | AlertChanged
    | RulingMade
    | AlertLapsed
    | AlertMarked
    | FoulRecorded
    | Ignored
    | Refused
)
