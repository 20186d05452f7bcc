"""Carries out the orders for the venue: nodes that will not come back are forgotten."""

import asyncio
from functools import partial
from typing import Literal, TypeAlias

from controller.journal import Origin
from controller.node import Node
from controller.node_record import NodeRecord
from mqtt.messages import LineSettings
from mqtt.orders import ReplyPayload
from mqtt.reply_codes import ReplyCode
from mqtt.sweep import sweep
from mqtt.venue_orders import VenueOrder
from table.errors import BrokerError, CommandRefused

MOST_WAITING = 8
"""So many orders may wait, each for the heartbeats of its node (house choice)."""
_Status: TypeAlias = Literal["accepted", "done", "rejected", "failed"]


class Forgetting:
    """Takes one order after another.

    Args:
        node: the node that keeps the venue; its press answers, its journal remembers.
        line: how to reach the broker under a client id that nobody else has.
        beat_seconds: between two heartbeats of a node that is there.
    """

    def __init__(self, node: Node, line: LineSettings, beat_seconds: float) -> None:
        self._node = node
        self._line = line
        self._beat_seconds = beat_seconds
        self._record = NodeRecord(node)
        self._waiting: asyncio.Queue[VenueOrder] = asyncio.Queue()
        self._taken: set[tuple[str, str]] = set()

    def take(self, order: VenueOrder) -> None:
        """Queue an order; one that waits already is not taken twice."""
        if (order.login, order.id) in self._taken:
            return
        if len(self._taken) >= MOST_WAITING:
            reason = f"{MOST_WAITING} orders for the venue wait already; send this one again later"
            answer = self._reply(order, "rejected", reason, ReplyCode.RATE_LIMITED)
            self._node.press.reply(order.reply_topic, answer)
            return
        self._taken.add((order.login, order.id))
        self._waiting.put_nowait(order)
        accepted = f"listening whether node {order.node} is there"
        self._node.press.reply(order.reply_topic, self._reply(order, "accepted", accepted))

    async def run(self) -> None:
        """Carry out orders until cancelled."""
        while True:
            order = await self._waiting.get()
            self._answer(order, await self._forget(order))

    async def _forget(self, order: VenueOrder) -> ReplyPayload:
        node = order.node
        try:
            cleared = await sweep(self._line, self._node.root, node, self._beat_seconds)
        except CommandRefused as refused:
            return self._reply(order, "rejected", str(refused), refused.code)
        except BrokerError as error:
            reason = f"node {node} may not be forgotten entirely: {error}"
            return self._reply(order, "failed", reason, ReplyCode.UNCERTAIN)
        what = f"{len(cleared)} topics of node {node} were cleared"
        answer = self._reply(order, "done", what if cleared else f"node {node} left nothing")
        return answer.model_copy(update={"counts": {"cleared": len(cleared)}})

    def _answer(self, order: VenueOrder, answer: ReplyPayload) -> None:
        """Tell what became of an order once it is written down."""
        origin = Origin(order.login, order.person, order.id)
        tell = partial(self._tell, order, answer)
        self._record.write_reply(origin, f"venue/{order.verb}", answer, tell)

    def _tell(self, order: VenueOrder, answer: ReplyPayload) -> None:
        self._taken.discard((order.login, order.id))
        self._node.press.reply(order.reply_topic, answer)

    def _reply(
        self, order: VenueOrder, status: _Status, reason: str, code: str = ""
    ) -> ReplyPayload:
        time = self._node.clock.utc()
        return ReplyPayload(id=order.id, status=status, code=code, reason=reason, time=time)
