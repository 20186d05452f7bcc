"""The modules of one table and the wires that end at their terminals."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random

from simulator.modbus_far_ends import FarEnd, LineSpeed, RtuEnd, TcpEnd
from simulator.modbus_kits import BUTTONS, ModuleKit, Wire
from simulator.modbus_module import BOOTS_FOR, Module
from simulator.modbus_switches import Switched
from simulator.modbus_trouble import Trouble
from table.moment import MILLISECOND, Moment

AT_ONCE = MILLISECOND
"""As an adapter with a latency timer of 1 ms hands bytes over."""
NUMBERS_APART = 1000
"""Between the serial numbers of two tables' modules; more than a bus has units."""
BUS = "bus"
"""Name of the port of modules that share one."""


class Fittings:
    """The modules of a kit, wired to one table.

    Args:
        kit: what the table is fitted with.
        above: by how much the modules' numbers are higher than those of the kit.
        looks: how often a host must have read a button until it is taken to watch the table.
    """

    def __init__(self, kit: ModuleKit, above: int = 0, looks: int = 1) -> None:
        self._kit = kit
        self._looks = looks
        self.modules: Mapping[str, Module] = {each.name: each.make() for each in kit.fittings}
        for each in kit.fittings:
            self.modules[each.name].unit = each.unit + above
            self.modules[each.name].serial += each.unit * 10
        self.trouble = Trouble(Random(0))  # noqa: S311 -- without chances it draws nothing
        """What befalls the requests to these modules."""

    def number(self, table: int) -> None:
        """Give the modules serial numbers that those of no other table have."""
        for module in self.modules.values():
            module.serial += table * NUMBERS_APART

    @property
    def ethernet(self) -> bool:
        """Whether a connection ends with the power of the modules."""
        return self._kit.ethernet

    @property
    def watched(self) -> bool:
        """Whether a host has read any button, and often enough."""
        places = (self._kit.inputs[wire] for wire in BUTTONS)
        contacts = (self.modules[name].contacts[channel] for name, channel in places)
        return any(contact.looks >= self._looks for contact in contacts)

    def touch(self, wire: str, at: Moment, *, closed: bool) -> None:
        """Close or open a wire; one that ends nowhere changes nothing."""
        if wire in self._kit.inputs:
            name, channel = self._kit.inputs[wire]
            self.modules[name].touch(channel, at, closed=closed)

    def wake_at(self) -> Moment | None:
        """Say when a module does something by itself."""
        moments = (module.wake_at() for module in self.modules.values())
        return min((moment for moment in moments if moment), default=None)

    def pass_time(self, now: Moment) -> None:
        """Let everything happen that is due."""
        for module in self.modules.values():
            module.pass_time(now)

    def told(self) -> list[tuple[str, Switched]]:
        """Return what happened on the wires of the outputs, in order."""
        changes = [
            (wire, change)
            for name, module in self.modules.items()
            for change in module.told()
            if (wire := self._kit.outputs.get((name, change.channel)))
        ]
        return sorted(changes, key=lambda change: change[1].at)

    def cut_power(self, at: Moment) -> None:
        """Switch every module off."""
        for module in self.modules.values():
            module.cut_power(at)

    def restart(self, at: Moment, boots_for: timedelta = BOOTS_FOR) -> None:
        """Switch every module on."""
        for module in self.modules.values():
            module.restart(at, boots_for)

    def far_ends(
        self, wire: Wire | None = None, baud: int | None = None, trouble: Trouble | None = None
    ) -> dict[str, FarEnd]:
        """Return what answers at each port of the table."""
        harm = self.trouble = trouble or self.trouble
        every = tuple(self.modules.values())
        if self._kit.ethernet:
            return {name: TcpEnd((module,), harm) for name, module in self.modules.items()}
        return {BUS: line_end(every, wire, baud or self._kit.baud, harm)}


def line_end(
    modules: Sequence[Module], wire: Wire | None, baud: int, trouble: Trouble
) -> TcpEnd | RtuEnd:
    """Return what answers for modules that hang on one line, or stand behind one gateway."""
    if wire is Wire.TCP:
        return TcpEnd(modules, trouble)
    return RtuEnd(LineSpeed(baud), modules, trouble, AT_ONCE)
