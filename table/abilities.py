"""What the motors of a table can be told to do, as its link says on connect."""

from dataclasses import dataclass
from enum import StrEnum


class LiftAt(StrEnum):
    """Where the lift stands that carries the walls up."""

    RAISED = "raised"
    LOWERED = "lowered"


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a machine can be told; unless its link says otherwise, what every machine can."""

    shuffle: bool = True
    lift: bool = True
    dice_roll: bool = True
    reopen: bool = False
    """A running cycle can be paused and the table opened."""
    lift_toggles: bool = False
    """The lift goes to its other position at each push, so that a push is blind where nobody knows
    the position."""


EVERY = Abilities()
"""What is taken for granted as long as a table has not said what it can do."""
