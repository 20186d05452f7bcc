"""What a rule set says about fouls: their ladders, and what a referee may impose."""

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from table.fouls import FoulKind
from table.moment import ZERO
from table.sanctions import Measure, Sanction


class AlertPolicy(StrEnum):
    """When a foul that was seen is put before a referee."""

    AUTO = "auto"
    """Always; beyond `margin` where the ladder has one."""
    ON_CLAIM = "on_claim"
    """When somebody objects, before the next hand begins; until then it is only recorded."""
    RECORD_ONLY = "record_only"
    """Never; the record keeps it."""


class Scope(StrEnum):
    """What repeats are counted within."""

    HAND = "hand"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Started:
    """So many points for each started span over the limit (wsom-2010 打牌时限 §§1, 2)."""

    points: int
    span: timedelta


@dataclass(frozen=True, slots=True)
class Ladder:
    """The sanctions for the first, second, … standing foul of one kind; the last one repeats."""

    steps: tuple[Sanction, ...]
    """Empty where `started` alone sets the amount."""
    rule: str
    """Rule set and article."""
    policy: AlertPolicy = AlertPolicy.AUTO
    lapses: bool = True
    """A foul of play lapses if nobody took it before the next hand (no late claims)."""
    margin: timedelta = ZERO
    """Under `auto`, not more than this over the limit is recorded and can be taken up."""
    scope: Scope = Scope.HAND
    started: Started | None = None
    choices: tuple[Sanction, ...] = ()
    """What else may be imposed for this kind than the powers say."""
    title: str = ""
    """What the foul is called in this book, for people."""


@dataclass(frozen=True, slots=True)
class Powers:
    """What a referee may impose; each part of a sanction must be among it."""

    warning: bool = True
    points: tuple[int, ...] = ()
    each: tuple[int, ...] = ()
    player: tuple[int, ...] = ()
    measures: frozenset[Measure] = frozenset()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class SumRule:
    """Points for some kinds, together over `above` in a hand, are a foul of their own."""

    above: int
    kinds: frozenset[FoulKind]
    rule: str


@dataclass(frozen=True, slots=True)
class FoulRules:
    """The ladder of every kind of foul a book knows, with the settings of one event."""

    name: str
    """The rule set, as it is cited."""
    ladders: dict[FoulKind, Ladder]
    lease: timedelta
    """How long an acknowledged alert is kept for one referee (docs/adr/0009)."""
    powers: Powers = field(default_factory=Powers)
    overtime_sum: SumRule | None = None
    chiefs: frozenset[str] = frozenset()
    """Who may decide what was put before the chief referee."""
