"""What a rule set says about time, as the core needs it."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


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
    """The upper seat's discard (gb-1998, jingji-2012, wsom-2010)."""


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
    slow_cycle: timedelta
    """A machine cycle longer than this is told to staff."""
    late_call_span: timedelta
    """A call later than this after the window may be of a discard that was not pressed.

    It implies that discard and charges nobody (docs/adr/0017).
    """
    repeat_press: timedelta
    """For so long after a discard, a press that its seat repeats, or that a seat it passed over
    makes late, says nothing new (docs/adr/0017).
    """
