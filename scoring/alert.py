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
STANDING = frozenset({AlertStatus.CONFIRMED, AlertStatus.MODIFIED})
"""Only these count as steps of the ladder."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one referee decided."""

    person: str
    sanction: Sanction | None
    """None for a waiver, a reversal or what was undone."""
    reason: str
    deed: str = ""
    """`confirmed`, `modified`, `waived`, `reversed`, `restored` or `undone`."""


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
    """Counted from 1: standing fouls of this player, kind and hand, plus one."""
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
