"""What the file of a rule set holds: every value together with where it is written."""

from datetime import timedelta
from typing import Annotated, Generic, Self, TypeVar

from pydantic import AfterValidator, Field

from config.section import Section
from config.values import (
    Amounts,
    Choices,
    Count,
    DiscardCalls,
    Id,
    Limit,
    Line,
    Measures,
    OneSanction,
    Patience,
    Source,
    Stacks,
    Whole,
    YesNo,
    once,
    some,
)
from config.words import words
from scoring.rules import AlertPolicy, Scope
from table.events import Call
from table.fouls import FoulKind
from table.moment import ZERO
from table.sanctions import Sanction
from timing.rules import FirstStart, SeveralHu, TakenFrom, TurnStart, WallNamedBy

V = TypeVar("V")
OWN = "this event; the book says nothing"


class Rule(Section, Generic[V]):
    """A value of a rule set."""

    value: V
    """What the rule sets."""
    rule: Source
    """Book and article; `decision: …` where the book is silent."""

    @classmethod
    def own(cls, value: V) -> Self:
        """Return the rule of an event whose book has none."""
        key = cls.model_fields["value"].alias or "value"
        return cls.model_validate({key: value, "rule": OWN})

    def instead(self, value: V) -> Self:
        """Return the rule with an event's own value, keeping what the book says in its source."""
        source = f"this event, instead of {words(self.value)} by {self.rule}"
        return self.model_copy(update={"value": value, "rule": source})


class SpanRule(Rule[timedelta]):
    """A rule that sets a time."""

    value: Limit = Field(alias="seconds")
    """The limit; a press exactly at it is in time."""


class TurnStartRule(Rule[TurnStart]):
    """A rule that says what a turn's limit counts from."""

    value: TurnStart
    """Taking a tile, or the discard before."""


class FirstStartRule(Rule[FirstStart]):
    """A rule that says what the first limit counts from."""

    value: FirstStart
    """The end of the deal, or the last opening flower."""


class SeveralHuRule(Rule[SeveralHu]):
    """A rule that says who wins when several declare hu."""

    value: SeveralHu
    """The earlier; the nearest to the discarder; or everybody."""


class NamedByRule(Rule[WallNamedBy]):
    """A rule that says which dice name the wall."""

    value: WallNamedBy
    """The second thrower's wall by both throws, or wall and stack by one throw."""


class TakenFromRule(Rule[TakenFrom]):
    """A rule that says where taking starts."""

    value: TakenFrom
    """At the stack that is counted to, or after it."""


class YesNoRule(Rule[bool]):
    """A rule that allows something or does not."""

    value: YesNo
    """Whether it is so."""


class CountRule(Rule[int]):
    """A rule that sets a number."""

    value: Count
    """How many."""


class StacksRule(Rule[int]):
    """A rule that sets the length of the wall."""

    value: Stacks
    """How many stacks."""


class CallsRule(Rule[tuple[Call, ...]]):
    """A rule that names calls of a discard."""

    value: DiscardCalls
    """Which calls; none where the list is empty."""


class TimeLimits(Section):
    """What the book says about time and calls."""

    first_discard: SpanRule
    """The dealer's first discard."""
    first_starts: FirstStartRule
    """What the dealer's first limit counts from."""
    untimed_opening: SpanRule | None = None
    """So long after the deal nobody is timed; absent where all is timed."""
    turn: SpanRule
    """Each later discard."""
    turn_starts: TurnStartRule
    """What a turn's limit counts from."""
    kong_restarts: YesNoRule
    """Whether a kong's replacement opens a fresh limit."""
    flower_restarts: YesNoRule
    """Whether a flower's replacement opens a fresh limit."""
    kongs_at_most: CountRule
    """How many kongs of a seat can open a fresh limit in one hand."""
    flowers_at_most: CountRule
    """How many flowers of a seat can open a fresh limit in one hand; 0 without flower tiles."""
    opening_flowers: YesNoRule
    """Whether flowers are replaced before the first discard."""
    hand_total: SpanRule | None = None
    """All turns of a player in one hand together; absent where the book sets no limit."""
    call_window: SpanRule | None = None
    """To call pung or kong, from the discard; absent where the book sets no limit."""
    late_call_stands: YesNoRule | None = None
    """Whether a pung called late is carried out all the same; absent without a call window."""
    several_hu: SeveralHuRule
    """Who wins when several seats declare hu on one tile."""


class Senses(Section):
    """What a table looks for beside limits; each needs its kind of foul, and each kind needs it."""

    early_draw: YesNoRule | None = None
    """Whether a table that senses draws looks for early ones."""
    discard_before_draw: YesNoRule | None = None
    """Whether a table that senses draws looks for discards before the draw."""
    empty_calls: CallsRule | None = None
    """Which calls of a discard a table watches for being withdrawn."""


class Wall(Section):
    """The wall and how it is broken."""

    stacks: StacksRule
    """Stacks in front of each seat."""
    named_by: NamedByRule
    """Which dice name the wall that is broken."""
    taken_from: TakenFromRule
    """Where taking starts, from the stack the dice count to."""
    dead_tiles: CountRule
    """Tiles at the tail that are never drawn; 0 where the wall is played to its end."""


class StartedPoints(Section):
    """Points that grow with the time over a limit."""

    points: Annotated[int, Whole(1, 9999)]
    """For each span that has started."""
    seconds: Limit
    """The span."""


class LadderRule(Rule[tuple[Sanction, ...]]):
    """The sanctions for one kind of foul."""

    title: Line
    """What the foul is called, in plain English; shown to referees."""
    value: tuple[OneSanction, ...] = Field(default=(), alias="steps")
    """For the first, second and later standing foul of a player in a hand; the last repeats."""
    started: StartedPoints | None = None
    """In place of steps: so many points for each started span over the limit."""
    choices: Choices = ()
    """What may be imposed for this kind beside what the powers allow."""
    scope: Scope = Scope.HAND
    """What repeats are counted within."""
    policy: AlertPolicy = AlertPolicy.AUTO
    """When such a foul is put before a referee, where the event does not say."""
    margin: Patience = Field(default=ZERO, alias="margin_seconds")
    """Under `auto`, a foul not more than this over its limit waits for an objection."""
    lapses: YesNo = True
    """Whether a foul that no referee took lapses when the next hand begins."""
    policy_rule: Source | None = None
    """Where `policy`, `margin_seconds` and `lapses` come from; needed if one is given."""

    @property
    def sanctions(self) -> str:
        """The steps, or what takes their place, in words."""
        each = (
            self.started and f"{self.started.points} for each {words(self.started.seconds)} begun"
        )
        return each or words(self.value)

    def instead(self, value: tuple[Sanction, ...]) -> Self:
        """Return the ladder with an event's own steps."""
        source = f"this event, instead of {self.sanctions} by {self.rule}"
        return self.model_copy(update={"value": value, "started": None, "rule": source})


class PowersRule(Section):
    """What a referee may impose in place of what is proposed."""

    warning: YesNo
    """Whether there are warnings."""
    points: Amounts
    """Amounts that are taken from the offender and paid to nobody."""
    each: Amounts
    """Amounts that each of the other three receives."""
    player: Amounts
    """Amounts that the player who was harmed receives."""
    measures: Measures
    """What may be imposed beside or without points."""
    rule: Source
    """Book and article; `decision: …` where the book is silent."""


class SumOfOvertime(Section):
    """What rulings on overtime may cost one player in one hand before it is a foul of its own."""

    above: Annotated[int, Whole(1, 9999)]
    """More points than these; exactly so many are not."""
    kinds: Annotated[tuple[FoulKind, ...], AfterValidator(some), AfterValidator(once)]
    """The kinds of foul whose points are added up."""
    rule: Source
    """Book and article; `decision: …` where the book is silent."""


class RuleSet(Section):
    """One published edition of a rule book, or a venue's own."""

    name: Id
    """How the rule set is cited."""
    title: Line
    """The book, as it is printed."""
    time: TimeLimits
    """Limits and what starts them."""
    sensed: Senses = Senses()
    """What a table looks for beside limits."""
    wall: Wall
    """The wall and how it is broken."""
    powers: PowersRule
    """What a referee may impose."""
    overtime_sum: SumOfOvertime | None = None
    """When overtime in one hand is a foul of its own; absent where it never is."""
    fouls: dict[FoulKind, LadderRule]
    """The ladder of each kind of foul; a kind without one does not exist in this book."""
