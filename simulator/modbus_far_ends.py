"""The module's end of a wire: bytes in, bytes out, time as an argument.

On a serial line every byte takes its time, both ways; a request is complete after the silence that
ends a frame, and the reply begins after the turnaround of the module. Over TCP only the turnaround
passes.
"""

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol, TypeAlias

from simulator.modbus_frames import Call, TcpEar, read_rtu, rtu_frame
from simulator.modbus_module import Module
from simulator.modbus_trouble import Trouble
from table.moment import ZERO, Moment

BROADCAST = 0
THIS_DEVICE = (0, 0xFF)
"""Units by which a device with its own address is meant (Messaging on TCP/IP V1.0b, 4.4.1.2)."""
FIXED_GAP_ABOVE = 19_200
FIXED_GAP = timedelta(microseconds=1750)
SECOND_US = 1_000_000

Talk: TypeAlias = int
"""Number of a connection; a serial line has one."""
Outgoing: TypeAlias = tuple[Moment, Talk, bytes]


class FarEnd(Protocol):
    """What answers at one port."""

    def hear(self, talk: Talk, chunk: bytes, now: Moment) -> None:
        """Take bytes from a master."""

    def stirs_at(self) -> Moment | None:
        """Say when a request is complete that came already."""

    def pass_time(self, now: Moment) -> None:
        """Carry out the requests that are complete."""

    def wake_at(self) -> Moment | None:
        """Say when bytes leave next."""

    def transmit(self, now: Moment) -> list[tuple[Talk, bytes]]:
        """Return the bytes that have left by now."""

    def hang_up(self, talk: Talk | None = None) -> None:
        """Forget a connection, or all of them, with what is under way."""

    def broken(self, talk: Talk) -> bool:
        """Say whether a connection is to be closed: what came there is no Modbus."""


@dataclass(frozen=True, slots=True)
class LineSpeed:
    """How fast bytes go over a serial line."""

    baud: int = 9600
    bits: int = 11
    """A character with start, parity and stop (Modbus over Serial Line V1.02, section 2.5.1)."""

    def span(self, characters: int) -> timedelta:
        """Return how long so many characters take."""
        return timedelta(microseconds=-(-characters * self.bits * SECOND_US // self.baud))

    @property
    def gap(self) -> timedelta:
        """The silence that ends a frame (section 2.5.1.1): 3.5 characters, 1.75 ms when faster."""
        return FIXED_GAP if self.baud > FIXED_GAP_ABOVE else self.span(7) / 2


class _Outbox:
    def __init__(self, at_once: timedelta = ZERO) -> None:
        self._at_once = at_once
        self._waiting: list[Outgoing] = []

    def put(self, at: Moment, talk: Talk, data: bytes) -> None:
        insort(self._waiting, (at, talk, data), key=lambda outgoing: outgoing[0])

    def wake_at(self) -> Moment | None:
        """Say when to look again: bytes may wait for others, but never for longer than allowed."""
        if not self._waiting:
            return None
        return min(self._waiting[0][0] + self._at_once, self._waiting[-1][0])

    def due(self, now: Moment) -> list[tuple[Talk, bytes]]:
        count = sum(at <= now for at, _, _ in self._waiting)
        leaving, self._waiting = self._waiting[:count], self._waiting[count:]
        together: dict[Talk, bytes] = {}
        for _, talk, data in leaving:
            together[talk] = together.get(talk, b"") + data
        return list(together.items())

    def forget(self, talk: Talk | None) -> None:
        kept = () if talk is None else self._waiting
        self._waiting = [each for each in kept if each[1] != talk]


class RtuEnd:
    """A bus with one or more modules; what two of them say at once is garbled.

    A module answers one thing after the other, so what comes late holds up what comes behind it.
    Bytes that leave within `at_once` of each other may be handed over together, never early and the
    last one in time.
    """

    def __init__(
        self,
        speed: LineSpeed,
        modules: Sequence[Module],
        trouble: Trouble,
        at_once: timedelta = ZERO,
    ) -> None:
        self._speed = speed
        self._modules = modules
        self._trouble = trouble
        self._heard = bytearray()
        self._heard_until = Moment(0)
        self._talk = 0
        self._said_until: dict[int, Moment] = {}
        self._outbox = _Outbox(at_once)

    def hear(self, talk: Talk, chunk: bytes, now: Moment) -> None:
        """Take bytes; they are on the wire for as long as they take."""
        self.pass_time(now)
        self._talk = talk
        begins = max(now, self._heard_until) if self._heard else now
        self._heard += chunk
        self._heard_until = begins + self._speed.span(len(chunk))

    def stirs_at(self) -> Moment | None:
        """Say when the silence after what came is long enough."""
        return self._heard_until + self._speed.gap if self._heard else None

    def pass_time(self, now: Moment) -> None:
        """Have the module that is meant carry out what came."""
        complete_at = self.stirs_at()
        if complete_at is None or complete_at > now:
            return
        frame = read_rtu(bytes(self._heard))
        self._heard.clear()
        if frame:
            self._serve(*frame, complete_at)

    def wake_at(self) -> Moment | None:
        """Say when the next byte has left."""
        return self._outbox.wake_at()

    def transmit(self, now: Moment) -> list[tuple[Talk, bytes]]:
        """Return the bytes that have left."""
        return self._outbox.due(now)

    def hang_up(self, talk: Talk | None = None) -> None:
        """Let what is under way to a master be lost."""
        self._heard.clear()
        self._said_until.clear()
        self._outbox.forget(talk)

    def broken(self, talk: Talk) -> bool:  # noqa: ARG002 -- a far end
        """Take noise as a serial line does."""
        return False

    def _serve(self, unit: int, pdu: bytes, at: Moment) -> None:
        for module in self._modules:
            if unit == BROADCAST:
                module.serve(pdu, at)
            elif unit == module.unit:
                for sent in self._trouble.serve(module, pdu, at):
                    frame = _flipped(rtu_frame(sent.unit, sent.pdu), sent.flip)
                    self._say(unit, frame, at + module.turnaround + sent.after)

    def _say(self, unit: int, frame: bytes, at: Moment) -> None:
        at = max(at, self._said_until.get(unit, at))
        self._said_until[unit] = at + self._speed.span(len(frame))
        for place in range(len(frame)):
            leaves = at + self._speed.span(place + 1)
            self._outbox.put(leaves, self._talk, frame[place : place + 1])


class TcpEnd:
    """A device with its own address, or a gateway to several units."""

    def __init__(self, modules: Sequence[Module], trouble: Trouble) -> None:
        self._modules = modules
        self._trouble = trouble
        self._ears: dict[Talk, TcpEar] = {}
        self._calls: list[tuple[Moment, Talk, Call]] = []
        self._outbox = _Outbox()

    def hear(self, talk: Talk, chunk: bytes, now: Moment) -> None:
        """Take bytes of a connection."""
        ear = self._ears.setdefault(talk, TcpEar())
        self._calls += [(now, talk, call) for call in ear.feed(chunk)]

    def stirs_at(self) -> Moment | None:
        """Say when the oldest request came."""
        return self._calls[0][0] if self._calls else None

    def pass_time(self, now: Moment) -> None:
        """Carry out what came, in order."""
        while self._calls and self._calls[0][0] <= now:
            self._serve(*self._calls.pop(0))

    def wake_at(self) -> Moment | None:
        """Say when the next reply leaves."""
        return self._outbox.wake_at()

    def transmit(self, now: Moment) -> list[tuple[Talk, bytes]]:
        """Return the replies that have left."""
        return self._outbox.due(now)

    def hang_up(self, talk: Talk | None = None) -> None:
        """Forget a connection, or all of them, with what is under way."""
        for gone in tuple(self._ears) if talk is None else (talk,):
            self._ears.pop(gone, None)
        self._calls = [each for each in self._calls if each[1] in self._ears]
        self._outbox.forget(talk)

    def broken(self, talk: Talk) -> bool:
        """Say whether bytes came that are no Modbus."""
        return talk in self._ears and self._ears[talk].broken

    def _serve(self, at: Moment, talk: Talk, call: Call) -> None:
        for module in self._modules:
            if call.unit == module.unit or (len(self._modules) == 1 and call.unit in THIS_DEVICE):
                for sent in self._trouble.serve(module, call.pdu, at):
                    unit = call.unit if sent.unit == module.unit else sent.unit
                    leaves = at + module.turnaround + sent.after
                    self._outbox.put(leaves, talk, call.reply(unit, sent.pdu))


def _flipped(frame: bytes, bit: int | None) -> bytes:
    if bit is None:
        return frame
    place, shift = divmod(bit % (8 * len(frame)), 8)
    return frame[:place] + bytes([frame[place] ^ 1 << shift]) + frame[place + 1 :]
