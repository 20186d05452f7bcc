"""Everything the board knows of its venue, built from the topics alone; no input or output here."""

import re
from typing import Final, TypeAlias

from pydantic import ValidationError

from board.node_view import NodeView
from board.table_view import TableView
from mqtt.topics import Address, Root, TopicKind
from table.moment import Moment

Changes: TypeAlias = frozenset[str]
"""What has to be looked at again: `table:<id>` and `node:<id>`."""
NOTHING: Final[Changes] = frozenset()


class Hall:
    """The venue, one message after the other.

    Args:
        root: the topics of the venue.
    """

    def __init__(self, root: Root) -> None:
        self._root = root
        self.nodes: dict[str, NodeView] = {}
        self.tables: dict[str, TableView] = {}
        self.unreadable = 0
        """Messages that were no payload of the contract: counted, passed over."""

    def apply(self, topic: str, payload: bytes, now: Moment) -> Changes:
        """Take in one message and say what it changed."""
        address = self._root.parse(topic)
        if address is None:
            return NOTHING
        try:
            return self._apply(address, payload, now)
        except ValidationError:
            self.unreadable += 1
            return NOTHING

    def look(self, now: Moment) -> Changes:
        """Look at the nodes' clocks and say who fell silent or came back, tables included."""
        changed: set[str] = set()
        for node in self.nodes.values():
            turned = node.look(now)
            if turned:
                changed |= self._tables_of(node.id)
            if turned or node.stale:
                changed.add(f"node:{node.id}")
        return frozenset(changed)

    def doubt(self) -> None:
        """Doubt every alert until the broker sends it again: its end may have been missed."""
        for table in self.tables.values():
            table.doubted = set(table.alerts)

    def settle_doubted(self) -> Changes:
        """Take alerts that the broker did not send again for settled."""
        settled = {f"table:{table.id}" for table in self.tables.values() if table.settle_doubted()}
        return frozenset(settled)

    def node_of(self, table: TableView) -> NodeView | None:
        """Return the node that has the table's cable, where it is known."""
        return self.nodes.get(table.node)

    def _apply(self, address: Address, payload: bytes, now: Moment) -> Changes:
        if not payload and address.kind is not TopicKind.ALERT:
            return self._forget(address)
        if address.node:
            return self._apply_node(address, payload, now)
        if not address.table:
            return NOTHING
        table = self.tables.get(address.table) or TableView(address.table)
        told = table.take(address, payload)
        if not told:
            return NOTHING
        self.tables[table.id] = table
        return frozenset({f"table:{table.id}"})

    def _apply_node(self, address: Address, payload: bytes, now: Moment) -> Changes:
        node = self.nodes.get(address.node) or NodeView(address.node)
        turned = node.take(address.kind, payload, now)
        self.nodes[node.id] = node
        return frozenset({f"node:{node.id}"} | (self._tables_of(node.id) if turned else set()))

    def _forget(self, address: Address) -> Changes:
        if (
            address.kind is TopicKind.TABLE_META
            and self.tables.pop(address.table, None) is not None
        ):
            return frozenset({f"table:{address.table}"})
        if address.kind is TopicKind.NODE_META and self.nodes.pop(address.node, None) is not None:
            return frozenset({f"node:{address.node}"})
        return NOTHING

    def _tables_of(self, node: str) -> set[str]:
        return {f"table:{table.id}" for table in self.tables.values() if table.node == node}


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return the key that sorts Table 2 before Table 10."""
    parts = re.findall(r"\d+|\D+", name.casefold())
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


def in_order(hall: Hall) -> list[TableView]:
    """Return the tables as people count them."""
    return sorted(hall.tables.values(), key=lambda table: natural(table.name))
