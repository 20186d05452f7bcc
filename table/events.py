"""What a table reports, and what it means when a seat says it.

Seats speak with two inputs, `discard` and `claim`; the table's box turns the edges of those inputs
into the gestures below (`drivers.gestures`). The time of a gesture is always its first edge.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from table.abilities import EVERY, Abilities, LiftAt
from table.moment import DeviceNumber, Interval
from table.seat import Seat


class Call(StrEnum):
    """What a seat calls a tile for (吃 碰 杠 花)."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    FLOWER = "flower"


class Fault(StrEnum):
    """A fault of the machine, in one vocabulary for all makers."""

    TILE_JAM = "tile-jam"
    TILE_MISSING = "tile-missing"
    COUNT_MISMATCH = "count-mismatch"
    LIFT_STUCK = "lift-stuck"
    SENSOR_DIRTY = "sensor-dirty"
    OVERHEAT = "overheat"
    SLOW_CYCLE = "slow-cycle"
    CYCLE_FAILED = "cycle-failed"
    PANEL_DEAD = "panel-dead"
    DICE_FAIL = "dice-fail"
    POWER_LOST = "power-lost"
    UNKNOWN = "unknown"
    """The raw code says more than we know."""


@dataclass(frozen=True, slots=True)
class DiscardPressed:
    """The seat says: I have discarded. Acts at once; a hold may still turn it into a hu."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DiscardReleased:
    """The seat let go of `discard` before the hold time: it was a discard and nothing else.

    The interval is that of the first edge, the same as of the press it settles.
    """

    seat: Seat


@dataclass(frozen=True, slots=True)
class HuDeclared:
    """`discard` was held: the seat declares hu (和). The interval is that of the first edge."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ClaimPressed:
    """The seat claims the newest discard or, on turn, takes a replacement tile.

    Reported on release with the interval of the first edge. `call` is None where the input does
    not say which.
    """

    seat: Seat
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class RefereeCalled:
    """`claim` was held: the seat calls the referee."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """A sensor saw the seat take a tile from the wall."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The deal, arranging aside, is done: the dealer's first limit starts."""


@dataclass(frozen=True, slots=True)
class CycleStarted:
    """The machine began to shuffle and stack the next wall."""


@dataclass(frozen=True, slots=True)
class WallReady:
    """The next wall is stacked inside the machine."""


@dataclass(frozen=True, slots=True)
class WallRaised:
    """The wall stands on the table."""


@dataclass(frozen=True, slots=True)
class MachineStopped:
    """The machine stopped before its cycle was done."""


@dataclass(frozen=True, slots=True)
class CyclePaused:
    """A running cycle stands and the table is open, to put in a tile that was forgotten."""


@dataclass(frozen=True, slots=True)
class CycleResumed:
    """The table is closed again and its cycle goes on."""


@dataclass(frozen=True, slots=True)
class LiftSensed:
    """A sensor sees where the lift stands; few tables have one."""

    position: LiftAt


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The table's dice came to rest; most tables cannot read them."""

    values: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class FaultRaised:
    """The machine reports a fault, or that it still stands."""

    fault: Fault
    code: int = 0
    """What the machine said itself; of unknown faults, each code is one of its own."""
    text: str = ""
    """What the maker calls it; empty where nobody wrote that down."""
    severity: int = 0
    """1 to 4 where the table's profile grades it (`table.faults.Severity`); 0: as we grade it."""


@dataclass(frozen=True, slots=True)
class FaultCleared:
    """The machine reports that a fault is gone."""

    fault: Fault
    code: int = 0
    """Which of the unknown faults; 0 for all of them."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The machine as the table reports it whole, on connect and at a slow beat."""

    cycling: bool
    wall_ready: bool
    wall_raised: bool
    faults: frozenset[Fault] = frozenset()
    unknown: frozenset[int] = frozenset()
    """The machine's own codes of the faults for which we have no word."""
    reopened: bool = False
    """The cycle is paused and the table is open."""
    lift: LiftAt | None = None
    """Where a sensor sees the lift; None without one."""


@dataclass(frozen=True, slots=True)
class TableRebooted:
    """The table's box started anew; what it saw before may be lost."""


@dataclass(frozen=True, slots=True)
class MachineFound:
    """The table says how its machine stands after a reboot or a loss of events."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class InputDismissed:
    """The table reported something that means nothing: a bounce, or a seat nobody knows."""

    reason: str


SeatEvent: TypeAlias = (
    DiscardPressed
    | DiscardReleased
    | HuDeclared
    | ClaimPressed
    | RefereeCalled
    | TileDrawn
    | DealEnded
)
MachineEvent: TypeAlias = (
    CycleStarted
    | CyclePaused
    | CycleResumed
    | WallReady
    | WallRaised
    | MachineStopped
    | LiftSensed
    | DiceRolled
    | FaultRaised
    | FaultCleared
)
TableEvent: TypeAlias = SeatEvent | MachineEvent | TableRebooted | MachineFound | InputDismissed


@dataclass(frozen=True, slots=True)
class Observed:
    """An event together with the interval in which it can have happened."""

    event: TableEvent
    when: Interval
    replayed: bool = False
    """Delivered after an outage: may clear a player, never charge one."""
    number: DeviceNumber | None = None
    """Which of its events the device says it is; one that keeps events may tell it again."""


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The wire to the table is lost."""

    cause: str


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The table is connected and has identified itself.

    `holds` says whether its inputs sense a release, hence hu and the call for the referee;
    `draws` whether it senses draws; `condition` is the machine as it is found, None if unknown;
    `abilities` what its motors can be told.
    """

    holds: bool
    draws: bool
    condition: Condition | None = None
    abilities: Abilities = EVERY


@dataclass(frozen=True, slots=True)
class Restarted:
    """The daemon started anew, or its record has a gap; moments from before mean nothing now."""

    cause: str


@dataclass(frozen=True, slots=True)
class Woken:
    """Nothing happened; time passed."""
