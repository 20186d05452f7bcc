"""Whether a node is there: its birth, its last will and its farewell are one message; pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from mqtt.messages import LastWill, Message
from mqtt.payloads import NodeAvailability
from mqtt.topics import Root, TopicKind

BEAT_SECONDS = 2.0
"""Between two heartbeats; part of the contract."""


@dataclass(frozen=True, slots=True)
class Place:
    """A node and what it keeps."""

    root: Root
    node: str
    session: int
    """Grows with every start of the daemon; consumers go by the highest."""
    since: datetime
    """Start of the session, UTC."""
    tables: tuple[str, ...]
    keeps_venue: bool = False
    """Whether it answers for the venue, and for tables that nobody has."""
    will_delay_seconds: int = 5
    """A connection restored within this time leaves no trace; MQTT 5 only."""
    beat_seconds: float = BEAT_SECONDS
    """Between two heartbeats; while the node is not online yet, they come more often."""

    @property
    def topic(self) -> str:
        """Where the presence is told."""
        return self.root.node_availability(self.node)

    @property
    def heartbeat(self) -> str:
        """Where the heartbeats go."""
        return self.root.heartbeat(self.node)

    @property
    def client_id(self) -> str:
        """The one client id of this node; a second daemon of the same name is thrown out."""
        return f"tablewarden-{self.node}"

    def presence(self, status: Literal["online", "stopping", "offline"], now: datetime) -> Message:
        """Return the retained message that says how the node is."""
        said = NodeAvailability(
            node=self.node, status=status, session=self.session, since=self.since, time=now
        )
        return Message(self.topic, said.encode(), retain=True)

    def will(self, now: datetime) -> LastWill:
        """Return what the broker says when the node is gone without a word."""
        payload = self.presence("offline", now).payload
        return LastWill(self.topic, payload, self.will_delay_seconds)

    def commands(self) -> list[str]:
        """Return the filters of the commands this node answers."""
        own = [self.root.every(TopicKind.TABLE_COMMAND, table=table) for table in self.tables]
        node = self.root.every(TopicKind.NODE_COMMAND, node=self.node)
        if not self.keeps_venue:
            return [*own, node]
        venue = self.root.every(TopicKind.VENUE_COMMAND)
        return [self.root.every(TopicKind.TABLE_COMMAND), node, venue]
