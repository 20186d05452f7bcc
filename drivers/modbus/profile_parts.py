"""The parts of a profile that say what a module is, how it is reached and what it holds."""

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from config.section import Section
from config.values import Id, Line, Port, Whole, YesNo, some
from drivers.modbus.profile_values import (
    Address,
    Bit,
    Channels,
    Doubts,
    Lines,
    Patience,
    Raw,
    Register,
    SignalName,
    SourceName,
    Stride,
    Unit,
    Wait,
)
from drivers.modbus.profile_words import (
    Access,
    Area,
    ByteOrder,
    Clearing,
    Coding,
    Evidence,
    Gesture,
    Parity,
    Reboot,
    Sensing,
    Verification,
    Wire,
    WordOrder,
)


class Header(Section):
    """What the profile is for, and how far it can be trusted."""

    id: Id
    """Name of the profile; that of its file."""
    version: Annotated[int, Whole(1, 9999)]
    """Goes up with every change of a number."""
    vendor: Line
    """Maker of the module."""
    model: Line
    """Type of the module, as printed on it."""
    title: Line
    """What the module is, in half a sentence."""
    verification: Verification
    """Who has seen this work."""
    wiring: Lines
    """What goes to which terminal."""
    doubts: Doubts = ()
    """What the papers leave open or say differently; told to whoever uses the profile."""
    firmware_from: Line | None = None
    """Oldest firmware that the map holds for, where a paper says so."""
    firmware_until: Line | None = None
    """Newest firmware that the map holds for, where a paper says so."""


class Paper(Section):
    """Where numbers come from."""

    title: Line
    """Document and page, or the reason of a choice of the house."""
    place: Line | None = None
    """Address or repository and file; a choice of the house has none."""
    evidence: Evidence
    """What kind of paper it is."""


class Sourced(Section):
    """Something whose numbers come from one of the sources."""

    source: SourceName
    """The paper that the numbers of this section come from."""
    doubt: Line | None = None
    """What is not certain about them."""


class Link(Sourced):
    """How the module is reached as it comes out of the box."""

    wires: Annotated[tuple[Wire, ...], AfterValidator(some)]
    """Ways to reach it, the usual one first."""
    unit: Unit = 1
    """Its unit id."""
    baud: Annotated[int, Whole(300, 1_000_000)] = 9600
    """Its speed; only on serial lines."""
    parity: Parity = Parity.NONE
    """Its parity bit; only on serial lines."""
    stop_bits: Literal[1, 2] = 1
    """Its stop bits; only on serial lines."""
    best_baud: Annotated[int, Whole(300, 1_000_000)] | None = None
    """Highest speed that can be advised."""
    tcp_port: Port = 502
    """Its port; only on networks."""
    broadcast: YesNo = False
    """Whether it obeys writes to unit 0."""


class Timing(Sourced):
    """How long things take, and how much may be asked at once."""

    reply_timeout: Patience = Field(alias="reply_timeout_milliseconds")
    """Longest wait for the whole of a reply."""
    frame_gap: Wait | None = Field(default=None, alias="frame_gap_milliseconds")
    """Silence between frames; by the specification of serial lines if not given."""
    request_gap: Wait = Field(default=timedelta(0), alias="request_gap_milliseconds")
    """Rest after a reply before this module is asked again."""
    most_bits: Annotated[int, Whole(1, 2000)] = 2000
    """Most bits in one read."""
    most_registers: Annotated[int, Whole(1, 125)] = 125
    """Most registers in one read."""
    spans_holes: YesNo = False
    """Whether a read may go over addresses that hold nothing."""
    fail_count: Annotated[int, Whole(1, 100)] = 3
    """Requests in a row without an answer that make the module offline."""
    offline_probe: Patience = Field(
        default=timedelta(seconds=2), alias="offline_probe_milliseconds"
    )
    """How often an offline module is asked whether it is back."""


class Numbering(Sourced):
    """How the maker counts addresses and puts large numbers together."""

    first_address: Literal[0, 1] = 0
    """Number of the first address: 0 as on the wire, 1 as in older manuals."""
    word_order: WordOrder = WordOrder.HIGH_FIRST
    """Which of two registers comes first."""
    byte_order: ByteOrder = ByteOrder.HIGH_FIRST
    """Which of two bytes of a register comes first."""


class SignalRange(Sourced):
    """One signal, or several at equal distances: channel {n} is at address + stride * place."""

    area: Area
    """Where it lies."""
    address: Address
    """Of the first one, as the maker counts."""
    n: Channels | None = None
    """First and last number that stand for {n} in the name."""
    stride: Stride = 1
    """Addresses from one to the next."""
    bit: Bit | None = None
    """Bit of a register, 0 the lowest."""
    width: Literal[1, 16, 32, 48, 64] | None = None
    """Bits of a number: 1 for bits and 16 for registers if not given."""
    registers: Annotated[int, Whole(1, 125)] | None = None
    """Length of a text."""
    coding: Coding = Coding.NUMBER
    """How the registers hold it."""
    inverted: YesNo = False
    """Whether a set bit means off."""
    access: Access | None = None
    """What may be done; read for discrete inputs and input registers, else both, if not given."""
    word_order: WordOrder | None = None
    """Where it differs from the numbering."""
    byte_order: ByteOrder | None = None
    """Where it differs from the numbering."""
    read_function: Literal[1, 2, 3, 4] | None = None
    """Function that reads it, where it is not the area's own."""
    write_function: Literal[5, 6, 15, 16] | None = None
    """Function that writes it; 5 for coils, 6 for one register, 16 for more if not given."""
    write_address: Address | None = None
    """Where the first one is written, if not where it is read."""
    reads: dict[Id, Raw] = Field(default_factory=dict)
    """What values mean when they are read: off = 0, on = 1 if not given."""
    writes: dict[Id, Raw] = Field(default_factory=dict)
    """What is written to mean something: as `reads` if not given."""
    motor: YesNo = False
    """Whether it may start a motor; such an output is only ever pulsed."""


class EdgeRange(Sourced):
    """How presses of an input are found."""

    sensing: Sensing
    """By what the module offers."""
    watch: SignalName
    """The level, latch or counter."""
    level: SignalName | None = None
    """The level beside a latch or counter, by which a hold is known."""
    wrap: Annotated[int, Whole(2, 2**64)] | None = None
    """A counter goes from this minus one to 0."""
    clear: Clearing | None = None
    """How a latch or counter is set back."""
    clear_with: SignalName | None = None
    """The signal that is written to set it back, if not the one watched."""
    reboot: Reboot | None = None
    """What a latch or counter holds after a loss of power."""
    gesture: Gesture | None = None
    """What a press-counter counts."""
    debounce: Wait = Field(alias="debounce_milliseconds")
    """How much later than the first edge the module may report it."""
    snapshot: Id = "inputs"
    """Edges of one name are read in one request, so that they are one moment."""


class Expected(Sourced):
    """A register that says who the module is."""

    signal: SignalName
    """Where it says so."""
    any_of: tuple[Annotated[str, Field(strict=True)] | Register, ...] = ()
    """What it must say; anything, and a change disarms the table, if not given."""
