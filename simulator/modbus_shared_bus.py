"""Tables whose modules hang on one line, with time as an argument."""

from collections.abc import Mapping

from simulator.log_lines import LogLine
from simulator.modbus_far_ends import FarEnd, Talk
from simulator.modbus_fittings import BUS
from simulator.modbus_table import ModuleTable
from table.moment import Moment

UNITS_APART = 10
"""The modules of each further table have numbers higher by this. House choice."""


class SharedBus:
    """One port for several tables; people, machine and supply are each table's own.

    A table whose cable is out leaves the line to the others; with the last one the port is gone.
    """

    def __init__(self, tables: Mapping[str, ModuleTable], end: FarEnd) -> None:
        self.ends: Mapping[str, FarEnd] = {BUS: end}
        self._end = end
        self._tables = tables

    @property
    def plugged_in(self) -> bool:
        """Whether the port can be reached."""
        return any(table.plugged_in for table in self._tables.values())

    def hear(self, end: str, talk: Talk, chunk: bytes, now: Moment) -> None:
        """Take bytes from a host."""
        self.pass_time(now)
        if self.plugged_in:
            self.ends[end].hear(talk, chunk, now)
            self.pass_time(now)

    def transmit(self, end: str, now: Moment) -> list[tuple[Talk, bytes]]:
        """Return the bytes that have left by now."""
        leaving = self.ends[end].transmit(now)
        return leaving if self.plugged_in else []

    def wake_at(self) -> Moment | None:
        """Say when something happens or leaves next."""
        moments = (self._stirs_at(), self._end.wake_at())
        return min((moment for moment in moments if moment), default=None)

    def pass_time(self, now: Moment) -> None:
        """Do and let happen everything that is due, in order."""
        while (at := self._stirs_at()) and at <= now:
            self._let_pass(at)
        self._let_pass(now)

    def take_log(self) -> list[LogLine]:
        """Hand over what is to be logged since this was last asked, each line with its table."""
        return [
            {"table": name} | line
            for name, table in self._tables.items()
            for line in table.take_log()
        ]

    def _stirs_at(self) -> Moment | None:
        moments = (self._end.stirs_at(), *(table.wake_at() for table in self._tables.values()))
        return min((moment for moment in moments if moment), default=None)

    def _let_pass(self, at: Moment) -> None:
        for table in self._tables.values():
            table.pass_time(at)
        self._end.pass_time(at)
        for table in self._tables.values():
            table.pass_time(at)
