"""What the file of a rule set holds: every value together with where it is written."""

from datetime import timedelta
from typing import Generic, Self, TypeVar

from pydantic import Field

from config.models import Section
from config.values import Count, Id, Limit, Line, Steps, YesNo
from config.words import words
from scoring.rules import AlertPolicy
from table.fouls import FoulKind
from table.sanctions import Sanction
from timing.rules import TurnStart

V = TypeVar("V")


class Rule(Section, Generic[V]):
    """A value of a rule set."""

    value: V
    """What the rule sets."""
    rule: Line
    """Book and article; `decision: …` where the book is silent."""

    def instead(self, value: V) -> Self:
        """Return the rule with an event's own value, keeping what the book says in its source."""
        source = f"this event, instead of {words(self.value)} by {self.rule}"
        return self.model_copy(update={"value": value, "rule": source})


class SpanRule(Rule[timedelta]):
    """A rule that sets a time."""

    value: Limit = Field(alias="seconds")
    """The limit; a press exactly at it is in time."""


class StartRule(Rule[TurnStart]):
    """A rule that says what a limit counts from."""

    value: TurnStart
    """`draw` or `upper-discard`."""


class YesNoRule(Rule[bool]):
    """A rule that allows something or does not."""

    value: YesNo
    """Whether it is so."""


class CountRule(Rule[int]):
    """A rule that sets a number."""

    value: Count
    """How many."""


class LadderRule(Rule[tuple[Sanction, ...]]):
    """The sanctions for one kind of foul."""

    value: Steps = Field(alias="steps")
    """For the first, second and later standing foul of a player in a hand; the last repeats."""
    policy: AlertPolicy = AlertPolicy.AUTO
    """Whether such a foul is put before a referee where the event does not say."""
    lapses: YesNo = True
    """Whether a foul that no referee took lapses when the next hand begins."""


class TimeLimits(Section):
    """What the book says about time."""

    first_discard: SpanRule
    """The dealer's first discard, from the end of the deal."""
    turn: SpanRule
    """Each later discard."""
    turn_starts: StartRule
    """What a turn's limit counts from."""
    call_window: SpanRule | None = None
    """To call pung or kong, from the discard; absent where the book sets no limit."""
    late_call_stands: YesNoRule
    """Whether a pung called late is carried out all the same."""
    kong_restarts: YesNoRule
    """Whether a kong's replacement opens a fresh limit."""
    flower_restarts: YesNoRule
    """Whether a flower's replacement opens a fresh limit."""
    kongs_at_most: CountRule
    """How many kongs of a seat can open a fresh limit in one hand."""
    flowers_at_most: CountRule
    """How many flowers of a seat can open a fresh limit in one hand."""


class RuleSet(Section):
    """One published edition of a rule book, or a venue's own."""

    name: Id
    """How the rule set is cited."""
    title: Line
    """The book, as it is printed."""
    time: TimeLimits
    """Limits and what starts them."""
    fouls: dict[FoulKind, LadderRule]
    """The ladder of each kind of foul; a kind without one is kept for the record only."""
