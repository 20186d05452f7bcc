"""A node as its topics show it."""

from dataclasses import dataclass
from datetime import timedelta

from board.node_clock import NodeClock
from mqtt.payloads import Heartbeat, NodeAvailability, NodeMeta
from mqtt.topics import TopicKind
from table.moment import ZERO, Moment


@dataclass(slots=True)
class NodeView:
    """What a node said last, and how its clock runs."""

    id: str
    availability: NodeAvailability | None = None
    meta: NodeMeta | None = None
    beat: Heartbeat | None = None
    clock: NodeClock | None = None
    stale: bool = True
    """No heartbeat yet, or three in a row missing at the last look."""
    silence: timedelta = ZERO
    """Since the newest heartbeat, at the last look."""

    def take(self, kind: TopicKind, payload: bytes, now: Moment) -> bool:
        """Take in one message and say whether the node's tables look different now.

        Raises:
            pydantic.ValidationError: the payload is none of the contract.
        """
        if kind is TopicKind.HEARTBEAT:
            return self._take_beat(Heartbeat.model_validate_json(payload), now)
        if kind is TopicKind.NODE_AVAILABILITY:
            return self._take_availability(NodeAvailability.model_validate_json(payload))
        if kind is TopicKind.NODE_META:
            self.meta = NodeMeta.model_validate_json(payload)
        return False

    def look(self, now: Moment) -> bool:
        """Look at the clock and say whether the node fell silent or came back."""
        before = self.stale
        self.stale = self.clock is None or self.clock.stale(now)
        self.silence = now - self.clock.heard if self.clock else ZERO
        return self.stale != before

    @property
    def here(self) -> bool:
        """Whether the node is online and heard from: what its tables show is true now."""
        online = self.availability is not None and self.availability.status == "online"
        return online and not self.stale

    @property
    def clock_name(self) -> str:
        """Name of the node's clock in this session; clocks of two sessions do not compare."""
        return f"{self.id}/{self.clock.session if self.clock else 0}"

    def _take_beat(self, beat: Heartbeat, now: Moment) -> bool:
        before = self.clock_name
        self.beat = beat
        self.clock = (
            self.clock.beat(beat.session, beat.uptime_ms, now)
            if self.clock
            else NodeClock.first(beat.session, beat.uptime_ms, now)
        )
        came_back = self.look(now)
        return came_back or self.clock_name != before

    def _take_availability(self, heard: NodeAvailability) -> bool:
        if self.availability and heard.session < self.availability.session:
            return False
        self.availability = heard
        return True
