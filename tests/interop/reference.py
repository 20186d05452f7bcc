"""The clocks of a table by the display rule of docs/contract.md, from raw messages alone."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from controller.clock import MonotonicClock
from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Delivery, LineSettings, Subscription
from mqtt.topics import Root, TopicKind

NEWEST = 5


def now_ms() -> float:
    """Read our own monotonic clock, as every program on this machine may."""
    return MonotonicClock().now().micros / 1000


class Reference:
    """What was said of clocks, and when it came."""

    def __init__(self) -> None:
        self.timers: dict[str, Any] = {}
        self.ahead: deque[float] = deque(maxlen=NEWEST)
        self._stirred = asyncio.Event()

    async def follow(self, line: BrokerLine) -> None:
        """Read for ever."""
        async for delivery in line.deliveries():
            self._take(delivery)
            self._stirred.set()

    def _take(self, delivery: Delivery) -> None:
        said = json.loads(delivery.payload)
        if "uptime_ms" in said:
            self.ahead.append(said["uptime_ms"] - now_ms())
        else:
            self.timers = said

    async def runs(self, seat: str, least_ms: float) -> None:
        """Wait until the clock of a seat runs and has so much left."""
        while not (self.ahead and self._face(seat) and self.left_ms(seat, now_ms()) > least_ms):
            self._stirred.clear()
            await self._stirred.wait()

    def left_ms(self, seat: str, at_ms: float) -> float:
        """Return what the clock of a seat shows at a moment of our clock."""
        face, node_ms = self._face(seat), at_ms + max(self.ahead)
        passed = node_ms - self.timers["as_of_ms"] if face["running"] else 0
        return float(max(0, face["remaining_ms"] - passed))

    def _face(self, seat: str) -> dict[str, Any]:
        return (self.timers.get("seats") or {}).get(seat) or {}


@asynccontextmanager
async def reference(settings: LineSettings, root: Root, table: str) -> AsyncIterator[Reference]:
    """Compute the clocks of a table as long as the context lasts."""
    seen = Reference()
    async with connect(settings) as line:
        await line.subscribe(
            *map(Subscription, (root.every(TopicKind.HEARTBEAT), root.timers(table)))
        )
        following = asyncio.create_task(seen.follow(line))
        yield seen
        following.cancel()
        await asyncio.wait([following])
