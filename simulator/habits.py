"""How players differ: how long they think, draw and call, and whether they press the button."""

from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""At least and at most so many milliseconds."""


def within(random: Random, span: Span) -> timedelta:
    """Pick a time within a span, to the microsecond, as no person keeps to milliseconds."""
    least, most = span
    return timedelta(microseconds=random.randint(least * 1000, most * 1000))


def happens(random: Random, percent: int) -> bool:
    """Say whether something happens that happens so often."""
    return random.randrange(100) < percent


@dataclass(frozen=True, slots=True)
class Habit:
    """One player's habits; percentages say how often."""

    think: Span = (1_500, 6_500)
    """From the draw or the claim to the discard."""
    draw: Span = (900, 2_600)
    """From the upper seat's discard to the draw."""
    call: Span = (600, 1_900)
    """From a discard to calling it."""
    broods: int = 0
    brood: Span = (9_000, 16_000)
    """How long the player thinks when brooding; 10 s is the limit of mcr-2014."""
    forgets: int = 0
    """Discards without pressing the button."""
    dozes: int = 0
    doze: Span = (3_050, 4_800)
    """How late the player calls when dozing; 3 s is the limit of mcr-2014."""
    hastes: int = 0
    haste: Span = (200, 1_200)
    """How long before the upper seat's discard the player draws when hasty."""
    wavers: int = 0
    """Discards of others that the player calls and then leaves to whoever is next."""

    def thinking(self, random: Random) -> timedelta:
        """Pick how long the player thinks this time."""
        return within(random, self.brood if happens(random, self.broods) else self.think)

    def calling(self, random: Random) -> timedelta:
        """Pick how long the player takes to call this time."""
        return within(random, self.doze if happens(random, self.dozes) else self.call)


HABITS: dict[str, Habit] = {
    "quick": Habit(think=(900, 3_200), draw=(700, 1_500), call=(450, 1_200)),
    "hesitant": Habit(think=(3_000, 9_000), draw=(1_500, 3_400), call=(1_000, 2_700), broods=12),
    "forgetful": Habit(forgets=20),
    "late": Habit(dozes=60, call=(1_200, 2_900)),
    "brooding": Habit(think=(2_500, 8_500), broods=60, brood=(14_000, 38_000)),
    "hasty": Habit(think=(900, 3_200), hastes=30),
    "wavering": Habit(wavers=18),
}
"""The players the simulator knows, by the words of its command line."""
