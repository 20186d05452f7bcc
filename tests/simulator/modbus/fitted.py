"""A table fitted with modules, and a master in virtual time."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from simulator.deeds import Deed, press
from simulator.machine import Machine
from simulator.modbus_fittings import Fittings
from simulator.modbus_frames import read_rtu, rtu_frame
from simulator.modbus_kits import KITS, Wire
from simulator.modbus_mishaps import Mishap
from simulator.modbus_table import ModuleTable
from simulator.modbus_trouble import Trouble
from simulator.plays import Play
from table.events import TableEvent
from table.happening import Input
from table.moment import MILLISECOND, Moment
from table.seat import Seat

START = Moment(1_000_000_000)


@dataclass
class Written:
    """Deeds settled beforehand, counted from the moment people begin to play."""

    deeds: list[tuple[timedelta, Deed]] = field(default_factory=list)
    begun: Moment | None = None
    noticed: list[TableEvent] = field(default_factory=list)

    @classmethod
    def of(cls, deeds: Iterable[Deed]) -> "Written":
        """Take deeds whose moments count from 0."""
        return cls([(deed.at - Moment(0), deed) for deed in deeds])

    def begin(self, now: Moment) -> None:
        self.begun = now

    def wake_at(self) -> Moment | None:
        return self.begun + self.deeds[0][0] if self.begun and self.deeds else None

    def next_deed(self) -> Deed:
        return self.deeds.pop(0)[1]

    def notice(self, event: TableEvent, at: Moment) -> None:  # noqa: ARG002 -- a play
        self.noticed.append(event)


def tap(seat: Seat, button: Input, at: timedelta, ms: int = 80) -> list[Deed]:
    return press(seat, button, Moment(0) + at, ms * MILLISECOND)


def fitted(
    kit: str,
    play: Play | None = None,
    mishaps: Iterable[tuple[Moment, Mishap]] = (),
    trouble: Trouble | None = None,
    wire: Wire | None = None,
) -> ModuleTable:
    fittings = Fittings(KITS[kit])
    ends = fittings.far_ends(wire, trouble=trouble)
    machine = Machine(Random(1))
    return ModuleTable(fittings, ends, machine, play or Written(), mishaps)


@dataclass
class Master:
    """Asks one thing after the other over the table's serial line, or its ports."""

    table: ModuleTable
    now: Moment = START
    end: str = "bus"

    def ask(self, unit: int, hexed: str, within_ms: int = 200) -> str | None:
        """Send a request and return the PDU that came back in time, if one did."""
        self.table.hear(self.end, 0, rtu_frame(unit, bytes.fromhex(hexed)), self.now)
        until, heard = self.now + within_ms * MILLISECOND, b""
        while (at := self.table.wake_at()) and at <= until:
            self.now = at
            self.table.pass_time(at)
            heard += b"".join(data for _, data in self.table.transmit(self.end, at))
            if (read := read_rtu(heard)) and read[0] == unit:
                return read[1].hex()
        self.now = until
        self.table.pass_time(until)
        return None

    def wait(self, span: timedelta) -> None:
        self.now += span
        self.table.pass_time(self.now)
        self.table.transmit(self.end, self.now)
