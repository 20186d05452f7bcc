"""What a rule set says about repeats of a foul, as the ladder needs it."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from table.fouls import FoulKind
from table.sanctions import Sanction


class AlertPolicy(StrEnum):
    """When a foul that was seen is put before a referee."""

    AUTO = "auto"
    """Always."""
    RECORD_ONLY = "record_only"
    """Never; the record keeps it."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """The sanctions for the first, second, … standing foul of one kind; the last one repeats."""

    steps: tuple[Sanction, ...]
    rule: str
    """Rule set and article."""
    policy: AlertPolicy = AlertPolicy.AUTO
    lapses: bool = True
    """A foul of play lapses if nobody took it before the next hand (no late claims)."""


@dataclass(frozen=True, slots=True)
class FoulRules:
    """The ladder of every kind of foul, with the settings of one event."""

    name: str
    """The rule set, as it is cited."""
    ladders: dict[FoulKind, Ladder]
    lease: timedelta
    """How long an acknowledged alert is kept for one referee (docs/adr/0009)."""
