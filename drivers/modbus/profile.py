"""The profile of a Modbus module: everything that a driver has to know of one kind of device."""

from pydantic import Field

from config.section import Section
from drivers.modbus.profile_outputs import (
    Cycle,
    Failsafe,
    FaultSign,
    Health,
    Initial,
    Limits,
    Pulses,
)
from drivers.modbus.profile_parts import (
    EdgeRange,
    Expected,
    Header,
    Link,
    Numbering,
    Paper,
    SignalRange,
    Timing,
)
from drivers.modbus.profile_values import SignalName, SourceName
from drivers.modbus.profile_words import IdentityPart


class Profile(Section):
    """One kind of module, as its file describes it.

    Addresses are as the maker counts them; `drivers.modbus.profile_layout` gives those on the wire.
    """

    header: Header = Field(alias="profile")
    """What it is."""
    sources: dict[SourceName, Paper]
    """Where its numbers come from, by the names that the other sections use."""
    link: Link
    """How it is reached as it comes out of the box."""
    timing: Timing
    """How long things take."""
    numbering: Numbering
    """How the maker counts."""
    signals: dict[SignalName, SignalRange]
    """What it holds, by names that tables use."""
    edges: dict[SignalName, EdgeRange] = Field(default_factory=dict)
    """Its inputs that people press, by the names that tables use."""
    pulses: Pulses = Pulses()
    """Its outputs that can be pulsed."""
    init: dict[SourceName, Initial] = Field(default_factory=dict)
    """What is written at every connect, in this order."""
    identify: dict[IdentityPart, Expected] = Field(default_factory=dict)
    """By what it is known; read before anything is written."""
    failsafe: Failsafe | None = None
    """How its outputs fall off without a host; None where they stay as they are."""
    health: Health
    """By what it is known to be well."""
    faults: dict[SourceName, FaultSign] = Field(default_factory=dict)
    """What its raw values mean."""
    cycle: Cycle | None = None
    """How long a cycle takes, where the module belongs to one kind of table."""
    limits: Limits | None = None
    """What must never be done."""
