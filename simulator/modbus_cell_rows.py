"""Rows of cells that many modules have in common: levels, coils, counters."""

from collections.abc import Callable
from datetime import timedelta

from simulator.modbus_cells import BIT, Area, Cell
from simulator.modbus_contacts import Contact
from simulator.modbus_module import Module
from simulator.modbus_switches import Switch

SECOND = timedelta(seconds=1)


def put_levels(module: Module, area: Area, first: int = 0) -> None:
    """Have every input read at its own address, one after the other."""
    for channel, contact in enumerate(module.contacts):
        module.bank.put(area, first + channel, Cell(contact.look))


def put_coils(module: Module, first: int = 0) -> None:
    """Have every output read and written as a coil."""
    for channel, switch in enumerate(module.switches):
        module.bank.put(Area.COIL, first + channel, coil(module, switch))


def coil(module: Module, switch: Switch) -> Cell:
    """Return the cell of an output."""
    return Cell(lambda: switch.on, turns(module, switch), BIT)


def turns(module: Module, switch: Switch) -> Callable[[int], None]:
    """Return what a write to an output does."""

    def turn(value: int) -> None:
        switch.turn(module.now, on=bool(value))

    return turn


def clears(contact: Contact) -> Callable[[int], None]:
    """Return what a write to the clearing coil of a counter does."""

    def clear(value: int) -> None:
        if value:
            contact.count = 0

    return clear


def uptime(module: Module) -> Callable[[], int]:
    """Return what reads the seconds since the last start."""
    return lambda: (module.now - module.started) // SECOND


def word_of(bits: tuple[Callable[[], bool], ...]) -> Cell:
    """Return the cell that reads many bits as one word, the first one lowest."""
    return Cell(lambda: sum(read() << place for place, read in enumerate(bits)))
