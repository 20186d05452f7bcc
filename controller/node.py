"""What all tables of one machine share."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from controller.clock import Clock
from controller.journal import Journal
from mqtt.orders import ReplyPayload
from mqtt.parts import Payload
from mqtt.topics import Root
from table.moment import MILLISECOND, Moment


class Press(Protocol):
    """Publishes; `mqtt.publisher.Publisher` obeys it. Never blocks, never fails."""

    def retain(self, topic: str, payload: Payload) -> None:
        """Keep a retained topic at this content, now and at every later connection."""

    def clear(self, topic: str) -> None:
        """Empty a retained topic."""

    def reply(self, topic: str, payload: ReplyPayload) -> None:
        """Answer a command; kept until the broker has it."""


@dataclass(frozen=True, slots=True)
class Node:
    """This daemon: its names, its clock, its journal and its press."""

    id: str
    root: Root
    clock: Clock
    started: Moment
    """Zero of `uptime_ms` and of every `as_of_ms`."""
    journal: Journal
    press: Press

    def uptime_ms(self, moment: Moment) -> int:
        """Return a moment as whole milliseconds of the node's own clock, rounded down."""
        return (moment - self.started) // MILLISECOND


def whole_ms(span: timedelta) -> int:
    """Return a span in whole milliseconds, rounded up, so that a clock never shows too little."""
    return -(-span // MILLISECOND)
