"""What a referee may impose."""

from dataclasses import dataclass
from enum import StrEnum


class SanctionKind(StrEnum):
    """The kinds of sanction the rule books know so far."""

    WARNING = "warning"
    POINTS = "points"
    """Taken from the offender only, paid to nobody (mcr-2014 art. 11, 罚分 2)."""


@dataclass(frozen=True, slots=True)
class Sanction:
    """A sanction and, where it has one, its amount in points."""

    kind: SanctionKind
    points: int = 0

    def __str__(self) -> str:
        return "warning" if self.kind is SanctionKind.WARNING else f"-{self.points}"


WARNING = Sanction(SanctionKind.WARNING)


def points(amount: int) -> Sanction:
    """Return a deduction of so many points."""
    return Sanction(SanctionKind.POINTS, amount)
