"""The host's end of a table link, as small as it can be: bytes in, messages out."""

from dataclasses import dataclass, field
from typing import TypeVar

from drivers.table_link.codes import Flag, Question
from drivers.table_link.frames import Deframer, Frame, following
from drivers.table_link.messages import (
    EVENTS,
    Ack,
    Ask,
    Edge,
    FromHost,
    Hello,
    Lost,
    Machine,
    Message,
    Rewind,
    read,
    write,
)
from simulator.box import Box
from table.moment import Moment

M = TypeVar("M", bound=Message)


@dataclass
class Host:
    """Takes events strictly in order and acknowledges what it has."""

    deframer: Deframer = field(default_factory=Deframer)
    heard: list[tuple[Frame, Message]] = field(default_factory=list)
    events: list[Edge | Machine] = field(default_factory=list)
    has: int = 0
    """Number of the newest event received without a gap."""

    def hear(self, chunk: bytes) -> None:
        for arrival in self.deframer.feed(chunk):
            assert isinstance(arrival, Frame), arrival
            message = read(arrival)
            assert not isinstance(message, type(arrival)), message
            self._take(arrival, message)  # type: ignore[arg-type] # damage was just excluded

    def _take(self, frame: Frame, message: Message) -> None:
        self.heard.append((frame, message))
        if isinstance(message, Lost) and message.first == following(self.has):
            self.has = message.last
        if isinstance(message, EVENTS) and frame.seq == following(self.has):
            assert frame.flags & Flag.NEEDS_ACK
            self.has = frame.seq
            self.events.append(message)

    def all(self, kind: type[M]) -> list[M]:
        return [message for _, message in self.heard if isinstance(message, kind)]

    def last(self, kind: type[M]) -> M:
        return self.all(kind)[-1]

    def say(self, message: FromHost) -> bytes:
        return write(message, ack=self.has)

    def acknowledge(self) -> bytes:
        return self.say(Ack())


def talk(host: Host, box: Box, now: Moment, *messages: FromHost) -> None:
    """Let the host say something and hear what comes back at the same moment."""
    for message in messages:
        box.hear(host.say(message), now)
    box.pass_time(now)
    host.hear(box.transmit(now))


def connect(host: Host, box: Box, now: Moment) -> None:
    """Greet the box and have it armed, as a daemon does."""
    talk(host, box, now, Ask(Question.HELLO), Ask(Question.STATE))
    oldest = host.last(Hello).oldest
    host.has = (oldest - 2) % 65535 + 1 if oldest > 1 else 0
    talk(host, box, now, Rewind(oldest))
