"""What a fault of the machine means for people: how bad it is, and whether play is still fair."""

from dataclasses import dataclass
from enum import IntEnum

from table.events import Fault


class Severity(IntEnum):
    """How bad a fault is; a driver's profile may grade a fault otherwise than we do."""

    NOTICE = 1
    """Nothing is hindered; somebody should look when there is time."""
    HINDRANCE = 2
    """A part is slower or missing, and people can do without it."""
    STANDSTILL = 3
    """No wall comes until somebody sees to the machine."""
    DANGER = 4
    """People or the table may come to harm: see to it now."""


@dataclass(frozen=True, slots=True)
class Nature:
    """What we make of a kind of fault."""

    severity: Severity
    unfair: str = ""
    """Why no hand should be played while it stands, in a clause; empty where play stays fair.

    Unfair is what changes which tiles somebody can draw or know of, or whether a seat can stop its
    clock. A machine that only stacks no wall is no reason: walls can be built by hand.
    """


_NATURES: dict[Fault, Nature] = {
    Fault.TILE_JAM: Nature(Severity.STANDSTILL),
    Fault.TILE_MISSING: Nature(
        Severity.STANDSTILL, "a tile that everybody counts on may not be in the wall"
    ),
    Fault.COUNT_MISMATCH: Nature(
        Severity.STANDSTILL, "the walls do not have the tiles that the rules name"
    ),
    Fault.LIFT_STUCK: Nature(
        Severity.STANDSTILL,
        "a wall that does not stand level can show tiles to some and not to all",
    ),
    Fault.SENSOR_DIRTY: Nature(Severity.HINDRANCE),
    Fault.OVERHEAT: Nature(Severity.STANDSTILL),
    Fault.SLOW_CYCLE: Nature(Severity.NOTICE),
    Fault.CYCLE_FAILED: Nature(Severity.STANDSTILL),
    Fault.PANEL_DEAD: Nature(
        Severity.DANGER, "a seat whose keys do nothing can neither call nor stop its clock"
    ),
    Fault.DICE_FAIL: Nature(Severity.HINDRANCE),
    Fault.POWER_LOST: Nature(
        Severity.DANGER, "without power nobody can tell which presses of the seats are felt"
    ),
    Fault.UNKNOWN: Nature(Severity.HINDRANCE),
}
"""House choice; symptoms and causes are those of repair guides."""


def nature(fault: Fault) -> Nature:
    """Return what we make of a kind of fault."""
    return _NATURES[fault]
