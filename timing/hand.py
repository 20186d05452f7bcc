"""The play of hands at one table: what follows from what seats, sensors and referees say."""

from dataclasses import dataclass
from typing import TypeAlias

from table.commands import Ordered
from table.events import LinkDown, LinkUp, Observed, Restarted, Woken
from table.moment import Moment
from table.seat import BySeat
from timing.effects import HandEffect
from timing.phases import (
    Arranging,
    Hand,
    Idle,
    Inputs,
    Over,
    Paused,
    Phase,
    Turn,
    Unsynced,
    Verifying,
)
from timing.rules import TimeRules

HandStimulus: TypeAlias = Observed | Ordered | LinkDown | LinkUp | Restarted | Woken

__all__ = [
    "Arranging",
    "Hand",
    "HandStimulus",
    "Idle",
    "Inputs",
    "Over",
    "Paused",
    "Phase",
    "Step",
    "Turn",
    "Unsynced",
    "Verifying",
    "fresh",
    "step",
    "wake_at",
]


@dataclass(frozen=True, slots=True)
class Step:
    """The state after a stimulus, and what follows from it, in order."""

    state: Hand
    effects: tuple[HandEffect, ...] = ()


def fresh(table: str) -> Hand:
    """Return the play of a table at which no hand was dealt yet."""
    return Hand(table, BySeat.of(lambda seat: f"{table}-{seat}"))


def step(rules: TimeRules, state: Hand, stimulus: HandStimulus, now: Moment) -> Step:
    """Let time pass to `now`, then apply the stimulus.

    Raises:
        ValueError: `now` lies before the last moment handled, which is a bug of the caller.
    """
    raise NotImplementedError


def wake_at(rules: TimeRules, state: Hand) -> Moment | None:
    """Return the moment at which `step` has something to do without being told."""
    raise NotImplementedError
