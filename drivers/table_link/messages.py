"""What the two ends of a table link say to each other: payloads as frozen values.

The layout of each message stands beside it in the notation of `struct`; docs/table-link.md
explains them. Numbers stay as they are on the wire (`codes`), so that one we do not know can pass.
"""

import struct
from dataclasses import dataclass
from struct import Struct
from typing import Any, ClassVar, Self, TypeAlias

from drivers.table_link.codes import Ability, CallKind, Flag, Kind
from drivers.table_link.frames import Damage, Frame, Harm, encode
from drivers.table_link.layout import Fixed, Listed, counted, text
from table.errors import FrameError


@dataclass(frozen=True, slots=True)
class Ask(Fixed):
    """Host: tell me this (`codes.Question`). `<B`."""

    KIND = Kind.ASK
    LAYOUT = Struct("<B")
    question: int


@dataclass(frozen=True, slots=True)
class Sync(Fixed):
    """Host: what is your time? `<Q`."""

    KIND = Kind.SYNC
    LAYOUT = Struct("<Q")
    asked_us: int
    """The host's own clock as this was sent; the box only repeats it."""


@dataclass(frozen=True, slots=True)
class SyncEcho(Fixed):
    """Box: my time as your question came, and as this left. `<IQII`."""

    KIND = Kind.SYNC_ECHO
    LAYOUT = Struct("<IQII")
    boot: int
    asked_us: int
    heard_ms: int
    told_ms: int


@dataclass(frozen=True, slots=True)
class Edge(Fixed):
    """Box, event: an input changed. `<IIIBBBB`."""

    KIND = Kind.EDGE
    LAYOUT = Struct("<IIIBBBB")
    boot: int
    first_ms: int
    """Device time of the first edge of this press, taken before debounce."""
    at_ms: int
    """Device time of this change; the same as `first_ms` when it goes down."""
    seat: int
    """1 … 4, or 0 for an input of the whole table."""
    input: int
    change: int
    call: int = CallKind.UNNAMED


@dataclass(frozen=True, slots=True)
class Lost(Fixed):
    """Box: these events were pushed out of the ring before they were acknowledged. `<IHH`."""

    KIND = Kind.LOST
    LAYOUT = Struct("<IHH")
    boot: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Ack(Fixed):
    """Host: the header's `ack` says it all; events up to it have arrived. No payload."""

    KIND = Kind.ACK
    LAYOUT = Struct("")


@dataclass(frozen=True, slots=True)
class Rewind(Fixed):
    """Host: send events from this sequence number on, and keep sending. `<H`."""

    KIND = Kind.REWIND
    LAYOUT = Struct("<H")
    first: int


@dataclass(frozen=True, slots=True)
class Command(Fixed):
    """Host: do this, once, however often you hear this id. `<IBBH`."""

    KIND = Kind.COMMAND
    LAYOUT = Struct("<IBBH")
    id: int
    verb: int
    seat: int = 0
    value: int = 0


@dataclass(frozen=True, slots=True)
class Progress(Fixed):
    """Box: the command is this far (`codes.Stage`). `<IBB`."""

    KIND = Kind.PROGRESS
    LAYOUT = Struct("<IBB")
    id: int
    stage: int
    percent: int = 0


@dataclass(frozen=True, slots=True)
class Result(Fixed):
    """Box: the command is over (`codes.Ending`). `<IBH`."""

    KIND = Kind.RESULT
    LAYOUT = Struct("<IBH")
    id: int
    ending: int
    fault: int = 0


@dataclass(frozen=True, slots=True)
class Nack(Fixed):
    """Box: I do not do this (`codes.Refusal`); nothing moved. `<IB`."""

    KIND = Kind.NACK
    LAYOUT = Struct("<IB")
    id: int
    refusal: int


@dataclass(frozen=True, slots=True)
class Heartbeat(Fixed):
    """Either end: I am here. `<IBHHH`; a host gives the boot it speaks to and its own `damaged`."""

    KIND = Kind.HEARTBEAT
    LAYOUT = Struct("<IBHHH")
    boot: int
    machine: int = 0
    """`codes.MachineBit`."""
    queued: int = 0
    """Events that wait for an acknowledgement."""
    lost: int = 0
    """Events pushed out of the ring since the boot."""
    damaged: int = 0
    """Frames this end had to drop since its start, modulo 2**16."""


@dataclass(frozen=True, slots=True)
class Hello(Fixed):
    """Box: who I am. `<IIIHHHHHBB` from boot to version_most, then the five texts, counted."""

    KIND = Kind.HELLO
    LAYOUT = Struct("<IIIHHHHHBB")
    TEXTS: ClassVar[tuple[int, ...]] = (16, 16, 20, 16, 14)
    """Bytes allowed to vendor, model, serial, firmware and certificate."""
    vendor: str
    model: str
    serial: str
    firmware: str
    certificate: str
    boot: int
    """Drawn at random at each start."""
    abilities: int = Ability.NONE
    resolution_us: int = 1000
    """Step of the device's time stamps."""
    debounce_ms: int = 0
    """An edge this soon after another of the same input is a bounce."""
    hold_ms: int = 1000
    wraps: int = 0
    """How often the ms counter has passed 2**32 since the boot."""
    oldest: int = 1
    """Sequence number of the first event nobody has acknowledged, even if it is lost by now."""
    following: int = 1
    """Sequence number the next event will have."""
    version_least: int = 1
    version_most: int = 1

    def to_bytes(self) -> bytes:
        """Return the payload.

        Raises:
            FrameError: a text is too long.
        """
        fields = [getattr(self, name) for name in self.__slots__]
        texts, numbers = fields[: len(self.TEXTS)], fields[len(self.TEXTS) :]
        return self.LAYOUT.pack(*numbers) + b"".join(map(text, texts, self.TEXTS))

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """Read the payload; what a later version appends is left unread."""
        fields: list[Any] = []
        at = cls.LAYOUT.size
        for _ in cls.TEXTS:
            raw, at = counted(payload, at)
            fields.append(raw.decode())
        return cls(*fields, *cls.LAYOUT.unpack_from(payload))


@dataclass(frozen=True, slots=True)
class State(Listed):
    """Box: the machine whole. `<IHBHB`, then the faults that stand, `<H` each."""

    KIND = Kind.STATE
    LAYOUT = Struct("<IHBHB")
    ITEM = Struct("<H")
    boot: int
    following: int
    """Sequence number of the first event this state does not yet contain."""
    machine: int
    """`codes.MachineBit`."""
    down: int = 0
    """Inputs that are down: bit `seat - 1` discard, bit `seat + 3` claim."""
    lamps: int = 0
    """Lamps that are lit: bit `seat - 1`."""
    faults: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Machine(Listed):
    """Box, event: the machine did something (`codes.Happening`). `<IIBH`, then dice, `<B` each."""

    KIND = Kind.MACHINE
    LAYOUT = Struct("<IIBH")
    ITEM = Struct("<B")
    boot: int
    at_ms: int
    happening: int
    fault: int = 0
    dice: tuple[int, ...] = ()


FromBox: TypeAlias = (
    Hello | State | SyncEcho | Edge | Machine | Lost | Progress | Result | Nack | Heartbeat
)
FromHost: TypeAlias = Ask | Sync | Ack | Rewind | Command | Heartbeat
Message: TypeAlias = FromBox | FromHost

BY_KIND: dict[int, type[Message]] = {
    message.KIND: message
    for message in (
        Ask, Hello, State, Sync, SyncEcho, Edge, Machine, Lost,
        Ack, Rewind, Command, Progress, Result, Nack, Heartbeat,
    )
}  # fmt: skip
EVENTS = (Edge, Machine)
"""Messages that are numbered, kept by the box until acknowledged, and sent again."""


def read(frame: Frame) -> Message | Damage:
    """Return the message a frame carries, or the damage where it carries none."""
    message = BY_KIND.get(frame.kind)
    if message is None:
        return Damage(Harm.KIND, frame.payload)
    try:
        return message.from_bytes(frame.payload)
    except (struct.error, IndexError, UnicodeDecodeError, FrameError):
        return Damage(Harm.PAYLOAD, frame.payload)


def write(
    message: Message, *, seq: int = 0, ack: int = 0, time: int = 0, flags: int = Flag.NONE
) -> bytes:
    """Return the bytes of a message on the wire, closing zero included; `time` in device ms.

    Raises:
        FrameError: a text or list is too long for a frame.
    """
    return encode(Frame(message.KIND, message.to_bytes(), seq, ack, time % 2**32, flags))
