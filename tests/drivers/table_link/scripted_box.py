"""The other end of a table link in the tests: a box that does what the test says."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from drivers.table_link.codes import Ability, Ending, Flag, MachineBit, Question
from drivers.table_link.frames import Damage, Deframer, Frame, is_from
from drivers.table_link.messages import (
    Ask,
    Command,
    Edge,
    FromBox,
    Heartbeat,
    Hello,
    Machine,
    Message,
    Result,
    Rewind,
    State,
    Sync,
    SyncEcho,
    read,
    write,
)
from table.moment import Moment
from tests.drivers.pty_port import PtyPort

BEAT_SECONDS = 0.1
ALL = Ability((1 << 11) - 1)
Event = Edge | Machine


def _done(command: Command) -> Iterable[FromBox]:
    return (Result(command.id, Ending.DONE),)


@dataclass(slots=True)
class Received:
    """A frame from the host, and what it says."""

    ack: int
    message: Message


@dataclass(slots=True)
class ScriptedBox:
    """A box at the far end of a pseudo-terminal.

    Attributes:
        events: what it keeps, by number; sent when the host asks, or at once when armed.
        vanishing: numbers whose first sending gets lost on the line.
        answer: what it says to a command.
        mute: whether it says anything at all.
        received: every message it understood.
    """

    port: PtyPort
    now: Callable[[], Moment]
    serial: str = "TL-1"
    boot: int = 0x11
    time: int = 60_000
    answer: Callable[[Command], Iterable[FromBox]] = _done
    mute: bool = False
    machine: int = MachineBit.WALL_READY
    faults: tuple[int, ...] = ()
    armed: bool = False
    events: dict[int, Event] = field(default_factory=dict)
    vanishing: set[int] = field(default_factory=set)
    received: list[Received] = field(default_factory=list)
    acknowledged: int = 0
    abilities: int = ALL
    _deframer: Deframer = field(default_factory=Deframer)
    _started: Moment = field(init=False)

    def __post_init__(self) -> None:
        self._started = self.now()
        self.port.listen(self._take)

    @property
    def ms(self) -> int:
        """Device time."""
        return self.time + (self.now().micros - self._started.micros) // 1000

    @property
    def following(self) -> int:
        return len(self.events) + 1

    def happen(self, event: Event) -> None:
        """Keep an event, and send it if a host listens."""
        self.events[self.following] = event
        if self.armed:
            self.send_event(self.following - 1)

    def tap(self, seat: int, place: int = 1, call: int = 0) -> None:
        """Press an input and let go 80 ms later, by device time."""
        at = self.ms % 2**32
        self.happen(Edge(self.boot, at, at, seat, place, 1, call))
        self.happen(Edge(self.boot, at, (at + 80) % 2**32, seat, place, 2, call))

    def reboot(self, boot: int) -> None:
        """Start anew: nothing is kept and no host is known."""
        self.boot, self.armed, self.time, self.acknowledged = boot, False, 0, 0
        self.events.clear()
        self._started = self.now()

    def send(self, message: FromBox, seq: int = 0, flags: int = Flag.NONE) -> None:
        """Say something now."""
        if not self.mute:
            self.port.send(write(message, seq=seq, time=self.ms, flags=flags))

    def send_event(self, seq: int, flags: int = Flag.NEEDS_ACK) -> None:
        """Send an event, unless it is one that vanishes."""
        if seq in self.vanishing:
            self.vanishing.remove(seq)
        else:
            self.send(self.events[seq], seq, flags)

    async def live(self) -> None:
        """Show signs of life for ever."""
        while True:
            bits = self.machine | (MachineBit.ARMED if self.armed else 0)
            self.send(Heartbeat(self.boot, bits))
            await asyncio.sleep(BEAT_SECONDS)

    def heard(self, kind: type[Message]) -> list[Message]:
        """Return what was received of one kind."""
        return [one.message for one in self.received if isinstance(one.message, kind)]

    def _take(self, chunk: bytes) -> None:
        for arrival in self._deframer.feed(chunk):
            assert isinstance(arrival, Frame)
            message = read(arrival)
            assert not isinstance(message, Damage)
            self._hear(arrival, message)

    def _hear(self, frame: Frame, message: Message) -> None:
        self.received.append(Received(frame.ack, message))
        if frame.ack and is_from(self.acknowledged + 1, frame.ack):
            self.acknowledged = frame.ack
        match message:
            case Ask(Question.HELLO):
                self.armed = False
                self.send(self.hello())
            case Ask():
                self.send(State(self.boot, self.following, self.machine, faults=self.faults))
            case Sync():
                ms = self.ms % 2**32
                self.send(SyncEcho(self.boot, message.asked_us, ms, ms))
            case Rewind():
                self.armed = True
                for seq in range(message.first, self.following):
                    self.send_event(seq, Flag.NEEDS_ACK | Flag.REPLAY)
            case Command():
                for word in self.answer(message):
                    self.send(word)
            case _:
                pass

    def hello(self) -> Hello:
        """Say who this is."""
        return Hello(
            "Lotus",
            "Box A",
            self.serial,
            "1.3.0",
            "",
            self.boot,
            self.abilities,
            debounce_ms=10,
            wraps=self.ms // 2**32,
            oldest=self.acknowledged + 1,
            following=self.following,
        )
