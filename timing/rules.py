"""What a rule set says about time, as the core needs it."""

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from table.events import Call


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit and where it is written."""

    span: timedelta
    rule: str
    """Rule set and article, for the referee and the appeal."""


class TurnStart(StrEnum):
    """What a turn's limit counts from."""

    DRAW = "draw"
    """Taking a tile, or the claim (mcr-2014 art. 6, 出牌)."""
    UPPER_DISCARD = "upper-discard"
    """The upper seat's discard, or the discard that was claimed (gb-1998, jingji-2012, wsom)."""


class FirstStart(StrEnum):
    """What the dealer's first limit counts from."""

    DEAL = "deal"
    """The end of the deal (mcr-2014 art. 5, 赛前 6)."""
    LAST_FLOWER = "last-flower"
    """The last opening flower's replacement, or the end of the deal where there is none."""


class DealEnd(StrEnum):
    """What shows that the deal is done; a referee can always say so."""

    SIGNAL = "signal"
    """The table's own signal. Without one, the first discard is not timed."""
    FOUR_READY = "four-ready"
    """The signal, or the latest of four presses of `discard` by which all seats say that they are
    ready (`timing.ready`)."""
    REFEREE = "referee"
    """Only a referee; a signal of the table means nothing."""


class SeveralHu(StrEnum):
    """Who wins when several seats declare hu on one tile."""

    FIRST = "first"
    """The earlier; of those whose intervals overlap, the nearest to the discarder."""
    NEAREST = "nearest"
    """The nearest to the discarder in order of play, whoever was earlier (截和)."""
    ALL = "all"
    """Every one, paid in order of play from the discarder."""


class WallNamedBy(StrEnum):
    """Which dice name the wall that is broken."""

    SECOND_THROWER = "second-thrower"
    """The first throw names the second thrower, whose wall it is; both sums count the stacks."""
    ONE_THROW = "one-throw"
    """One throw names the wall, counted from the dealer, and the stack."""


class TakenFrom(StrEnum):
    """Where taking starts, from the stack the dice count to."""

    AT = "at"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class WallRules:
    """The wall of one rule set and how it is broken."""

    stacks: int
    """In front of each seat."""
    named_by: WallNamedBy
    taken_from: TakenFrom
    dead_tiles: int
    """They stay at the tail and are never drawn; 0 where the wall is played to its end."""
    rule: str
    """Rule set and article of the break."""

    @property
    def tiles(self) -> int:
        """How many tiles the rule set is played with: four walls of stacks of two."""
        return 4 * 2 * self.stacks


@dataclass(frozen=True, slots=True)
class Sensed:
    """Kinds of foul without a time limit that a table is to see; an empty article means none.

    Each holds rule set and article.
    """

    early_draw: str = ""
    discard_before_draw: str = ""
    empty_call: str = ""
    empty_calls: frozenset[Call] = frozenset()
    """Which calls of a discard can be empty."""


@dataclass(frozen=True, slots=True)
class TimeRules:
    """The limits of one rule set with the settings of one event.

    A discard or call exactly at a limit is in time (docs/adr/0006).
    """

    name: str
    """The rule set, as it is cited."""
    first_discard: Limit
    """The dealer's first discard, from the end of the deal."""
    turn: Limit
    """Each later discard."""
    turn_starts: TurnStart
    call_window: Limit | None
    """To call pung or kong, from the discard; None where the book sets no limit."""
    late_call_stands: bool
    """Whether a pung called late is carried out all the same; if not, it is refused."""
    kong_restarts: bool
    """Whether a kong's replacement opens a fresh limit."""
    flower_restarts: bool
    """Whether a flower's replacement opens a fresh limit."""
    presumed_margin: timedelta
    """An overrun of a presumed start alerts by itself only when it is more than this."""
    press_is_the_call: bool
    """Whether the press itself is the call; if not, `reach_time` is in the player's favour."""
    reach_time: timedelta
    """From calling aloud to pressing; the shortest reading of a call is shorter by this."""
    kongs_at_most: int
    flowers_at_most: int
    """How often a claim on turn can open a fresh limit in one hand."""
    missed_press_notice: int
    """After so many missed presses of a seat in a hand the referee is told."""
    lamp_before: timedelta
    """The seat lamp is lit for this long before the limit (docs/adr/0008)."""
    beep: timedelta
    """One tone at the limit (docs/adr/0008)."""
    late_call_span: timedelta
    """A call later than this after the window may be of a discard that was not pressed.

    It implies that discard and charges nobody (docs/adr/0017).
    """
    repeat_press: timedelta
    """For so long after a discard, a press that its seat repeats, or that a seat it passed over
    makes late, says nothing new (docs/adr/0017).
    """
    first_starts: FirstStart = FirstStart.DEAL
    untimed_opening: Limit | None = None
    """So long after the deal nobody is timed; every clock starts at its end at the earliest."""
    hand_total: Limit | None = None
    """All turns of a player in one hand together, without the untimed opening."""
    several_hu: SeveralHu = SeveralHu.FIRST
    opening_flowers: bool = True
    """Tiles are replaced before the first discard, so that a draw then means nothing."""
    sensed: Sensed = field(default_factory=Sensed)
    deal_end: DealEnd = DealEnd.SIGNAL
    """A setting of the table."""
