"""A foul put before the referee, and everything that was decided about it."""

from dataclasses import dataclass
from enum import StrEnum

from table.fouls import FoulSeen
from table.moment import Moment
from table.sanctions import Sanction


class AlertStatus(StrEnum):
    """Where an alert stands in its life."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    CONFIRMED = "confirmed"
    MODIFIED = "modified"
    WAIVED = "waived"
    LAPSED = "lapsed"
    """Nobody took it before the next hand began."""
    REVERSED = "reversed"


UNDECIDED = frozenset({AlertStatus.OPEN, AlertStatus.ACKNOWLEDGED})
STANDING = frozenset({AlertStatus.CONFIRMED, AlertStatus.MODIFIED})
"""Only these count as steps of the ladder."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one referee decided."""

    person: str
    sanction: Sanction | None
    """None for a waiver or a reversal."""
    reason: str


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

    @property
    def id(self) -> str:
        """The foul's id."""
        return self.foul.id

    @property
    def imposed(self) -> Sanction | None:
        """The sanction that stands, if a ruling does."""
        return self.rulings[-1].sanction if self.status in STANDING else None
