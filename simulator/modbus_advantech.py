"""Advantech ADAM-6050 (12 inputs, 6 outputs) and ADAM-6060 (6 inputs, 6 relays), Modbus TCP.

Addresses counted from 0; the manual prints them from 1 and with the digit of their table.

Layout:
    coils: inputs from 0, outputs from 16, from 32 four for each input: counter runs, clear the
    counter, overflow (0 clears), latch (0 clears).
    holding registers: counters of two words, low word first; then for each output, two words each,
    the time off and the time on of a pulse in 0.1 ms, how many pulses it gives (0: without end),
    and how many it gives more. 210 name, 300 the inputs and 302 the outputs as words.

Source: ADAM-6000 Series User Manual, edition 9, appendix B.2; a public module for the same devices,
which reads inputs by function 02 and counters by function 04.

Doubts: that a counter runs after power-on is printed for the ADAM-5080 only; a channel is set to
count or to catch in the maker's program and never over Modbus, as is an output to give pulses (here
all of them can); a coil write ends the pulses.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from enum import Enum, auto

from simulator.modbus_cell_rows import clears, coil, word_of
from simulator.modbus_cells import BIT, Area, Bank, Cell
from simulator.modbus_contacts import Contact
from simulator.modbus_module import Module
from simulator.modbus_pdu import Function
from simulator.modbus_switches import Switch
from table.moment import ZERO

OUTPUTS = 16
COUNTERS = 32
CONTINUOUS = 0
PULSE_UNIT = timedelta(microseconds=100)
SHORTEST_PULSE = timedelta(milliseconds=5)
"""A relay does not follow what is faster. House choice."""
TURNAROUND_MS = 2
BITS, WORDS = (Area.COIL, Area.DISCRETE), (Area.HOLDING, Area.INPUT)


class ChannelMode(Enum):
    """What an input was set to in the maker's program."""

    COUNTER = auto()
    LATCH = auto()


def adam_6050(
    modes: Iterable[ChannelMode] = (ChannelMode.COUNTER,) * 12, filtered: timedelta = ZERO
) -> Module:
    """Return an ADAM-6050."""
    return _module(tuple(modes), 0x6050, filtered)


def adam_6060(
    modes: Iterable[ChannelMode] = (ChannelMode.COUNTER,) * 6, filtered: timedelta = ZERO
) -> Module:
    """Return an ADAM-6060."""
    return _module(tuple(modes), 0x6060, filtered)


def _module(modes: tuple[ChannelMode, ...], name: int, filtered: timedelta) -> Module:
    module = Module.of(Bank(Function), (Contact(filtered) for _ in modes), 6, TURNAROUND_MS)
    for channel, (contact, mode) in enumerate(zip(module.contacts, modes, strict=True)):
        _put(module, BITS, channel, Cell(contact.look))
        _put_long(module, 2 * channel, contact.counted)
        contact.counting = mode is ChannelMode.COUNTER
        _put_controls(module, COUNTERS + 4 * channel, contact, mode)
    for channel, switch in enumerate(module.switches):
        _put(module, BITS, OUTPUTS + channel, coil(module, switch))
        _PulseOutput(module, switch).put(2 * len(modes) + 2 * channel)
    _put_long(module, 210, lambda: name)
    levels = tuple(contact.look for contact in module.contacts)
    _put(module, WORDS, 300, word_of(levels))
    _put(module, WORDS, 302, _outputs_word(module))
    return module


def _put(module: Module, areas: Iterable[Area], address: int, cell: Cell) -> None:
    for area in areas:
        module.bank.put(area, address, cell)


def _put_long(module: Module, address: int, read: Callable[[], int]) -> None:
    for area in WORDS:
        module.bank.put_long(area, address + 1, address, read)


def _put_controls(module: Module, first: int, contact: Contact, mode: ChannelMode) -> None:
    catches = mode is ChannelMode.LATCH

    def run(value: int) -> None:
        contact.counting = bool(value) and not catches

    def settle(value: int) -> None:
        contact.overflown &= bool(value)

    def release(value: int) -> None:
        contact.latched &= bool(value)

    controls = (
        Cell(lambda: contact.counting, run, BIT),
        Cell(lambda: 0, clears(contact), BIT),
        Cell(lambda: contact.overflown, settle, BIT),
        Cell(lambda: contact.caught() and catches, release, BIT),
    )
    for place, cell in enumerate(controls):
        _put(module, BITS, first + place, cell)


def _outputs_word(module: Module) -> Cell:
    def write(word: int) -> None:
        for place, switch in enumerate(module.switches):
            switch.turn(module.now, on=bool(word >> place & 1))

    def read() -> int:
        return sum(switch.on << place for place, switch in enumerate(module.switches))

    return Cell(read, write, range(1 << len(module.switches)))


class _PulseOutput:
    """The four numbers of 32 bits that make an output give pulses."""

    def __init__(self, module: Module, switch: Switch) -> None:
        self._module = module
        self._switch = switch
        self._off = self._on = 0
        self._pulses = self._more = 0

    def put(self, first: int) -> None:
        """Put the numbers at their addresses, for the six outputs side by side."""
        apart = 2 * len(self._module.switches)
        for place, name in enumerate(("_off", "_on", "_pulses", "_more")):
            for half in (0, 1):
                _put(self._module, WORDS, first + apart * place + half, self._half(name, half))

    def _half(self, name: str, half: int) -> Cell:
        def read() -> int:
            number: int = getattr(self, name)
            return number >> 16 * half & 0xFFFF

        def write(word: int) -> None:
            kept: int = getattr(self, name) & (0xFFFF << 16 * (1 - half))
            setattr(self, name, kept | word << 16 * half)
            self._begin(name, half)

        return Cell(read, write)

    def _begin(self, name: str, half: int) -> None:
        """Give pulses once the high word, the second of the two, has come."""
        if half == 0 or name not in {"_pulses", "_more"}:
            return
        pulses: int = getattr(self, name)
        if name == "_more" and not pulses:
            return
        on, off = self._on * PULSE_UNIT, self._off * PULSE_UNIT
        if on < SHORTEST_PULSE or (pulses != 1 and off < SHORTEST_PULSE):
            return
        self._switch.train(on, off, pulses or None, self._module.now)
