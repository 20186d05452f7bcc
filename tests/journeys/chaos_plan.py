"""What befalls a hall under fire, drawn from a seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from random import Random


class Kind(StrEnum):
    """What befalls the hall."""

    TERM = "broker ended (TERM) and started again"
    KILL = "broker killed (KILL) and started again"
    STOP = "broker frozen (STOP, CONT)"
    RESET = "connection of the node reset (RST)"
    UNTOLD = "right to tell events taken from the node"
    UNHEARD = "right to read events taken from a scoreboard"
    SLOW = "a subscriber slow"
    FULL = "a subscriber gone, its queue full"
    DAEMON = "daemon killed (-9) and started again"


LASTS: dict[Kind, tuple[float, float]] = {
    Kind.TERM: (0.3, 3),
    Kind.KILL: (0.3, 3),
    Kind.STOP: (1, 7),
    Kind.RESET: (0, 0),
    Kind.UNTOLD: (1, 3),
    Kind.UNHEARD: (1, 3),
    Kind.SLOW: (2, 3),
    Kind.FULL: (3, 4.5),
    Kind.DAEMON: (0, 1.5),
}
"""At least and at most so many seconds of real time."""
CALM = 0.3, 1.2
"""Before each trouble."""
APART = 1.5
"""Mishaps of one trouble begin at most so many seconds one after the other."""
_PLACES = (
    {Kind.TERM, Kind.KILL, Kind.STOP},
    {Kind.RESET},
    {Kind.UNTOLD, Kind.UNHEARD},
    {Kind.SLOW, Kind.FULL},
    {Kind.DAEMON},
)
"""Two mishaps of the same place would undo each other."""
_PAIRS = tuple(
    (one, other)
    for number, place in enumerate(_PLACES)
    for one in sorted(place)
    for beside in _PLACES[number + 1 :]
    for other in sorted(beside)
)
_PAIRS_A_ROUND = 3


@dataclass(frozen=True)
class Mishap:
    """One thing that befalls the hall, in seconds of real time."""

    kind: Kind
    after: float
    """From the beginning of its trouble."""
    lasts: float
    whom: str
    """The subscriber it befalls, where it befalls one."""


@dataclass(frozen=True)
class Trouble:
    """Mishaps that overlap, or one alone."""

    calm: float
    mishaps: tuple[Mishap, ...]

    @property
    def name(self) -> str:
        return " + ".join(one.kind for one in self.mishaps)


def sample(seed: int, kinds: Sequence[Kind]) -> list[Trouble]:
    """Draw one trouble of each kind and two mishaps at once."""
    random = Random(seed)
    alone = [(kind,) for kind in random.sample(kinds, len(kinds))]
    return [_drawn(random, kinds) for kinds in (*alone, random.choice(_PAIRS))]


def rounds(seed: int) -> Iterator[list[Trouble]]:
    """Draw rounds without end: in each every kind alone, and some at once."""
    random = Random(seed)
    for _ in count():
        alone = [(kind,) for kind in Kind]
        troubles = [*alone, *random.sample(_PAIRS, _PAIRS_A_ROUND)]
        random.shuffle(troubles)
        yield [_drawn(random, kinds) for kinds in troubles]


def _drawn(random: Random, kinds: Sequence[Kind]) -> Trouble:
    calm = random.uniform(*CALM)
    return Trouble(calm, tuple(_mishap(random, kind, beside=len(kinds) > 1) for kind in kinds))


def _mishap(random: Random, kind: Kind, *, beside: bool) -> Mishap:
    after = random.uniform(0, APART) if beside else 0.0
    whom = "scoreboard" if kind is Kind.UNHEARD else random.choice(("scoreboard", "archivist"))
    return Mishap(kind, after, random.uniform(*LASTS[kind]), whom)
