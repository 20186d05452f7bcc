"""Fouls as they are seen or entered, before anybody rules on them."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from table.moment import Elapsed, Interval
from table.seat import Seat


class FoulKind(StrEnum):
    """Every kind of foul that one of the rule books knows; repeats are counted per kind.

    Which kinds exist in a book, and what they cost, is data of its rule set: a kind without a
    ladder does not exist there. What a table senses itself comes first.
    """

    DISCARD_OVER_LIMIT = "discard-over-limit"
    """First and later discards are one kind (mcr-2014 art. 11; decision in rule set)."""
    HAND_TOTAL_OVER = "hand-total-over"
    """The thinking time of a whole hand (wsom-2010 打牌时限 §1)."""
    LATE_PUNG = "late-pung"
    """A pung, or a kong of a discard, called after the call window."""
    EARLY_DRAW = "early-draw"
    """A tile drawn before the upper seat has discarded."""
    EMPTY_CALL = "empty-call"
    """A call that is withdrawn, or made with nothing to call with."""
    DISCARD_BEFORE_DRAW = "discard-before-draw"
    """先打后摸 (wsom-2010 摸打规条 §3)."""
    OVERTIME_SUM = "overtime-sum"
    """What rulings on overtime cost in one hand (wsom-2010 打牌时限 §7); follows from rulings."""

    EARLY_TILE_KEPT = "early-tile-kept"
    REPLACEMENT_BEFORE_KONG = "replacement-before-kong"
    FLOWER_DISCARDED = "flower-discarded"
    WRONG_MELD = "wrong-meld"
    WRONG_KONG = "wrong-kong"
    CHANGED_CALL = "changed-call"
    EMPTY_KONG = "empty-kong"
    EMPTY_HU = "empty-hu"
    FALSE_HU = "false-hu"
    HU_NOT_WAITING = "hu-not-waiting"
    HU_FAR_FROM_WAITING = "hu-far-from-waiting"
    HU_ON_PLAYER_WITHOUT_CHIPS = "hu-on-player-without-chips"
    CALL_CHANGED_TO_HU = "call-changed-to-hu"
    TILES_SHOWN_BEFORE_HU = "tiles-shown-before-hu"
    WINNING_TILE_NOT_TAKEN = "winning-tile-not-taken"
    WINNING_TILES_MIXED = "winning-tiles-mixed"
    CALLED_TILE_NOT_TAKEN = "called-tile-not-taken"
    CALL_AFTER_REACHING = "call-after-reaching"
    OWN_TILES_EXPOSED = "own-tiles-exposed"
    HAND_EXPOSED_AT_HU = "hand-exposed-at-hu"
    HAND_EXPOSED_AT_FALSE_HU = "hand-exposed-at-false-hu"
    OTHERS_TILES_EXPOSED = "others-tiles-exposed"
    HAND_OR_WALL_DISTURBED = "hand-or-wall-disturbed"
    TOO_FEW_TILES = "too-few-tiles"
    TOO_MANY_TILES = "too-many-tiles"
    TOO_MANY_TILES_AT_DEAL = "too-many-tiles-at-deal"
    WRONG_TILE_DRAWN = "wrong-tile-drawn"
    OWN_WALL_TILE_TURNED = "own-wall-tile-turned"
    OTHER_WALL_TILE_TURNED = "other-wall-tile-turned"
    PENALTY_TILE_MISUSED = "penalty-tile-misused"
    SILENT_CALL = "silent-call"
    DISCARD_NAMED = "discard-named"
    DISCARD_MISREAD = "discard-misread"
    ILLEGAL_INFORMATION = "illegal-information"
    SIGNALS = "signals"
    ODD_MOVEMENTS = "odd-movements"
    PHONE_RANG = "phone-rang"
    STAYED_TO_WATCH = "stayed-to-watch"
    SERIOUS_DISTURBANCE = "serious-disturbance"
    COLLUSION = "collusion"
    CHEATING = "cheating"


SENSED = frozenset(
    {
        FoulKind.DISCARD_OVER_LIMIT,
        FoulKind.HAND_TOTAL_OVER,
        FoulKind.LATE_PUNG,
        FoulKind.EARLY_DRAW,
        FoulKind.EMPTY_CALL,
        FoulKind.DISCARD_BEFORE_DRAW,
    }
)
"""What a table can sense; everything can be entered by a referee as well, but sums."""


@dataclass(frozen=True, slots=True)
class FoulSeen:
    """A seat broke a rule by even its most favourable reading, or a referee says that it did."""

    id: str
    """Unique in the venue: the hand id and a running number."""
    kind: FoulKind
    seat: Seat
    hand: str
    measured: Elapsed | None
    """What was measured; None where nothing is (an empty call, a foul that was entered)."""
    limit: timedelta | None
    rule: str
    """Rule set and article that was broken."""
    started: Interval | None
    """When the measured time began, or the call that was withdrawn was made."""
    ended: Interval | None
    """The press or draw that ended it."""
    presumed: bool = False
    """The start was not sensed but taken as the latest the rules allow."""
    entered_by: str = ""
    """The referee who entered it; empty where the table sensed it."""
    remark: str = ""
    """What a referee wrote about it."""

    @property
    def excess(self) -> timedelta:
        """How far the most favourable reading is over the limit; zero where none was measured."""
        if self.measured is None or self.limit is None:
            return timedelta(0)
        return self.measured.least - self.limit


@dataclass(frozen=True, slots=True)
class TooClose:
    """The readings lie on both sides of the limit: recorded, charged to nobody."""

    kind: FoulKind
    seat: Seat
    measured: Elapsed
    limit: timedelta


@dataclass(frozen=True, slots=True)
class OverrunRecorded:
    """Over a presumed start, but not by more than the event's margin: recorded, no alert."""

    kind: FoulKind
    seat: Seat
    measured: Elapsed
    limit: timedelta
    margin: timedelta
