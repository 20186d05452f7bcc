"""The tournament: its rule set, and what this event decides for itself."""

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import Field

from config.section import Section
from config.values import (
    SECOND,
    Book,
    Count,
    DiscardCalls,
    Limit,
    Line,
    Patience,
    Span,
    Stacks,
    Steps,
    Whole,
    YesNo,
)
from scoring.rules import AlertPolicy
from table.fouls import FoulKind
from table.moment import MILLISECOND
from timing.rules import FirstStart, SeveralHu, TakenFrom, TurnStart, WallNamedBy


class Overrides(Section):
    """Single values of the rule set that this event changes; published with their source."""

    first_discard: Limit | None = Field(default=None, alias="first_discard_seconds")
    """The dealer's first discard."""
    first_starts: FirstStart | None = None
    """What the dealer's first limit counts from."""
    untimed_opening: Limit | None = Field(default=None, alias="untimed_opening_seconds")
    """So long after the deal nobody is timed."""
    turn: Limit | None = Field(default=None, alias="turn_seconds")
    """Each later discard."""
    turn_starts: TurnStart | None = None
    """What a turn's limit counts from."""
    kong_restarts: YesNo | None = None
    """Whether a kong's replacement opens a fresh limit."""
    flower_restarts: YesNo | None = None
    """Whether a flower's replacement opens a fresh limit."""
    kongs_at_most: Count | None = None
    """How many kongs of a seat can open a fresh limit in one hand."""
    flowers_at_most: Count | None = None
    """How many flowers of a seat can open a fresh limit in one hand."""
    opening_flowers: YesNo | None = None
    """Whether flowers are replaced before the first discard."""
    hand_total: Limit | None = Field(default=None, alias="hand_total_seconds")
    """All turns of a player in one hand together."""
    call_window: Limit | None = Field(default=None, alias="call_window_seconds")
    """To call pung or kong, from the discard."""
    late_call_stands: YesNo | None = None
    """Whether a pung called late is carried out all the same."""
    several_hu: SeveralHu | None = None
    """Who wins when several seats declare hu on one tile."""
    early_draw: YesNo | None = None
    """Whether a table that senses draws looks for early ones."""
    discard_before_draw: YesNo | None = None
    """Whether a table that senses draws looks for discards before the draw."""
    empty_calls: DiscardCalls | None = None
    """Which calls of a discard a table watches for being withdrawn."""
    stacks: Stacks | None = None
    """Stacks of the wall in front of each seat."""
    named_by: WallNamedBy | None = None
    """Which dice name the wall that is broken."""
    taken_from: TakenFrom | None = None
    """Where taking starts, from the stack the dice count to."""
    dead_tiles: Count | None = None
    """Tiles at the tail that are never drawn."""
    steps: dict[FoulKind, Steps] = Field(default={})
    """The sanctions for the first, second and later standing foul of a kind; the last repeats."""


class Event(Section):
    """The tournament: its rule set and the choices a rule book leaves to the organiser."""

    ruleset: Book
    """A rule set shipped with the program (`mcr-2014`), or the path of the venue's own file."""
    chief_referees: tuple[Line, ...] = ()
    """Who may decide what a referee has put before the chief referee."""
    presumed_margin: Patience = Field(default=timedelta(seconds=3), alias="presumed_margin_seconds")
    """An overrun of a turn whose start was not sensed is put before a referee only beyond this."""
    press_is_the_call: YesNo = True
    """Whether pressing `claim` is the call; if not, `reach_seconds` are in the player's favour."""
    reach: Patience = Field(default=timedelta(seconds=1), alias="reach_seconds")
    """From calling aloud to pressing, subtracted where the press is not the call."""
    alerts: dict[FoulKind, AlertPolicy] = Field(default={})
    """Which fouls are put before a referee (`auto`), only when somebody objects (`on_claim`), or
    kept for the record (`record_only`); the rule set says what holds otherwise.
    """
    margins: dict[FoulKind, Patience] = Field(default={})
    """In seconds: under `auto`, a foul that is not more than this over its limit waits for an
    objection.
    """
    late_call: Patience = Field(default=timedelta(seconds=3), alias="late_call_seconds")
    """A call later than this after the window is taken as of a discard that was not pressed."""
    repeat_press: Patience = Field(default=timedelta(seconds=3), alias="repeat_press_seconds")
    """A discard press so soon after the last, by its seat or one it passed over, is a repeat."""
    certificates: Literal["required", "warn", "off"] = "off"
    """What is made of the certificates of tables (`tablewarden certificate`): `"required"` disarms
    a table without one that holds, `"warn"` tells staff.
    """
    lease: Limit = Field(default=timedelta(seconds=60), alias="lease_seconds")
    """How long an acknowledged alert is kept for one referee."""
    lamp_before: Patience = Field(default=timedelta(seconds=3), alias="lamp_before_seconds")
    """The seat lamp is lit for this long before the limit."""
    beep: Annotated[timedelta, Span(timedelta(0), timedelta(milliseconds=300), MILLISECOND)] = (
        Field(default=timedelta(milliseconds=300), alias="beep_milliseconds")
    )
    """Length of the one tone at the limit."""
    missed_press_notice: Annotated[int, Whole(1, 144)] = 5
    """After so many missed presses of a seat in a hand the referee is told."""
    slow_cycle: Annotated[timedelta, Span(SECOND, timedelta(minutes=10))] = Field(
        default=timedelta(seconds=80), alias="slow_cycle_seconds"
    )
    """A machine that shuffles and stacks for longer than this is told to staff."""
    overrides: Overrides = Overrides()
    """Single values of the rule set that this event changes."""
