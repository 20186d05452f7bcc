"""What can be seen of a rehearsed table at one moment, for those who expect something of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias, TypeVar

from controller.rehearsal import START, Happened, Rehearsal
from controller.table_core import TableRules, TableState
from scoring.effects import AlertRaised, AlertRecorded
from table.moment import Moment
from table.script_words import Words
from table.seat import Seat

E = TypeVar("E")
T = TypeVar("T")
NOBODY = "nobody"
_ALERTS: tuple[type[AlertRaised | AlertRecorded], ...] = (AlertRaised, AlertRecorded)


@dataclass(slots=True)
class Told:
    """Everything that happened in a rehearsal, and which of it an expectation has named."""

    rehearsal: Rehearsal
    happened: list[Happened]
    named: set[int] = field(default_factory=set)
    """Positions in `happened`."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The table as it is once everything of a moment was heard."""

    rules: TableRules
    told: Told
    at: timedelta

    @property
    def state(self) -> TableState:
        """Everything the core knew."""
        return self.told.rehearsal.state_at(self.at)

    @property
    def now(self) -> Moment:
        """The moment on the table's clock."""
        return START + self.at

    def newest(self, kind: type[E] | tuple[type[E], ...]) -> E | None:
        """Return the newest effect of a kind, or of some kinds."""
        so_far = (one.effect for one in reversed(self.told.happened) if one.at <= self.at)
        return next((effect for effect in so_far if isinstance(effect, kind)), None)

    def unnamed(self, kind: type[E]) -> list[tuple[int, Happened]]:
        """Return the effects of a kind that no expectation has named, with their positions."""
        return [
            (place, one)
            for place, one in enumerate(self.told.happened)
            if one.at <= self.at and isinstance(one.effect, kind) and place not in self.told.named
        ]

    def name(self, place: int) -> None:
        """Let an effect count as expected."""
        self.told.named.add(place)

    def alert(self, named: str) -> str:
        """Return the id of the alert that is meant by `last`, or the id that was given."""
        if named != "last":
            return named
        newest = self.newest(_ALERTS)
        return newest.alert.id if newest else "last"


Check: TypeAlias = Callable[[Sight], str | None]
"""Returns what is the case instead, or None where all is as expected."""


def same(wanted: T, find: Callable[[Sight], T], said: Callable[[T], str]) -> Check:
    """Expect that what is found is what is wanted; `said` tells what else was found."""

    def check(sight: Sight) -> str | None:
        found = find(sight)
        return None if found == wanted else said(found)

    return check


def who(seat: Seat | None) -> str:
    """Return a seat in words."""
    return NOBODY if seat is None else f"seat {seat}"


def seat_of(words: Words) -> Seat:
    """Take the word `seat` and its number."""
    words.choose("whose it is", ("seat",))
    return words.seat()
