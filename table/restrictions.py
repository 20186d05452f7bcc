"""What a player may still do in a hand; it follows from the rulings that stand."""

from collections.abc import Iterable
from dataclasses import dataclass

from table.sanctions import Measure

SESSION_LONG = frozenset({Measure.OUT_FOR_SESSION, Measure.WITHDRAWN, Measure.DISQUALIFIED})
"""These outlast the hand in which they were imposed; a stand-in plays on."""


@dataclass(frozen=True, slots=True)
class Restriction:
    """What a seat may not do; every grade goes on drawing, discarding and paying."""

    no_hu: bool = False
    no_calls: bool = False
    """Neither chow nor pung nor kong; flowers are still replaced."""
    mechanical: bool = False
    """Discards every tile it draws."""
    out: bool = False
    """The player is out: whoever sits there is a stand-in."""

    def __bool__(self) -> bool:
        """Say whether anything is forbidden."""
        return self != FREE

    def also(self, other: "Restriction") -> "Restriction":
        """Return what is forbidden by either."""
        return Restriction(
            self.no_hu or other.no_hu,
            self.no_calls or other.no_calls,
            self.mechanical or other.mechanical,
            self.out or other.out,
        )


FREE = Restriction()
_BY_MEASURE = {
    Measure.NO_HU: Restriction(no_hu=True),
    Measure.NO_HU_NO_CALLS: Restriction(no_hu=True, no_calls=True),
    Measure.MECHANICAL: Restriction(no_hu=True, no_calls=True, mechanical=True),
    Measure.NO_CALLS: Restriction(no_calls=True),
    **dict.fromkeys(
        SESSION_LONG, Restriction(no_hu=True, no_calls=True, mechanical=True, out=True)
    ),
}


def restricted_by(measures: Iterable[Measure]) -> Restriction:
    """Return what measures forbid together."""
    found = FREE
    for one in measures:
        found = found.also(_BY_MEASURE.get(one, FREE))
    return found
