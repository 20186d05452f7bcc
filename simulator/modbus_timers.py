"""The timers of Wiren Board relays: what an order to a relay does beyond switching it.

Source: wirenboard/wb-mqtt-serial, template config-wb-mr6c.json.jinja (registers 1760 to 1797, with
firmware 1.25.0 or newer). Doubts: what an order does that comes while a timer runs (here it begins
anew); the cycle, function 5, is left out and refused.
"""

from enum import IntEnum

from simulator.modbus_cells import BIT, Area, Bank, Cell, Register
from simulator.modbus_module import Module
from simulator.modbus_switches import Switch
from table.moment import MILLISECOND

FUNCTIONS = 1760
UNIT = 100 * MILLISECOND
SPANS = range(1, 65_001)
SHIPPED_SPAN = 30


class Delay(IntEnum):
    """Functions of the timer of a relay."""

    NONE = 0
    ON_DELAY = 1
    OFF_DELAY = 2
    ON_PULSE = 3
    OFF_PULSE = 4


FIRST_SPAN = {
    Delay.ON_DELAY: 1768,
    Delay.OFF_DELAY: 1776,
    Delay.ON_PULSE: 1784,
    Delay.OFF_PULSE: 1792,
}


class RelayTimer:
    """Takes the orders to one relay."""

    def __init__(self, module: Module, switch: Switch) -> None:
        self._module = module
        self._switch = switch
        self._function = Register(Delay.NONE, frozenset(Delay))
        self._spans = {delay: Register(SHIPPED_SPAN, SPANS) for delay in FIRST_SPAN}

    def put(self, bank: Bank, channel: int) -> None:
        """Put the coil of the relay and the settings of its timer."""
        bank.put(Area.COIL, channel, Cell(lambda: self._switch.on, self._order, BIT))
        bank.put(Area.HOLDING, FUNCTIONS + channel, self._function.cell())
        for delay, first in FIRST_SPAN.items():
            bank.put(Area.HOLDING, first + channel, self._spans[delay].cell())

    def _order(self, value: int) -> None:
        on, at, delay = bool(value), self._module.now, Delay(self._function.value)
        if delay is Delay.NONE or on is not (delay in {Delay.ON_DELAY, Delay.ON_PULSE}):
            self._switch.turn(at, on=on)
        elif delay in {Delay.ON_PULSE, Delay.OFF_PULSE}:
            self._switch.pulse(at, self._spans[delay].value * UNIT, on=on)
        else:
            self._switch.turn_later(at + self._spans[delay].value * UNIT, on=on)
