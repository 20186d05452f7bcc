"""Wellpro WP8026 (16 inputs) and WP8027 (16 relays).

Source: wirenboard/wb-mqtt-serial, templates wp8026adam and wp8027adam, whose note says that a
time-out of 200 ms is just enough; registers 100 and 101 from 2SmartCloud's notes on the sister
WP8025ADAM.
Doubt: how long it really takes to answer.
"""

from simulator.modbus_cell_rows import put_coils, put_levels
from simulator.modbus_cells import Area, Bank, Register
from simulator.modbus_contacts import Contact
from simulator.modbus_module import Module
from simulator.modbus_pdu import Function
from simulator.modbus_waveshare import unit_cell

CHANNELS = 16
TURNAROUND_MS = 40
UNIT, LINE = 100, 101
LINE_CODES = range(1, 9)
"""4800, 9600, 19200, 38400 without parity, then the same with even parity."""
FACTORY_LINE = 2


def wp8026() -> Module:
    """Return a module of 16 inputs."""
    module = _module(CHANNELS, 0, Function.READ_DISCRETES)
    put_levels(module, Area.DISCRETE)
    return module


def wp8027() -> Module:
    """Return a module of 16 relays."""
    functions = (Function.READ_COILS, Function.WRITE_COIL, Function.WRITE_COILS)
    module = _module(0, CHANNELS, *functions)
    put_coils(module)
    return module


def _module(inputs: int, outputs: int, *functions: Function) -> Module:
    bank = Bank((Function.READ_HOLDINGS, Function.WRITE_REGISTER, *functions))
    contacts = (Contact() for _ in range(inputs))
    module = Module.of(bank, contacts, outputs, TURNAROUND_MS)
    bank.put(Area.HOLDING, UNIT, unit_cell(module, range(1, 248)))
    bank.put(Area.HOLDING, LINE, Register(FACTORY_LINE, LINE_CODES).cell())
    return module
