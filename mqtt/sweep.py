"""Clears what a node left at the broker that will not come back, over a connection of its own."""

import asyncio
from contextlib import suppress

from mqtt.broker_line import BrokerLine, connect
from mqtt.first_error import first_known_error
from mqtt.ghosts import node_of, of_table
from mqtt.messages import LineSettings, Message, Subscription
from mqtt.topics import Root, TopicKind
from table.answers import Code
from table.errors import CommandRefused

BEATS = 3
"""A node of which so many heartbeats are missing is gone (docs/contract.md)."""


_LAST = {TopicKind.TABLE_META: 1, TopicKind.NODE_META: 2, TopicKind.NODE_AVAILABILITY: 3}


async def sweep(settings: LineSettings, root: Root, node: str, beat_seconds: float) -> list[str]:
    """Clear every retained topic of a node, of its tables, and of the venue if it kept that.

    Args:
        settings: how to reach the broker; the client id is that of nobody else.
        root: the topics of the venue.
        node: whom to forget.
        beat_seconds: between two heartbeats of a node that is there.

    Returns:
        The topics that were cleared, in that order.

    Raises:
        CommandRefused: the node is there, for its heartbeat arrives.
        BrokerError: the broker is away or refused something; what is left can be swept again.
    """
    found = _Found(root, node)
    with first_known_error():
        async with connect(settings) as line, asyncio.TaskGroup() as tasks:
            listening = tasks.create_task(found.listen(line))
            await line.subscribe(Subscription(root.heartbeat(node)))
            await found.check_gone(BEATS * beat_seconds)
            await _look(line, root, node, found)
            left = found.in_order()
            await line.publish_all(Message(topic, b"", retain=True) for topic in left)
            listening.cancel()
    return left


async def _look(line: BrokerLine, root: Root, node: str, found: "_Found") -> None:
    own = [root.node_meta(node), root.node_availability(node)]
    everywhere = [root.every(kind) for kind in (TopicKind.TABLE_META, TopicKind.VENUE_STATE)]
    await line.subscribe(*map(Subscription, (*own, *everywhere)))
    await line.catch_up()
    for table in found.tables():
        alerts = root.every(TopicKind.ALERT, table=table)
        await line.subscribe(*map(Subscription, (alerts, *of_table(root, table)[:-1])))
    await line.catch_up()


class _Found:
    """What the broker retains of a node, as far as it was subscribed to."""

    def __init__(self, root: Root, node: str) -> None:
        self._root = root
        self._node = node
        self._retained: dict[str, TopicKind] = {}
        self._beaten = asyncio.Event()

    async def listen(self, line: BrokerLine) -> None:
        async for message in line.deliveries():
            address = self._root.parse(message.topic)
            if address is None or not message.payload:
                continue
            if address.kind is TopicKind.HEARTBEAT:
                self._beaten.set()
            elif (
                address.kind not in (TopicKind.TABLE_META, TopicKind.VENUE_STATE)
                or node_of(message.payload) == self._node
            ):
                self._retained[message.topic] = address.kind

    async def check_gone(self, seconds: float) -> None:
        """Wait for a heartbeat; somebody who beats is not gone."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._beaten.wait()
            reason = f"node {self._node} is there: its heartbeat arrives; stop it first"
            raise CommandRefused(Code.WRONG_PHASE, reason)

    def tables(self) -> list[str]:
        """Return the tables whose metas name the node."""
        metas = (one for one, kind in self._retained.items() if kind is TopicKind.TABLE_META)
        return [one.table for topic in metas if (one := self._root.parse(topic))]

    def in_order(self) -> list[str]:
        """Return what is to be cleared, last that by which the rest is found again."""
        return sorted(self._retained, key=lambda topic: _LAST.get(self._retained[topic], 0))
