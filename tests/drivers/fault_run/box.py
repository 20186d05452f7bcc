"""A simulated box of which everything it ever kept is known, and what was acknowledged."""

from random import Random

from drivers.table_link.messages import Edge, Machine
from simulator import machine
from simulator.box import Box, Model
from simulator.device_time import WRAP, DeviceTime
from simulator.machine import Motion
from simulator.plays import Play
from simulator.simulated_table import Kit, SimulatedTable
from table.happening import BoxReboot, WireCut
from table.moment import MILLISECOND, Moment

_SEQ_WRAP = 2**16
_SHORT_OF_WRAP_MS = 3_000, 12_000
_SHORT_OF_WRAP = 2, 12


class KnownBox(Box):
    """One boot.

    Attributes:
        boot: its number.
        kept: every event, in order.
    """

    def __init__(self, model: Model, moved: machine.Machine, time: DeviceTime) -> None:
        super().__init__(model, moved, time)
        self.boot = time.boot
        self.kept: list[Edge | Machine] = []

    @property
    def acknowledged(self) -> int:
        """How many of them the host said that it has."""
        return len(self.kept) - self.waiting

    def number_from(self, seq: int) -> None:
        """Give the first event this number."""
        self._ring.following = seq

    def _keep(self, event: Edge | Machine) -> None:
        self.kept.append(event)
        super()._keep(event)


class CountedMachine(machine.Machine):
    """A machine that knows when its motors were started."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.begun: list[tuple[Moment, str]] = []

    def begin(self, motion: Motion, now: Moment) -> None:
        self.begun.append((now, motion.name))
        super().begin(motion, now)


class KnownTable(SimulatedTable):
    """A table with a box, and everything that box was.

    Attributes:
        boots: one box after the other.
        wrapping: boots that were about to wrap.
    """

    def __init__(
        self, kit: Kit, moved: machine.Machine, play: Play, now: Moment, random: Random
    ) -> None:
        self.boots: list[KnownBox] = []
        self.wrapping = 0
        self._lots = random
        super().__init__(kit, moved, play, now)

    def reboot(self, at: Moment) -> None:
        """Have the box start anew."""
        self.pass_time(at)
        self._do(BoxReboot(), at)

    def cut(self, cut: WireCut, at: Moment) -> None:
        """Have the cable be out for a while."""
        self.pass_time(at)
        self._do(cut, at)

    def _started(self, at: Moment) -> tuple[DeviceTime, Box]:
        wraps = bool(self.boots) and self._lots.random() < 1 / 2
        ran = WRAP - self._lots.randint(*_SHORT_OF_WRAP_MS) if wraps else 0
        time = DeviceTime(self._kit.boots(), at - ran * MILLISECOND)
        box = KnownBox(self._kit.model, self._machine, time)
        if wraps:
            box.number_from(_SEQ_WRAP - self._lots.randint(*_SHORT_OF_WRAP))
        self.wrapping += wraps
        self.boots.append(box)
        return time, box
