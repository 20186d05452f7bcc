"""Takes what the broker brought: good orders to their table, the rest back with a reason."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial

from controller.alertness import Alertness
from controller.node import Node
from controller.node_orders import Gathering, together
from controller.table_loop import TableLoop
from mqtt.inbox import Heard, Rejection, Request
from mqtt.orders import ReplyPayload
from mqtt.reply_codes import ReplyCode
from table.commands import Ordered

logger = logging.getLogger(__name__)


class Reception:
    """Gives every message on a command topic exactly one place to go.

    Args:
        node: answers through its press.
        loops: the tables of this node by id.
        alertness: tells whether orders may have waited for us.
    """

    def __init__(self, node: Node, loops: Mapping[str, TableLoop], alertness: Alertness) -> None:
        self._node = node
        self._loops = loops
        self._alertness = alertness
        self.rejected = 0

    def receive(self, heard: Heard) -> None:
        """Queue an order at its table, or answer why not."""
        match heard:
            case Rejection():
                self._reject(heard)
            case Request() if self._too_late(heard):
                self._reject(self._expired(heard))
            case Request() if heard.node:
                self._share_out(heard)
            case Request(table=table) if table in self._loops:
                order = Ordered(heard.command, heard.person, heard.precondition)
                self._loops[table].offer(order, heard)
            case Request():
                self._reject(self._unknown_table(heard))

    def _share_out(self, request: Request) -> None:
        """Give every table its share of an order for the node."""
        gathering = Gathering(
            request, self._loops, partial(self._node.press.reply, request.reply_topic)
        )
        for share in gathering.shares():
            order = Ordered(share.command, share.person, share.precondition)
            self._loops[share.table].offer(order, share)
        if not self._loops:
            nothing = together(request.id, {}, self._node.clock.utc())
            self._node.press.reply(request.reply_topic, nothing)

    def _too_late(self, request: Request) -> bool:
        seconds = request.expiry_seconds
        return seconds is not None and self._alertness.slept > timedelta(seconds=seconds)

    def _expired(self, request: Request) -> Rejection:
        stood = self._alertness.slept.total_seconds()
        reason = (
            f"node {self._node.id} stood still for {stood:.1f} s, longer than the"
            f" {request.expiry_seconds} s for which the order was good"
        )
        return _rejection(request, ReplyCode.EXPIRED, reason)

    def _unknown_table(self, request: Request) -> Rejection:
        listed = ", ".join(sorted(self._loops)) or "none"
        reason = f"node {self._node.id} has no table {request.table}; its tables: {listed}"
        return _rejection(request, ReplyCode.UNKNOWN_TABLE, reason)

    def _reject(self, rejection: Rejection) -> None:
        self.rejected += 1
        logger.warning(
            "order of %s on %s rejected (%s): %s",
            rejection.login,
            rejection.topic,
            rejection.code,
            rejection.reason,
        )
        if rejection.reply_topic is not None:
            payload = rejection_reply(rejection, self._node.clock.utc())
            self._node.press.reply(rejection.reply_topic, payload)


def _rejection(request: Request, code: ReplyCode, reason: str) -> Rejection:
    return Rejection(
        code=code,
        reason=reason,
        login=request.login,
        topic=f"{request.table or request.node}/{request.verb}",
        id=request.id,
        reply_topic=request.reply_topic,
    )


def rejection_reply(rejection: Rejection, time: datetime) -> ReplyPayload:
    """Return what the sender of a bad message is told."""
    return ReplyPayload(
        id=rejection.id,
        status="rejected",
        code=rejection.code,
        reason=rejection.reason,
        time=time,
    )
