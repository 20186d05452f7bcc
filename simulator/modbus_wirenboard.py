"""Modules of Wiren Board: WB-MCM8 (eight counting inputs) and WB-MR6C (six relays, seven inputs).

Source: wirenboard/wb-mqtt-serial, templates config-wb-mcm8.json.jinja, config-wb-mr6c.json.jinja;
wirenboard.com/wiki, Modbus management of devices (registers 110, 120, 128, 200, 250, 270, and the
refusal 3 for a write where none is possible).

Doubts: whether a restart takes as long as here, and what a WB-MR6C does with its short counters in
a restart; its mapping matrices are left out, at shipping they map nothing.
"""

from collections.abc import Callable
from enum import IntEnum

from simulator.modbus_cell_rows import put_levels, uptime, word_of
from simulator.modbus_cells import Area, Bank, Cell, Refusal, Register
from simulator.modbus_contacts import SHORT, Contact, Hearer, Turned
from simulator.modbus_module import Module
from simulator.modbus_pdu import Function
from simulator.modbus_presses import Press, Presses
from simulator.modbus_safety import Outage, Safety
from simulator.modbus_switches import Switch
from simulator.modbus_timers import RelayTimer
from simulator.modbus_waveshare import unit_cell
from table.moment import MILLISECOND

MCM8_INPUTS = 8
MR6C_RELAYS = 6
DEBOUNCE_MS = 50
TURNAROUND_MS = 1
FIRMWARE = {"WBMCM8": "1.9.0", "WBMR6C": "1.25.0"}
"""The first ones with all that is here."""
COUNTERS = {Press.SINGLE: 464, Press.LONG: 480, Press.DOUBLE: 496, Press.SHORT_LONG: 512}
REAL_STATES = 96
INPUT_ZERO = 7
"""Place of the seventh input of a WB-MR6C, printed 0, in every row but that of the modes."""


class InputMode(IntEnum):
    """What an input of a WB-MR6C does with the relay of its number."""

    BUTTON = 0
    SWITCH = 1
    ALL_OFF = 2
    NOTHING = 3
    MATRIX = 4
    BUTTON_MATRIX = 6


def mcm8(serial: int = 4_269_001) -> Module:
    """Return a WB-MCM8 as it is shipped: counting only, 50 ms of debounce."""
    module = _module(MCM8_INPUTS, 0, "WBMCM8", serial)
    bank = module.bank
    put_levels(module, Area.DISCRETE)
    bank.put(Area.INPUT, 8, word_of(tuple(contact.look for contact in module.contacts)))
    for channel, contact in enumerate(module.contacts):
        bank.put(Area.HOLDING, 20 + channel, _debounce(contact))
        bank.put_long(Area.INPUT, 60 + 2 * channel, 61 + 2 * channel, contact.counted)
        _put_presses(module, channel, contact)
    return module


def mr6c(serial: int = 4_269_002) -> Module:
    """Return a WB-MR6C as it is shipped: every input is a button for its relay."""
    module = _module(MR6C_RELAYS + 1, MR6C_RELAYS, "WBMR6C", serial)
    for channel, switch in enumerate(module.switches):
        RelayTimer(module, switch).put(module.bank, channel)
        module.bank.put(Area.DISCRETE, REAL_STATES + channel, _state(switch))
    for channel, contact in enumerate(module.contacts):
        place = channel if channel < MR6C_RELAYS else INPUT_ZERO
        module.bank.put(Area.DISCRETE, place, Cell(contact.look))
        module.bank.put(Area.INPUT, 32 + place, _short_counter(contact))
        module.bank.put(Area.HOLDING, 20 + place, _debounce(contact))
    _put_modes(module)
    _put_safety(module)
    return module


def _module(inputs: int, outputs: int, signature: str, serial: int) -> Module:
    bank = Bank(Function, Refusal.VALUE)
    contacts = (Contact(DEBOUNCE_MS * MILLISECOND) for _ in range(inputs))
    module = Module.of(bank, contacts, outputs, TURNAROUND_MS)
    module.serial = serial
    bank.put_long(Area.INPUT, 104, 105, uptime(module))
    bank.put(Area.HOLDING, 110, Register(96, {96, 192, 384, 576, 1152}).cell())
    bank.put(Area.HOLDING, 120, Cell(lambda: 0, lambda _: module.restart(module.now)))
    bank.put(Area.HOLDING, 128, unit_cell(module, range(1, 248)))
    bank.put_long(Area.INPUT, 270, 271, lambda: module.serial)
    _put_text(bank, 200, signature, 7)
    _put_text(bank, 250, FIRMWARE[signature], 16)
    bank.put(Area.HOLDING, 100, Cell(lambda: 0, _resets(module)))
    return module


def _put_text(bank: Bank, first: int, text: str, length: int) -> None:
    """Put one character into each register, read as holding or as input register."""
    for place, letter in enumerate(text.ljust(length, "\0")):
        for area in (Area.INPUT, Area.HOLDING):
            bank.put(area, first + place, _letter(letter))


def _state(switch: Switch) -> Cell:
    return Cell(lambda: switch.on)


def _letter(letter: str) -> Cell:
    return Cell(lambda: ord(letter))


def _short_counter(contact: Contact) -> Cell:
    return Cell(lambda: contact.counted() % SHORT)


def _resets(module: Module) -> Callable[[int], None]:
    def reset(value: int) -> None:
        for contact in module.contacts if value else ():
            contact.count = 0

    return reset


def _debounce(contact: Contact) -> Cell:
    def write(ms: int) -> None:
        contact.debounce = ms * MILLISECOND

    return Cell(lambda: contact.debounce // MILLISECOND, write, range(2001))


def _put_presses(module: Module, channel: int, contact: Contact) -> None:
    mode, hold = Register(0, range(2)), Register(1000, range(500, 5001))
    wait = Register(300, range(2001))
    for first, register in ((9, mode), (1100, hold), (1140, wait)):
        module.bank.put(Area.HOLDING, first + channel, register.cell())
    presses = Presses(mode, hold, wait)
    contact.tell(presses.hear)
    contact.counts_also(presses.approach_wrap)
    module.mechanisms.append(presses)
    for press, first in COUNTERS.items():
        module.bank.put(Area.INPUT, first + channel, _press_counter(contact, presses, press))


def _press_counter(contact: Contact, presses: Presses, press: Press) -> Cell:
    def read() -> int:
        contact.looks += 1
        return presses.counts[press]

    return Cell(read)


def _put_modes(module: Module) -> None:
    for channel, contact in enumerate(module.contacts):
        zero = channel == MR6C_RELAYS
        mode = Register(InputMode.ALL_OFF if zero else InputMode.BUTTON, frozenset(InputMode))
        module.bank.put(Area.HOLDING, 16 if zero else 9 + channel, mode.cell())
        own = () if zero else (module.switches[channel],)
        contact.tell(_drives(mode, own, module.switches))


def _drives(mode: Register, own: tuple[Switch, ...], every: tuple[Switch, ...]) -> Hearer:
    def hear(turned: Turned) -> None:
        pressed = mode.value == InputMode.BUTTON and turned.level
        if pressed or mode.value == InputMode.SWITCH:
            for switch in own:
                switch.flip(turned.at)
        elif mode.value == InputMode.ALL_OFF and turned.level:
            for switch in every:
                switch.turn(turned.at, on=False)

    return hear


def _put_safety(module: Module) -> None:
    timer = Register(10, range(1, 65535))
    outages = []
    for channel, switch in enumerate(module.switches):
        outage = Outage(switch, safe=Register(0, range(2)), behaviour=Register(0, range(2)))
        module.bank.put(Area.HOLDING, 930 + channel, outage.safe.cell())
        module.bank.put(Area.HOLDING, 938 + channel, outage.behaviour.cell())
        module.bank.put(Area.HOLDING, 946 + channel, Register(0, range(3)).cell())
        outages.append(outage)
    module.bank.put(Area.HOLDING, 8, timer.cell())
    module.bank.put(Area.HOLDING, 6, Register(0, range(3)).cell())
    module.bank.put(Area.HOLDING, 5, Register(0, range(2)).cell())
    module.mechanisms.append(Safety(timer, tuple(outages)))
