"""A module on a wire: its inputs, its outputs, and when it answers at all."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from simulator.modbus_cells import Bank, Refusal
from simulator.modbus_contacts import Contact
from simulator.modbus_pdu import REFUSED, Function, answer
from simulator.modbus_switches import Switch, Switched
from table.moment import MILLISECOND, Moment

BOOTS_FOR = timedelta(milliseconds=800)
"""From power to the first answer. Not documented by any maker; House choice."""
WRITES = frozenset(
    (
        Function.WRITE_COIL,
        Function.WRITE_REGISTER,
        Function.WRITE_COILS,
        Function.WRITE_REGISTERS,
    )
)


class Part(Protocol):
    """Something in a module that does things by itself."""

    def wake_at(self) -> Moment | None:
        """Say when it does something next."""

    def pass_time(self, now: Moment) -> None:
        """Do what is due."""


class Mechanism(Part, Protocol):
    """A part that also follows what happens to the module."""

    def heard(self, now: Moment) -> None:
        """Notice that a host asked something."""

    def restart(self, at: Moment) -> None:
        """Start anew."""


@dataclass(slots=True)
class Module:
    """One module. `now` is the moment of the request it is busy with."""

    bank: Bank
    contacts: tuple[Contact, ...]
    switches: tuple[Switch, ...]
    turnaround: timedelta
    """From the end of a request until the reply begins."""
    unit: int = 1
    serial: int = 0
    """Where the module tells one."""
    mute_refusals: bool = False
    """Whether it says nothing to a write it cannot carry out."""
    mechanisms: list[Mechanism] = field(default_factory=list)
    now: Moment = field(default=Moment(0))
    powered: bool = True
    started: Moment = field(default=Moment(0))
    up_at: Moment = field(default=Moment(0))
    mute_until: Moment = field(default=Moment(0))
    served: int = 0
    """Requests answered."""
    _changed: bool = True
    _wakes_at: Moment | None = None

    @classmethod
    def of(
        cls, bank: Bank, inputs: Iterable[Contact], outputs: int, turnaround_ms: int
    ) -> "Module":
        """Put a module together."""
        switches = tuple(Switch(channel) for channel in range(outputs))
        return cls(bank, tuple(inputs), switches, turnaround_ms * MILLISECOND)

    def serve(self, pdu: bytes, now: Moment) -> bytes | None:
        """Carry out a request and return the reply, None where the module says nothing."""
        self.pass_time(now)
        if not pdu or not self.answers(now):
            return None
        self.now, self._changed = now, True
        for mechanism in self.mechanisms:
            mechanism.heard(now)
        reply = answer(pdu, self.bank)
        if self.mute_refusals and pdu[0] in WRITES and reply[0] & REFUSED:
            return None
        self.served += 1
        return reply

    def answers(self, now: Moment) -> bool:
        """Say whether anything would come back."""
        return self._alive(now) and now >= self.mute_until

    def touch(self, channel: int, at: Moment, *, closed: bool) -> None:
        """Close or open what is wired to an input."""
        self.pass_time(at)
        self._changed = True
        contact = self.contacts[channel]
        if self._alive(at):
            contact.touch(at, closed=closed)
        else:
            contact.closed = contact.level = closed

    def wake_at(self) -> Moment | None:
        """Say when the module does something by itself."""
        # Asked far more often than anything changes: at every byte of every neighbour.
        if self._changed:
            moments = (part.wake_at() for part in self._parts())
            self._wakes_at = min((moment for moment in moments if moment), default=None)
            self._changed = False
        return self._wakes_at

    def pass_time(self, now: Moment) -> None:
        """Let everything happen that is due, in order."""
        while (at := self.wake_at()) and at <= now:
            self._changed = True
            for part in self._parts():
                part.pass_time(at)

    def told(self) -> list[Switched]:
        """Return what the outputs did since this was last asked, in order."""
        changes = [change for switch in self.switches for change in switch.told()]
        return sorted(changes, key=lambda change: change.at)

    def restart(self, at: Moment, boots_for: timedelta = BOOTS_FOR) -> None:
        """Start anew: settings stay, counters and outputs do not."""
        self.pass_time(at)
        self.powered = self._changed = True
        self.started, self.up_at = at, at + boots_for
        for contact in self.contacts:
            contact.restart()
        for switch in self.switches:
            switch.turn(at, on=False)
        for mechanism in self.mechanisms:
            mechanism.restart(at)

    def cut_power(self, at: Moment) -> None:
        """Take the supply away until `restart`."""
        self.restart(at)
        self.powered = False

    def mute(self, until: Moment) -> None:
        """Have the module say nothing for a while, as if its transceiver were gone."""
        self.mute_until = max(self.mute_until, until)

    def _alive(self, now: Moment) -> bool:
        return self.powered and now >= self.up_at

    def _parts(self) -> Iterable[Part]:
        yield from self.contacts
        yield from self.switches
        yield from self.mechanisms


def refuses(code: Refusal, pdu: bytes) -> bytes:
    """Return the reply of a module that cannot do what is asked now."""
    return bytes([pdu[0] | REFUSED, code])
