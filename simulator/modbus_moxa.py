"""Moxa ioLogik E1210 (16 inputs) and E1214 (6 inputs, 6 relays), Modbus TCP.

Source: ioLogik E1200 Series User's Manual, appendix A (default address mappings of E1210 and E1214;
register map of the E1214, where pulse widths of relays count in units of 1.5 s; table "System").

Doubts: the user can re-programme the addresses; an input counts only where it was set to count in
the web pages, and here every counter has to be started after power-on.
"""

from collections.abc import Iterable
from datetime import timedelta

from simulator.modbus_cell_rows import clears, put_coils, put_levels, uptime, word_of
from simulator.modbus_cells import BIT, Area, Bank, Cell, Register
from simulator.modbus_contacts import Contact
from simulator.modbus_module import Module
from simulator.modbus_pdu import Function
from simulator.modbus_switches import Switch
from table.moment import ZERO, Moment

TURNAROUND_MS = 2
PULSE_START = 0x0010
RUNS, CLEARS, SETTLES = 0x0100, 0x0110, 0x0120
COUNTS = 0x0010
LEVELS_WORD = 0x0030
OVERFLOWS = 1000
SAFE, SAFE_CLEARS = 0x1010, 0x1020
PULSES, ON_WIDTH, OFF_WIDTH, RELAYS_WORD = 36, 52, 68, 32
NAME, UPTIME, MAC, FIRMWARE = 5000, 5020, 5024, 5029
WATCHDOG_ALARM = 4144
MAC_OF_MANUAL = bytes.fromhex("0090E83E18CC")
RELAY_PULSE_UNIT = timedelta(milliseconds=1500)
ONLY_ONE = (1,)
"""Writing 0 is refused with illegal data value."""


def e1210(filtered: timedelta = ZERO) -> Module:
    """Return an E1210 with its default addresses."""
    return _module("E1210", (16, 0), filtered)


def e1214(filtered: timedelta = ZERO) -> Module:
    """Return an E1214 with its default addresses."""
    module = _module("E1214", (6, 6), filtered)
    put_coils(module)
    for channel, switch in enumerate(module.switches):
        _put_pulses(module, channel, switch)
        module.bank.put(Area.DISCRETE, SAFE + channel, Cell(lambda: 0))
        cleared = Cell(lambda: 0, lambda _: None, ONLY_ONE)
        module.bank.put(Area.COIL, SAFE_CLEARS + channel, cleared)
    module.bank.put(Area.HOLDING, RELAYS_WORD, _relays_word(module))
    return module


def _module(name: str, channels: tuple[int, int], filtered: timedelta) -> Module:
    inputs, outputs = channels
    module = Module.of(
        Bank(Function), (Contact(filtered) for _ in range(inputs)), outputs, TURNAROUND_MS
    )
    put_levels(module, Area.DISCRETE)
    for channel, contact in enumerate(module.contacts):
        contact.counting = False
        place = COUNTS + 2 * channel
        module.bank.put_long(Area.INPUT, place, place + 1, contact.counted)
        _put_controls(module, channel, contact)
    levels = tuple(contact.look for contact in module.contacts)
    module.bank.put(Area.INPUT, LEVELS_WORD, word_of(levels))
    _put_system(module, name)
    module.mechanisms.append(_Stops(module.contacts))
    return module


def _put_system(module: Module, name: str) -> None:
    """Put name, uptime, address and version: words of two bytes, the first byte higher."""
    texts = {NAME: name.encode().ljust(20, b"\0"), MAC: MAC_OF_MANUAL, FIRMWARE: b"\1\2\3\0"}
    for first, text in texts.items():
        for place in range(0, len(text), 2):
            word = int.from_bytes(text[place : place + 2], "big")
            module.bank.put(Area.INPUT, first + place // 2, _fixed(word))
    module.bank.put_long(Area.INPUT, UPTIME, UPTIME + 1, uptime(module))
    module.bank.put(Area.COIL, WATCHDOG_ALARM, Cell(lambda: 0, lambda _: None, ONLY_ONE))


def _fixed(word: int) -> Cell:
    return Cell(lambda: word)


class _Stops:
    """Stops every counter at a restart."""

    def __init__(self, contacts: Iterable[Contact]) -> None:
        self._contacts = contacts

    def heard(self, now: Moment) -> None:
        """Care nothing about hosts."""

    def restart(self, at: Moment) -> None:  # noqa: ARG002 -- a mechanism of a module
        """Stop counting."""
        for contact in self._contacts:
            contact.counting = False

    def wake_at(self) -> Moment | None:
        """Do nothing by itself."""
        return None

    def pass_time(self, now: Moment) -> None:
        """Do nothing by itself."""


def _put_controls(module: Module, channel: int, contact: Contact) -> None:
    def run(value: int) -> None:
        contact.counting = bool(value)

    def settle(_: int) -> None:
        contact.overflown = False

    module.bank.put(Area.COIL, RUNS + channel, Cell(lambda: contact.counting, run, BIT))
    module.bank.put(Area.COIL, CLEARS + channel, Cell(lambda: 0, clears(contact), ONLY_ONE))
    module.bank.put(Area.COIL, SETTLES + channel, Cell(lambda: 0, settle, ONLY_ONE))
    module.bank.put(Area.DISCRETE, OVERFLOWS + channel, Cell(lambda: contact.overflown))


def _put_pulses(module: Module, channel: int, switch: Switch) -> None:
    high, low = Register(0), Register(0)
    on, off = Register(1), Register(1)
    rows = ((PULSES, 2, high), (PULSES + 1, 2, low), (ON_WIDTH, 1, on), (OFF_WIDTH, 1, off))
    for first, apart, register in rows:
        module.bank.put(Area.HOLDING, first + apart * channel, register.cell())

    def start(value: int) -> None:
        pulses = high.value << 16 | low.value
        if not value:
            switch.turn(module.now, on=False)
        elif on.value:
            spans = RELAY_PULSE_UNIT * on.value, RELAY_PULSE_UNIT * off.value
            switch.train(*spans, pulses or None, module.now)

    running = Cell(lambda: switch.wake_at() is not None, start, BIT)
    module.bank.put(Area.COIL, PULSE_START + channel, running)


def _relays_word(module: Module) -> Cell:
    def write(word: int) -> None:
        for place, switch in enumerate(module.switches):
            switch.turn(module.now, on=bool(word >> place & 1))

    def read() -> int:
        return sum(switch.on << place for place, switch in enumerate(module.switches))

    return Cell(read, write, range(1 << len(module.switches)))
