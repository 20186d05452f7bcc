"""What a referee may impose, and how it is written."""

import re
from dataclasses import dataclass
from enum import StrEnum


class SanctionKind(StrEnum):
    """What a sanction costs in points, and who receives them."""

    WARNING = "warning"
    POINTS = "points"
    """Taken from the offender only, paid to nobody (mcr-2014 art. 11, 罚分 2)."""
    PAY_EACH = "pay-each"
    """So many points to each of the other three (jingji-2012 ch. 4 art. 1)."""
    PAY_PLAYER = "pay-player"
    """So many points to the player who was harmed."""
    MEASURE = "measure"
    """No points, only what `measures` say."""
    CHOICE = "choice"
    """The book leaves it to the referee: to be proposed, never imposed."""


class Measure(StrEnum):
    """What a sanction does beside points."""

    NO_HU = "no-hu"
    """Dead hand: may not win this hand (停和; 小相公)."""
    NO_HU_NO_CALLS = "no-hu-no-calls"
    """Dead hand: neither wins nor claims nor kongs (大相公)."""
    MECHANICAL = "mechanical"
    """Dead hand: discards every tile it draws (机械陪打)."""
    NO_CALLS = "no-calls"
    """May not claim in this hand (不准鸣牌)."""
    HAND_VOID = "hand-void"
    """The hand cannot go on and does not count."""
    OUT_FOR_SESSION = "out-for-session"
    """A stand-in plays on, mechanically (取消本局比赛)."""
    WITHDRAWN = "withdrawn"
    """As if the player had withdrawn (弃权); a stand-in plays on."""
    DISQUALIFIED = "disqualified"
    """Out of the event (停赛; 取消资格); a stand-in plays on."""
    RANK_CANCELLED = "rank-cancelled"
    REPORTED = "reported"
    """To the committee, or made public (通报)."""
    OBLIGATORY_DISCARD = "obligatory-discard"
    """The exposed tile is the next own discard (罚张)."""
    PENALTY_TILES = "penalty-tiles"
    """The tiles shown stay face up (wsom-2010 罚张)."""
    TWO_TILES_SHOWN = "two-tiles-shown"
    THREE_TILES_SHOWN = "three-tiles-shown"
    """So many tiles of the hand are shown as penalty tiles (wsom-2010 错鸣 §§3, 7)."""


@dataclass(frozen=True, slots=True)
class Sanction:
    """Points, if any, to whom, and what follows beside them.

    It is written as words joined by `+`: `warning`, `choice`, a number of points, `10-each`,
    `10-player` (or `10-player:ID`), and measures, as in `10-each+mechanical`.
    """

    kind: SanctionKind
    points: int = 0
    measures: tuple[Measure, ...] = ()
    to: str = ""
    """Who receives a `pay-player`; the ruling must name somebody, a proposal need not."""

    def __str__(self) -> str:
        """Return the sanction as it is written; `read_sanction` takes it back."""
        head = {
            SanctionKind.WARNING: "warning",
            SanctionKind.CHOICE: "choice",
            SanctionKind.POINTS: str(self.points),
            SanctionKind.PAY_EACH: f"{self.points}-each",
            SanctionKind.PAY_PLAYER: f"{self.points}-player" + (f":{self.to}" if self.to else ""),
            SanctionKind.MEASURE: "",
        }[self.kind]
        return "+".join(filter(None, (head, *self.measures)))


WARNING = Sanction(SanctionKind.WARNING)
CHOICE = Sanction(SanctionKind.CHOICE)
WRITTEN = (
    "warning, choice, points (5), points to each (10-each) or to one player (10-player) and"
    f" measures ({', '.join(Measure)}), joined by +"
)
"""How a sanction may be written, for error messages."""
_HEADS = {
    r"([0-9]{1,4})": SanctionKind.POINTS,
    r"([0-9]{1,4})-each": SanctionKind.PAY_EACH,
    r"([0-9]{1,4})-player(?::([a-z0-9-]+))?": SanctionKind.PAY_PLAYER,
}


def points(amount: int) -> Sanction:
    """Return a deduction of so many points."""
    return Sanction(SanctionKind.POINTS, amount)


def pay_each(amount: int, *measures: Measure) -> Sanction:
    """Return a payment of so many points to each of the other three."""
    return Sanction(SanctionKind.PAY_EACH, amount, measures)


def measure(*measures: Measure) -> Sanction:
    """Return a sanction without points."""
    return Sanction(SanctionKind.MEASURE, 0, measures)


def read_sanction(text: str) -> Sanction:
    """Read a sanction as it is written.

    Raises:
        ValueError: a word is none of `WRITTEN`, stands twice, or is a choice with anything else.
    """
    first, *rest = text.split("+")
    head = _head(first)
    words = rest if head else [first, *rest]
    if not set(words) <= set(Measure) or len(set(words)) < len(words):
        message = f"{text!r} is no sanction"
        raise ValueError(message)
    found = head or measure()
    if found.kind is SanctionKind.CHOICE and words:
        message = f"{text!r}: a choice stands alone"
        raise ValueError(message)
    return Sanction(found.kind, found.points, tuple(map(Measure, words)), found.to)


def _head(word: str) -> Sanction | None:
    """Return what the first word says about points, or None where it is a measure."""
    if word in {WARNING.kind, CHOICE.kind}:
        return Sanction(SanctionKind(word))
    for pattern, kind in _HEADS.items():
        if (found := re.fullmatch(pattern, word)) and int(found[1]) > 0:
            return Sanction(kind, int(found[1]), (), (found.groups()[1:] or ("",))[0] or "")
    return None
