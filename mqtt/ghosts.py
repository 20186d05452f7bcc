"""What earlier daemons left at the broker under this node's name and nobody keeps; pure."""

from collections.abc import Callable

from pydantic import BaseModel, ValidationError

from mqtt.messages import Delivery, Subscription
from mqtt.presence import Place
from mqtt.topics import Address, Root, TopicKind


class Ghosts:
    """Finds retained topics that are to be cleared while a node connects.

    A table is known by its meta. Another node that has it by now has written its own name there,
    so what it keeps is left alone.

    Args:
        place: the node, and what it keeps.
        holds: says whether the node keeps a topic, or is about to clear it.
    """

    def __init__(self, place: Place, holds: Callable[[str], bool]) -> None:
        self._place = place
        self._holds = holds
        self._found: dict[str, None] = {}
        self._tables: list[str] = []
        self._looked_at: list[str] = []
        self.remembered = False
        """Whether the broker has something that an earlier connection of this run told."""

    def subscriptions(self) -> list[Subscription]:
        """Return where to look first."""
        root, tables = self._place.root, self._place.tables
        everywhere = (TopicKind.TABLE_META, TopicKind.VENUE_STATE)
        filters = [root.every(kind) for kind in everywhere]
        alerts = [root.every(TopicKind.ALERT, table=table) for table in tables]
        return [Subscription(one, echo=False) for one in (*filters, *alerts)]

    def take_tables(self) -> list[Subscription]:
        """Return where else to look, because of tables that were found since the last call."""
        tables, self._tables = self._tables, []
        self._looked_at += tables
        alerts = (self._place.root.every(TopicKind.ALERT, table=table) for table in tables)
        return [Subscription(one, echo=False) for one in alerts]

    def hear(self, address: Address, message: Delivery) -> None:
        """Take note of a message that may be a ghost."""
        if not message.retained or not message.payload:
            return
        if self._holds(message.topic):
            self.remembered = True
            return
        ours = node_of(message.payload) == self._place.node
        match address.kind:
            case TopicKind.ALERT:
                self._found[message.topic] = None
            case TopicKind.VENUE_STATE if ours or self._place.keeps_venue:
                self._found[message.topic] = None
            case TopicKind.TABLE_META if ours and address.table not in self._place.tables:
                self._tables.append(address.table)

    def found(self) -> list[str]:
        """Return what is to be cleared: of a table its meta last, by which it is found again."""
        tables = (of_table(self._place.root, table) for table in self._looked_at)
        return [*self._found, *(topic for topics in tables for topic in topics)]


def of_table(root: Root, table: str) -> tuple[str, ...]:
    """Return the retained topics that every table has, its meta last."""
    return (
        root.table_availability(table),
        root.ledger(table),
        root.timers(table),
        root.state(table),
        root.table_meta(table),
    )


class _Signed(BaseModel):
    node: str


def node_of(payload: bytes) -> str:
    """Return the node that a retained payload names, empty where it names none."""
    try:
        return _Signed.model_validate_json(payload).node
    except ValidationError:
        return ""
