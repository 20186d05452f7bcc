"""Eletechsup N4D8B08: eight inputs and eight outputs in holding registers alone.

It reads 0 and 1 and is written with orders: 0x0100 on, 0x0200 off, 0x0300 the other state, 0x0400
this one and no other, 0x0500 on for a second, 0x06ss on for so many seconds; register 0 takes
0x0700 all on and 0x0800 all off. An order it does not know is not answered.

Source: maker's sheet "N4D8B08 8CH RS485 IO controller command"; a public driver that was tried on a
board, for the addresses 0x0081 to 0x0088 and 0x00FD. Doubt: a read elsewhere is refused with 2, as
one user logged; the sheet says nothing. The buttons of the shipped setting flip their outputs.
"""

from collections.abc import Callable
from datetime import timedelta
from enum import IntEnum

from simulator.modbus_cell_rows import put_levels
from simulator.modbus_cells import Area, Bank, Cell, Register
from simulator.modbus_contacts import Contact, Hearer, Turned
from simulator.modbus_module import Module
from simulator.modbus_pdu import Function
from simulator.modbus_switches import Switch
from table.moment import Moment

CHANNELS = 8
TURNAROUND_MS = 10
OUTPUTS, INPUTS = 0x0001, 0x0081
RELATION, SPEED = 0x00FD, 0x00FE
ON, OFF, FLIP, ALONE, MOMENTARY, FOR_SECONDS = 0x0100, 0x0200, 0x0300, 0x0400, 0x0500, 0x0600
ALL_ON, ALL_OFF = 0x0700, 0x0800
MOMENT_LONG = timedelta(seconds=1)
FACTORY_SPEED = 3
"""9600 baud."""


class Relation(IntEnum):
    """What an input does with the output of its number."""

    NOTHING = 0
    FLIPS = 1
    ALONE = 2
    MOMENTARY = 3


def n4d8b08() -> Module:
    """Return a board as it is shipped: each input flips its output."""
    functions = (Function.READ_HOLDINGS, Function.WRITE_REGISTER, Function.WRITE_REGISTERS)
    contacts = (Contact() for _ in range(CHANNELS))
    module = Module.of(Bank(functions), contacts, CHANNELS, TURNAROUND_MS)
    module.mute_refusals = True
    relation = Register(Relation.FLIPS, frozenset(Relation))
    for channel, contact in enumerate(module.contacts):
        module.bank.put(Area.HOLDING, OUTPUTS + channel, _output(module, channel))
        contact.tell(_link(relation, module, channel))
    put_levels(module, Area.HOLDING, INPUTS)
    module.bank.put(Area.HOLDING, 0, Cell(lambda: 0, _all(module), {ALL_ON, ALL_OFF}))
    module.bank.put(Area.HOLDING, RELATION, relation.cell())
    module.bank.put(Area.HOLDING, SPEED, Register(FACTORY_SPEED, range(6)).cell())
    return module


def _output(module: Module, channel: int) -> Cell:
    timed = range(FOR_SECONDS, FOR_SECONDS + 0x100)
    allowed = {ON, OFF, FLIP, ALONE, MOMENTARY, *timed}
    switch = module.switches[channel]
    return Cell(lambda: switch.on, _order(module, channel), allowed)


def _order(module: Module, channel: int) -> Callable[[int], None]:
    def order(word: int) -> None:
        switch, at = module.switches[channel], module.now
        if word in {ON, OFF}:
            switch.turn(at, on=word == ON)
        elif word == FLIP:
            switch.flip(at)
        elif word == ALONE:
            _alone(module, channel, at)
        else:
            span = MOMENT_LONG if word == MOMENTARY else timedelta(seconds=word & 0xFF)
            switch.pulse(at, span, on=True)

    return order


def _all(module: Module) -> Callable[[int], None]:
    def order(word: int) -> None:
        for switch in module.switches:
            switch.turn(module.now, on=word == ALL_ON)

    return order


def _alone(module: Module, channel: int, at: Moment) -> None:
    for place, switch in enumerate(module.switches):
        switch.turn(at, on=place == channel)


def _link(relation: Register, module: Module, channel: int) -> Hearer:
    switch: Switch = module.switches[channel]

    def hear(turned: Turned) -> None:
        if relation.value == Relation.FLIPS and turned.level:
            switch.flip(turned.at)
        elif relation.value == Relation.ALONE and turned.level:
            _alone(module, channel, turned.at)
        elif relation.value == Relation.MOMENTARY:
            switch.turn(turned.at, on=turned.level)

    return hear
