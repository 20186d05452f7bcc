"""The parts of a profile that say what a module does, and what it must never do."""

from datetime import timedelta
from typing import Annotated

from pydantic import Field

from config.section import Section
from config.values import Line, Span, Whole, YesNo
from drivers.modbus.profile_parts import Sourced
from drivers.modbus.profile_values import (
    Apart,
    Patience,
    PulseLength,
    PulseUnit,
    Raw,
    Register,
    SeveralNames,
    SignalName,
)
from drivers.modbus.profile_words import FedBy
from table.events import Fault
from table.moment import MILLISECOND

Seconds = Annotated[timedelta, Span(timedelta(seconds=1), timedelta(minutes=30))]


class HostTimed(Sourced):
    """The host writes on and later off; a host that dies between the two leaves it on."""

    least: PulseLength = Field(alias="least_milliseconds")
    """Shortest pulse."""
    most: PulseLength = Field(alias="most_milliseconds")
    """Longest pulse; on an output that may start a motor at most 500."""
    step: PulseLength = Field(default=MILLISECOND, alias="step_milliseconds")
    """Lengths are multiples of it."""


class DeviceTimed(HostTimed):
    """The module itself ends the pulse."""

    unit: PulseUnit = Field(alias="unit_milliseconds")
    """What the number in the register counts."""


class Flash(DeviceTimed):
    """One write of the length to an address of its own (Waveshare)."""

    trigger: SignalName
    """Where the length is written."""


class StartCoil(DeviceTimed):
    """The width is set beforehand, then a coil starts the pulse (Moxa)."""

    start: SignalName
    """The coil that starts it."""
    on_width: SignalName
    """Register of the time on."""
    off_width: SignalName | None = None
    """Register of the time off after it."""
    count: SignalName | None = None
    """Register of how many pulses; 1 is written."""


class WidthRegisters(DeviceTimed):
    """Widths are set beforehand, then a count of 1 starts the pulse (Advantech)."""

    high_width: SignalName
    """Register of the time on."""
    low_width: SignalName
    """Register of the time off after it."""
    count: SignalName
    """Register of how many pulses; writing 1 starts one."""


class ModeDelay(DeviceTimed):
    """Mode and delay are written together to two registers in a row."""

    mode: SignalName
    """Register of the mode; the delay's is the next."""
    mode_value: Register
    """The mode that switches on and after the delay off."""
    delay: SignalName
    """Register of the delay."""


class Pulses(Section):
    """Outputs that can be pulsed, by the method."""

    flash: dict[SignalName, Flash] = Field(default_factory=dict)
    """By one write of the length."""
    start_coil: dict[SignalName, StartCoil] = Field(default_factory=dict)
    """By a coil that starts it."""
    width_registers: dict[SignalName, WidthRegisters] = Field(default_factory=dict)
    """By widths and a count."""
    mode_delay: dict[SignalName, ModeDelay] = Field(default_factory=dict)
    """By a mode and a delay."""
    host: dict[SignalName, HostTimed] = Field(default_factory=dict)
    """By the host."""


class Initial(Sourced):
    """A write at every connect, in the order of the file."""

    signal: SignalName
    """What is written; each of several."""
    value: Raw
    """The number."""
    reason: Line
    """What goes wrong without it."""
    read_back: YesNo = True
    """Whether it is read again; a module that holds another value is refused."""
    only_if_different: YesNo = True
    """Whether it is read first, to spare the memory of the module."""


class Failsafe(Sourced):
    """How outputs fall off when nobody asks the module any more."""

    timer: SignalName
    """Register of the time."""
    unit: Patience = Field(alias="unit_milliseconds")
    """What the number in it counts."""
    wanted: Patience = Field(alias="wanted_milliseconds")
    """The time that is set at connect."""
    fed_by: FedBy
    """What starts the time anew."""
    states: SignalName | None = None
    """Registers of what each output does then."""
    off_value: Raw = 0
    """What is written there to mean off."""


class Health(Sourced):
    """By what a module is known to be well."""

    never_fails: SeveralNames
    """Signals that every module of this kind can read."""
    uptime: SignalName | None = None
    """Counts up from the loss of power; a lower value is a reboot."""
    uptime_unit: Patience = Field(default=timedelta(seconds=1), alias="uptime_unit_milliseconds")
    """What the uptime counts."""


class FaultSign(Sourced):
    """What a raw value of the module means to everybody."""

    signal: SignalName
    """Where it is seen."""
    value: Raw
    """The raw value; it is kept beside the fault as its code."""
    fault: Fault
    """The fault in the vocabulary of all makers."""
    severity: Annotated[int, Whole(1, 4)]
    """1 note, 2 look at it after the hand, 3 no new hand, 4 stop."""
    text: Line
    """What staff read."""


class Cycle(Sourced):
    """How long shuffling and stacking takes."""

    expected: Seconds = Field(alias="expected_seconds")
    """What is usual."""
    slow: Seconds = Field(alias="slow_seconds")
    """From here on it is a fault of severity 2."""
    failed: Seconds = Field(alias="failed_seconds")
    """From here on it will not end."""


class Limits(Sourced):
    """What must never be done, whoever orders it."""

    never_together: tuple[Apart, ...] = ()
    """Outputs of which at most one is on or pulsed."""
    not_at_start: tuple[SignalName, ...] = ()
    """Outputs that nothing may touch before a table was read for the first time."""
    pulses_per_minute: dict[SignalName, Annotated[int, Whole(1, 600)]] = Field(default_factory=dict)
    """Most pulses of an output in any minute."""
