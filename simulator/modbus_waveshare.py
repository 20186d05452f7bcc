"""Modules of Waveshare: Modbus RTU IO 8CH, Modbus RTU Relay (8 channels) and Relay (D) 8CH.

Source: waveshare.com/wiki/Modbus_RTU_IO_8CH, /Modbus_RTU_Relay (development protocol V2 and later)
and /Modbus_RTU_Relay_(D); the word 0x5500 from code of users.

Doubts: nobody has measured how fast they answer; whether a plain write ends a flash that runs
is not documented (here it does); a write in a linked mode is taken here.
"""

from enum import IntEnum

from simulator.modbus_cell_rows import put_coils, put_levels
from simulator.modbus_cells import Area, Bank, Cell, Register
from simulator.modbus_contacts import Contact, Hearer, Turned
from simulator.modbus_module import Module
from simulator.modbus_pdu import Function
from simulator.modbus_switches import Switch
from table.moment import MILLISECOND, Moment

CHANNELS = 8
TURNAROUND_MS = 5
ON, OFF, FLIP = 0xFF00, 0x0000, 0x5500
ALL = 0x00FF
FLIP_ALL = 0x01FF
FLASH_ON, FLASH_OFF = 0x0200, 0x0400
"""Plus the channel; the word is the time in units of 100 ms."""
FLASH_UNIT = 100 * MILLISECOND
LONGEST_FLASH = 0x7FFF
MODES = 0x1000
LINE, UNIT, VERSION = 0x2000, 0x4000, 0x8000
SPEEDS = 8
PARITIES = 3


class Mode(IntEnum):
    """What an input does with the output of its number."""

    NOTHING = 0
    FOLLOW = 1
    FLIP_ON_PRESS = 2
    FLIP_ON_CHANGE = 3


def io_8ch() -> Module:
    """Return an IO 8CH as it is shipped: outputs that only the host switches."""
    module = _module(CHANNELS, Function.READ_DISCRETES, Function.WRITE_REGISTERS)
    put_levels(module, Area.DISCRETE)
    _put_modes(module, Mode.NOTHING)
    _put_flashes(module)
    return module


def relay_8() -> Module:
    """Return a relay module without inputs."""
    module = _module(0)
    _put_flashes(module)
    return module


def relay_d_8ch() -> Module:
    """Return a Relay (D) 8CH as one user had it shipped: each input drives its relay."""
    module = _module(CHANNELS, Function.READ_DISCRETES, Function.WRITE_REGISTERS)
    put_levels(module, Area.DISCRETE)
    _put_modes(module, Mode.FOLLOW)
    _put_flashes(module)
    return module


def _module(inputs: int, *functions: Function) -> Module:
    bank = Bank(
        (
            Function.READ_COILS,
            Function.READ_HOLDINGS,
            Function.WRITE_COIL,
            Function.WRITE_REGISTER,
            Function.WRITE_COILS,
            *functions,
        )
    )
    module = Module.of(bank, (Contact() for _ in range(inputs)), CHANNELS, TURNAROUND_MS)
    put_coils(module)
    _put_forces(module)
    _put_service(module)
    return module


def _put_forces(module: Module) -> None:
    for channel, switch in enumerate(module.switches):
        module.bank.put(Area.FORCED, channel, _force(module, switch))
    module.bank.put(Area.FORCED, ALL, _force(module, *module.switches))
    flips = Cell(write=lambda _: _turn(module.switches, FLIP, module.now), allowed={ON, FLIP})
    module.bank.put(Area.FORCED, FLIP_ALL, flips)


def _force(module: Module, *switches: Switch) -> Cell:
    return Cell(write=lambda word: _turn(switches, word, module.now), allowed={ON, OFF, FLIP})


def _turn(switches: tuple[Switch, ...], word: int, at: Moment) -> None:
    for switch in switches:
        switch.turn(at, on=not switch.on if word == FLIP else word == ON)


def _put_flashes(module: Module) -> None:
    for channel, switch in enumerate(module.switches):
        module.bank.put(Area.FORCED, FLASH_ON + channel, _flash(module, switch, on=True))
        module.bank.put(Area.FORCED, FLASH_OFF + channel, _flash(module, switch, on=False))


def _flash(module: Module, switch: Switch, *, on: bool) -> Cell:
    return Cell(
        write=lambda units: switch.pulse(module.now, FLASH_UNIT * units, on=on),
        allowed=range(1, LONGEST_FLASH + 1),
    )


def _put_modes(module: Module, shipped: Mode) -> None:
    for channel, (contact, switch) in enumerate(zip(module.contacts, module.switches, strict=True)):
        mode = Register(shipped, frozenset(Mode))
        module.bank.put(Area.HOLDING, MODES + channel, mode.cell())
        contact.tell(_link(mode, switch))


def _link(mode: Register, switch: Switch) -> Hearer:
    def hear(turned: Turned) -> None:
        pressed = mode.value == Mode.FLIP_ON_PRESS and turned.level
        if mode.value == Mode.FOLLOW:
            switch.turn(turned.at, on=turned.level)
        elif pressed or mode.value == Mode.FLIP_ON_CHANGE:
            switch.flip(turned.at)

    return hear


def _put_service(module: Module) -> None:
    """Speed and parity (kept, the wire stays as it is), the unit id, the version."""
    line = Register(1, {parity << 8 | at for parity in range(PARITIES) for at in range(SPEEDS)})
    module.bank.put(Area.HOLDING, LINE, line.cell())
    module.bank.put(Area.HOLDING, UNIT, unit_cell(module, range(1, 256)))
    module.bank.put(Area.HOLDING, VERSION, Cell(lambda: 200))


def unit_cell(module: Module, allowed: range) -> Cell:
    """Return the cell that holds the unit id."""

    def write(unit: int) -> None:
        module.unit = unit

    return Cell(lambda: module.unit, write, allowed)
