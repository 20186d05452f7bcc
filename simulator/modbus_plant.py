"""What is wired to the modules of a table: the machine's keys and lamps, the seats' buttons.

A key of the machine is pushed by a contact across it, as a retrofitted table is wired. Lamps and
sensors close contacts of their own. Wires bear the names that functions have in a configuration.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from simulator.machine import Happened, Machine, Motion
from table.events import DealEnded, Fault, TileDrawn
from table.happening import Input
from table.moment import Moment
from table.seat import Seat

KEY_DEBOUNCE = timedelta(milliseconds=30)
"""A contact across a key counts once it has been closed for so long. House choice."""


class Key(StrEnum):
    """The keys that can be pushed by a wire."""

    SHUFFLE = "shuffle"
    LIFT = "lift"
    """Raises the walls that are ready; pushed again, lowers them."""
    DICE = "dice"


class Sign(StrEnum):
    """What the machine shows on wires of its own."""

    READY = "wall-ready"
    CYCLING = "cycling"
    RAISED = "wall-raised"
    JAM = "fault-tile-jam"


TOGETHER = {Key.SHUFFLE, Key.LIFT}
"""Pushed together in a cycle they pause it and open the table; one of them lets it go on."""
DEAL_END = "deal-end"
SENSOR_CLOSES_FOR = timedelta(milliseconds=150)
"""A sensor of draws, or of the end of the deal, closes its contact for so long. House choice."""

MOTIONS = {Key.SHUFFLE: Motion.CYCLE, Key.LIFT: Motion.LIFT, Key.DICE: Motion.DICE}


def button(seat: Seat, what: Input) -> str:
    """Return the name of the wire of a seat's button."""
    return f"{what}-{seat.value}"


def sensor(event: TileDrawn | DealEnded) -> str:
    """Return the name of the wire of what sees this."""
    return f"draw-{event.seat.value}" if isinstance(event, TileDrawn) else DEAL_END


@dataclass(frozen=True, slots=True)
class Pushed:
    """A key that was pushed by a wire, and whether the machine followed."""

    at: Moment
    key: Key
    moved: bool


class Plant:
    """The machine of one table and what is soldered to it."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._acts_at: dict[Key, Moment] = {}
        self._closed: set[Key] = set()
        self.pushes: list[Pushed] = []
        """Every push of a key by a wire since the table was made."""
        self.lit: set[str] = set()
        """Lamps and buzzers that are on now."""

    def put(self, wire: str, at: Moment, *, on: bool) -> None:
        """Take what an output of a module does."""
        self.pass_time(at)
        if wire in set(Key):
            self._touch(Key(wire), at, closed=on)
        elif on:
            self.lit.add(wire)
        else:
            self.lit.discard(wire)

    def signs(self) -> dict[str, bool]:
        """Return which of the machine's own contacts are closed."""
        machine = self._machine
        return {
            Sign.READY: machine.wall_ready,
            Sign.CYCLING: machine.cycling,
            Sign.RAISED: machine.wall_raised,
            Sign.JAM: Fault.TILE_JAM in machine.faults,
        }

    def wake_at(self) -> Moment | None:
        """Say when the machine does something, or a key counts as pushed."""
        moments = [*self._acts_at.values(), self._machine.wake_at()]
        return min((moment for moment in moments if moment), default=None)

    def pass_time(self, now: Moment) -> list[Happened]:
        """Let everything happen that is due, and return what the machine did."""
        while self._acts_at and (at := min(self._acts_at.values())) <= now:
            key = min(self._acts_at, key=lambda key: self._acts_at[key])
            del self._acts_at[key]
            self._machine.pass_time(at)
            self.pushes.append(Pushed(at, key, self._push(key, at)))
        self._machine.pass_time(now)
        return self._machine.told()

    def _touch(self, key: Key, at: Moment, *, closed: bool) -> None:
        if closed:
            self._closed.add(key)
            self._acts_at[key] = at + KEY_DEBOUNCE
        else:
            self._closed.discard(key)
            self._acts_at.pop(key, None)

    def _push(self, key: Key, at: Moment) -> bool:
        if key in TOGETHER and self._machine.reopened:
            return self._machine.close_up(at) is None
        if key in TOGETHER and self._closed >= TOGETHER and self._machine.open_up(at) is None:
            self._acts_at = {each: at for each, at in self._acts_at.items() if each not in TOGETHER}
            return True
        motion = MOTIONS[key]
        if self._machine.hindrance(motion) is None:
            self._machine.begin(motion, at)
            return True
        lowers = key is Key.LIFT and self._machine.wall_raised and not self._machine.cycling
        if lowers:
            self._machine.wall_raised = False
        return lowers
