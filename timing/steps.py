"""A step of the hand: the new state and what follows, put together piece by piece."""

from collections.abc import Callable
from dataclasses import dataclass

from table.answers import Code, Ignored, Refused
from timing.effects import HandEffect
from timing.phases import Hand


@dataclass(frozen=True, slots=True)
class Step:
    """The state after a stimulus, and what follows from it, in order."""

    state: Hand
    effects: tuple[HandEffect, ...] = ()

    def then(self, follow: "Callable[[Hand], Step]") -> "Step":
        """Let another step follow on the state reached."""
        following = follow(self.state)
        return Step(following.state, self.effects + following.effects)

    def also(self, *effects: HandEffect) -> "Step":
        """Add effects that change nothing in the state."""
        return Step(self.state, self.effects + effects)


def ignored(hand: Hand, reason: str) -> Step:
    """Answer an event that changes nothing."""
    return Step(hand, (Ignored(reason),))


def wrong_phase(hand: Hand, reason: str) -> Step:
    """Answer an order that does not fit the phase."""
    return Step(hand, (Refused(Code.WRONG_PHASE, reason),))


def refused(hand: Hand, code: Code, reason: str) -> Step:
    """Answer an order that is not carried out."""
    return Step(hand, (Refused(code, reason),))
