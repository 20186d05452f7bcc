"""The words that a profile of a Modbus module is written in."""

from enum import StrEnum


class Verification(StrEnum):
    """Who has seen the profile work."""

    MAKER = "maker"
    """Typed from the maker's own document or code; tried on no device by us."""
    USER = "user"
    """Somebody runs a real device with it."""
    UNTESTED = "untested"
    """Typed from what third parties publish."""


class Evidence(StrEnum):
    """What kind of paper a number comes from, best first."""

    MAKER = "maker"
    """The maker's manual, page or code."""
    THIRD_PARTY = "third-party"
    """A driver, map or device file of somebody who is not the maker."""
    STANDARD = "standard"
    """The Modbus specifications."""
    HOUSE = "house"
    """A choice of this project, with the reason in the title."""


class Wire(StrEnum):
    """How frames reach the module."""

    RTU = "rtu"
    TCP = "tcp"
    RTU_OVER_TCP = "rtu-over-tcp"


class Parity(StrEnum):
    """The parity bit of a serial character."""

    NONE = "none"
    EVEN = "even"
    ODD = "odd"


class Area(StrEnum):
    """The four kinds of storage of a Modbus device."""

    COIL = "coil"
    DISCRETE = "discrete"
    INPUT = "input"
    HOLDING = "holding"

    @property
    def of_bits(self) -> bool:
        """Whether one address holds one bit, not 16."""
        return self in {Area.COIL, Area.DISCRETE}


class Access(StrEnum):
    """What may be done with a signal."""

    READ = "read"
    WRITE = "write"
    READ_WRITE = "read-write"


class WordOrder(StrEnum):
    """Which register of a number comes first."""

    HIGH_FIRST = "high-first"
    LOW_FIRST = "low-first"


class ByteOrder(StrEnum):
    """Which byte of a register comes first; by the specification the high one."""

    HIGH_FIRST = "high-first"
    LOW_FIRST = "low-first"


class Coding(StrEnum):
    """How registers hold a value."""

    NUMBER = "number"
    TEXT = "text"
    """Two characters in a register."""
    WIDE_TEXT = "wide-text"
    """One character in a register."""


class Sensing(StrEnum):
    """How a press is found, best last."""

    LEVEL = "level"
    """By two samples that differ; a press between two samples is lost."""
    LATCH = "latch"
    """By a bit that stays set until it is cleared; a second press before that is lost."""
    COUNTER = "counter"
    """By a counter of edges; none is lost."""
    PRESS_COUNTER = "press-counter"
    """By a counter of gestures that the device itself tells apart."""

    @property
    def counts(self) -> bool:
        """Whether the device keeps a number."""
        return self in {Sensing.COUNTER, Sensing.PRESS_COUNTER}


class Gesture(StrEnum):
    """What a press-counter counts."""

    SHORT = "short"
    LONG = "long"
    DOUBLE = "double"
    SHORT_LONG = "short-long"


class Clearing(StrEnum):
    """How a latch or counter is set back."""

    WRITE_ONE = "write-1"
    WRITE_ZERO = "write-0"
    BY_READING = "by-reading"
    NEVER = "never"


class Reboot(StrEnum):
    """What a counter or latch holds after the module lost its power."""

    ZERO = "zero"
    KEPT = "kept"
    UNKNOWN = "unknown"
    """No paper says; a lower value is taken for a reboot, a higher one for presses in doubt."""


class IdentityPart(StrEnum):
    """What a register that identifies a module tells."""

    MODEL = "model"
    SERIAL = "serial"
    FIRMWARE = "firmware"
    UNIT = "unit"
    """The unit id that the module believes it has."""


class FedBy(StrEnum):
    """What keeps a host-loss timer of a module from running out."""

    ANY_REQUEST = "any-request"
    WRITES = "writes"
    UNKNOWN = "unknown"
