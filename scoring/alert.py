"""A foul put before the referee, and everything that was decided about it."""

from dataclasses import dataclass, field
from enum import StrEnum

from table.fouls import FoulSeen
from table.moment import Moment
from table.sanctions import Sanction
from table.seat import BySeat, Seat


class AlertStatus(StrEnum):
    """Where an alert stands in its life."""

    UNCLAIMED = "unclaimed"
    """Recorded; before the referee only if somebody objects in time."""
    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    CONFIRMED = "confirmed"
    MODIFIED = "modified"
    WAIVED = "waived"
    LAPSED = "lapsed"
    """Nobody took it before the next hand began."""
    REVERSED = "reversed"
    DROPPED = "dropped"
    """It followed from rulings that no longer stand."""


UNDECIDED = frozenset({AlertStatus.OPEN, AlertStatus.ACKNOWLEDGED})
WAITING = UNDECIDED | {AlertStatus.UNCLAIMED}
"""These may still become a step, and their proposals follow those that stand."""
STANDING = frozenset({AlertStatus.CONFIRMED, AlertStatus.MODIFIED})
"""Only these count as steps of the ladder."""


class Deed(StrEnum):
    """What a ruling did."""

    CONFIRMED = "confirmed"
    MODIFIED = "modified"
    WAIVED = "waived"
    REVERSED = "reversed"
    RESTORED = "restored"
    """A reversal was reversed: what stood before stands again."""
    UNDONE = "undone"
    """The ruling before was a slip; everything is as it was before that."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one referee decided."""

    person: str
    sanction: Sanction | None
    """What stands after it; None where nothing does."""
    reason: str
    deed: str = ""
    """A word of `Deed`."""
    step: int = 0
    """The step at which the sanction that stands was ruled."""
    order: int = 0
    """The place of the ruling that stands among all that ever did, counted from 1."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something a person wrote down about an alert."""

    person: str
    text: str


@dataclass(frozen=True, slots=True)
class Alert:
    """A foul with the player it concerns, the proposed step and the rulings so far."""

    foul: FoulSeen
    player: str
    step: int
    """Counted from 1: standing fouls of this player and kind, in the hand or session, plus one.

    0 where the alert followed from rulings that no longer stand.
    """
    proposal: Sanction
    rule: str
    """Rule set and article of the proposed sanction."""
    revision: int = 1
    """Grows with every change; a ruling must name the one it rests on."""
    status: AlertStatus = AlertStatus.OPEN
    holder: str = ""
    """Who acknowledged it."""
    lease_ends: Moment | None = None
    rulings: tuple[Ruling, ...] = ()
    marked: bool = False
    """A ruling this one rested on was reversed: the referee must look again."""
    players: BySeat[str] = field(default_factory=lambda: BySeat.all(""))
    """Who sat where, hence who is paid."""
    objector: Seat | None = None
    """Who called the foul, where it was recorded first."""
    escalated: str = ""
    """Why it is before the chief referee; empty where it is not."""
    notes: tuple[Note, ...] = ()
    rests_on: tuple[str, ...] = ()
    """The alerts whose rulings it follows from."""

    @property
    def id(self) -> str:
        """The foul's id."""
        return self.foul.id

    @property
    def imposed(self) -> Sanction | None:
        """The sanction that stands, if a ruling does."""
        return self.rulings[-1].sanction if self.status in STANDING else None

    @property
    def others(self) -> tuple[str, ...]:
        """The players at the other three seats."""
        return tuple(one for seat, one in self.players.items() if seat is not self.foul.seat)
