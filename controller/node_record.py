"""What the journal keeps of a node beside its tables' own records: how orders ended.

It is about orders that concern no table alone, or reach none, and about those that moved motors.
No table is recovered from it, and a sick journal holds nobody up.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from controller.journal import Entry, Origin, Receipt
from controller.node import Node
from controller.records import Codec
from mqtt.orders import ReplyPayload

_NO_STATE = b"{}"


@dataclass(frozen=True, slots=True)
class OrderHeard:
    """An order came on a topic."""

    topic: str


@dataclass(frozen=True, slots=True)
class OrderRejected:
    """It reached no table."""

    code: str
    reason: str
    orders: int = 1
    """How many orders of the login it tells of."""


@dataclass(frozen=True, slots=True)
class OrderEnded:
    """It came to its end: a table's motors stand still, or every table had its share of it."""

    status: str
    reason: str


OfAnOrder: TypeAlias = OrderRejected | OrderEnded
HEARD: Codec[OrderHeard] = Codec(OrderHeard)
OF_AN_ORDER: Codec[OfAnOrder] = Codec(OfAnOrder)


_PART = "node/"


def part_of(node: str) -> str:
    """Return what the journal calls a node's own part; no table has a slash in its id."""
    return f"{_PART}{node}"


def node_of(part: str) -> str | None:
    """Return the node whose own part it is, None where it is a table's."""
    return part.removeprefix(_PART) if part.startswith(_PART) else None


def sentence(what: OfAnOrder) -> str:
    """Tell what became of an order in a line."""
    match what:
        case OrderRejected(orders=1):
            return f"rejected ({what.code}): {what.reason}"
        case OrderRejected():
            return f"{what.orders} orders rejected ({what.code}), the newest: {what.reason}"
        case OrderEnded():
            return f"{what.status}: {what.reason}" if what.reason else what.status


class NodeRecord:
    """Writes a node's own part of the journal.

    Args:
        node: its journal, clock and id.
    """

    def __init__(self, node: Node) -> None:
        self._node = node

    def write(self, origin: Origin, topic: str, what: OfAnOrder) -> None:
        """Write down what became of an order that has been answered."""
        self._submit(origin, topic, what, None, lambda: None)

    def write_reply(
        self, origin: Origin, topic: str, reply: ReplyPayload, then: Callable[[], None]
    ) -> None:
        """Write down an order and its reply, which the same order again gets again.

        Args:
            origin: who gave the order.
            topic: where it came.
            reply: what its sender is told.
            then: called once it is written, or cannot be.
        """
        what = OrderEnded(reply.status, reply.reason)
        self._submit(origin, topic, what, reply.encode(), then)

    def _submit(
        self,
        origin: Origin,
        topic: str,
        what: OfAnOrder,
        reply: bytes | None,
        then: Callable[[], None],
    ) -> None:
        node, part = self._node, part_of(self._node.id)
        entry = Entry(
            table=part,
            moment=node.clock.now(),
            utc=node.clock.utc(),
            stimulus=HEARD.encode(OrderHeard(topic)),
            effects=OF_AN_ORDER.encode(what),
            seq=0,
            origin=origin,
            reply=reply,
            state=_NO_STATE if node.journal.has_gap(part) else None,
        )

        def settled(receipt: "asyncio.Future[Receipt]") -> None:
            receipt.exception()  # the journal raises the alarm itself
            then()

        node.journal.submit(entry).add_done_callback(settled)
