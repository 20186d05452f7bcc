"""The box at a simulated table: bytes in, bytes out, time as an argument (docs/table-link.md)."""

from dataclasses import dataclass

from drivers.table_link.codes import Ability, Flag, MachineBit, Question
from drivers.table_link.frames import Damage, Deframer
from drivers.table_link.messages import (
    Ack,
    Ask,
    Command,
    FromBox,
    Heartbeat,
    Hello,
    Lost,
    Message,
    Rewind,
    State,
    Sync,
    SyncEcho,
    read,
    write,
)
from simulator.deeds import Touch
from simulator.device_time import DeviceTime
from simulator.inputs import DEBOUNCE, HELD_AFTER, Inputs
from simulator.link_times import REAL, LinkTimes
from simulator.machine import Happened, Machine
from simulator.orders import Orders
from simulator.ring import Event, Ring
from simulator.wire_words import fault_code, machine_message, sensed
from table.events import DealEnded, TileDrawn
from table.moment import MILLISECOND, Moment
from table.seat import Seat

EVERYTHING_BUT_DRAWS_AND_DICE = (
    Ability.SHUFFLE
    | Ability.LIFT
    | Ability.DICE_ROLL
    | Ability.DISCARD_INPUT
    | Ability.CLAIM_INPUT
    | Ability.HOLD
    | Ability.DEAL_END
    | Ability.LAMP
    | Ability.BUZZER
    | Ability.REOPEN
)
"""What most tables can have: the dice are thrown but not read, and draws are not sensed."""


@dataclass(frozen=True, slots=True)
class Model:
    """What is printed on the box."""

    serial: str
    abilities: Ability = EVERYTHING_BUT_DRAWS_AND_DICE
    vendor: str = "tablewarden"
    name: str = "simulated table"
    firmware: str = "1.0"
    certificate: str = ""


class Box:
    """One boot of a box; starting anew is another `Box` on the same machine."""

    def __init__(
        self, model: Model, machine: Machine, time: DeviceTime, times: LinkTimes = REAL
    ) -> None:
        self._model = model
        self._machine = machine
        self._time = time
        self._times = times
        self._ring = Ring(times.resend)
        self._inputs = Inputs(time)
        self._orders = Orders(machine, times.news)
        self._deframer = Deframer()
        self._damaged = 0
        # A zero first, so that noise of the start does not swallow the first frame.
        self._out = bytearray(1)
        self._sent_at = time.started - self._times.heartbeat
        self._state_at = time.started
        self._heard_at = time.started
        self.armed = False
        """Whether a host follows this table now."""
        self.commands: list[Command] = []
        """Every command that came in; whoever logs them clears the list."""

    @property
    def waiting(self) -> int:
        """Events that wait for an acknowledgement."""
        return len(self._ring)

    def sounding(self, now: Moment) -> list[Seat]:
        """Say which buzzers can be heard."""
        return self._orders.sounding(now)

    def hear(self, chunk: bytes, now: Moment) -> None:
        """Take bytes from the host."""
        for arrival in self._deframer.feed(chunk):
            message = arrival if isinstance(arrival, Damage) else read(arrival)
            if isinstance(arrival, Damage) or isinstance(message, Damage):
                self._damaged += 1
                continue
            self._heard_at = now
            if self.armed and arrival.ack:
                self._ring.acknowledge(arrival.ack)
            self._answer(message, now)

    def touch(self, touch: Touch, at: Moment) -> bool:
        """Take an edge of an input; say whether it was one."""
        edges = self._inputs.touch(touch, at)
        for edge in edges:
            self._keep(edge)
        return bool(edges)

    def sense(self, event: TileDrawn | DealEnded, at: Moment) -> None:
        """Take what a sensor sees; without that sensor nothing is seen."""
        needed = Ability.DRAW if isinstance(event, TileDrawn) else Ability.DEAL_END
        if needed in self._model.abilities:
            self._keep(sensed(event, at, self._time))

    def pass_time(self, now: Moment) -> list[Happened]:
        """Let time pass at the table; return what the machine did."""
        for edge in self._inputs.pass_time(now):
            self._keep(edge)
        self._machine.pass_time(now)
        happened = self._machine.told()
        for each in happened:
            self._keep(machine_message(each.event, each.at, self._time))
            for reply in self._orders.ended(each):
                self._send(reply, now)
        return happened

    def stirs_at(self) -> Moment | None:
        """Say when `pass_time` has something to do next."""
        moments = (self._inputs.wake_at(), self._machine.wake_at())
        return min((moment for moment in moments if moment), default=None)

    def wake_at(self, now: Moment) -> Moment:
        """Say when `transmit` has something to send next."""
        moments = [self._sent_at + self._times.heartbeat, self._orders.wake_at()]
        if self.armed:
            moments += [
                self._state_at,
                self._heard_at + self._times.host_lost,
                self._ring.wake_at(now),
            ]
        return min(moment for moment in moments if moment)

    def transmit(self, now: Moment) -> bytes:
        """Return the bytes that leave now."""
        if self.armed and now - self._heard_at >= self._times.host_lost:
            self._stand_alone()
        for reply in self._orders.pass_time(now):
            self._send(reply, now)
        if self.armed:
            self._send_events(now)
        if self.armed and now >= self._state_at:
            self._send(self._state(), now)
            self._state_at = now + self._times.state
        if now - self._sent_at >= self._times.heartbeat:
            self._send(self._heartbeat(), now)
        out = bytes(self._out)
        self._out.clear()
        return out

    def _answer(self, message: Message, now: Moment) -> None:
        match message:
            case Ask(Question.HELLO):
                self._stand_alone()
                self._send(self._hello(now), now)
            case Ask(Question.STATE):
                self._send(self._state(), now)
            case Sync(asked_us):
                ms = self._time.ms(now)
                self._send(SyncEcho(self._time.boot, asked_us, ms, ms), now)
            case Rewind(first):
                self._ring.rewind(first)
                self.armed = True
                self._state_at = now
            case Command():
                self.commands.append(message)
                self._send(self._orders.take(message, now, armed=self.armed), now)
            case Ack() | Heartbeat():
                pass
            case _:
                self._damaged += 1

    def _stand_alone(self) -> None:
        self.armed = False
        self._orders.silence()

    def _keep(self, event: Event) -> None:
        self._ring.keep(event, waits=not self.armed)

    def _send_events(self, now: Moment) -> None:
        due = self._ring.due(now)
        if due and self._ring.lost:
            self._send(Lost(self._time.boot, *self._ring.lost), now)
        for kept in due:
            flags = Flag.NEEDS_ACK | (Flag.REPLAY if kept.replay else Flag.NONE)
            self._send(kept.event, now, kept.seq, flags)

    def _send(self, message: FromBox, now: Moment, seq: int = 0, flags: Flag = Flag.NONE) -> None:
        self._out += write(message, seq=seq, time=self._time.ms(now), flags=flags)
        self._sent_at = now

    def _heartbeat(self) -> Heartbeat:
        return Heartbeat(
            self._time.boot,
            self._machine_bits(),
            len(self._ring),
            min(self._ring.lost_count, 0xFFFF),
            self._damaged % 0x1_0000,
        )

    def _hello(self, now: Moment) -> Hello:
        model = self._model
        return Hello(
            model.vendor,
            model.name,
            model.serial,
            model.firmware,
            model.certificate,
            self._time.boot,
            model.abilities,
            debounce_ms=DEBOUNCE // MILLISECOND,
            hold_ms=HELD_AFTER // MILLISECOND,
            wraps=self._time.wraps(now),
            oldest=self._ring.oldest,
            following=self._ring.following,
        )

    def _state(self) -> State:
        return State(
            self._time.boot,
            self._ring.following,
            self._machine_bits(),
            self._inputs.bits,
            self._orders.lamps,
            tuple(sorted(fault_code(fault) for fault in self._machine.faults)),
        )

    def _machine_bits(self) -> MachineBit:
        machine = self._machine
        bits = {
            MachineBit.CYCLING: machine.cycling,
            MachineBit.REOPENED: machine.reopened,
            MachineBit.WALL_READY: machine.wall_ready,
            MachineBit.WALL_RAISED: machine.wall_raised,
            MachineBit.FAULTY: bool(machine.faults),
            MachineBit.ARMED: self.armed,
        }
        return MachineBit(sum(bit for bit, lit in bits.items() if lit))
