"""Orders that reach no table: told in the log and the journal, in bounds."""

import logging
from dataclasses import dataclass
from datetime import timedelta

from controller.journal import Origin
from controller.node import Node
from controller.node_record import NodeRecord, OrderRejected
from mqtt.inbox import Rejection
from table.moment import Moment

logger = logging.getLogger(__name__)

BETWEEN_COUNTS = timedelta(seconds=1)
"""At most so often is it written down what the rate limit stops of one login."""


@dataclass(slots=True)
class _Flood:
    """What the rate limit stopped of one login since the last record of it."""

    newest: Rejection
    since: Moment
    orders: int = 0


class Rejections:
    """Keeps what was rejected, with who sent it and why.

    Args:
        node: its clock.
        record: its own part of the journal.
    """

    def __init__(self, node: Node, record: NodeRecord) -> None:
        self._clock = node.clock
        self._record = record
        self._floods: dict[str, _Flood] = {}
        self.count = 0
        """How many orders were rejected since the start."""

    def keep(self, rejection: Rejection, orders: int = 1) -> None:
        """Write one rejection down, or several of a kind as the newest of them."""
        self.count += orders
        logger.warning(
            "order of %s on %s rejected (%s): %s",
            rejection.login,
            rejection.topic,
            rejection.code,
            rejection.reason,
        )
        origin = Origin(rejection.login, rejection.person, rejection.id)
        told = OrderRejected(str(rejection.code), rejection.reason, orders)
        self._record.write(origin, rejection.topic, told)

    def add(self, rejection: Rejection) -> None:
        """Count what the rate limit stopped: of each login one record a second at most."""
        self.settle()
        flood = self._floods.get(rejection.login)
        if flood is None:
            self._floods[rejection.login] = _Flood(rejection, self._clock.now())
            self.keep(rejection)
        else:
            flood.newest = rejection
            flood.orders += 1

    def settle(self) -> None:
        """Write what was counted and is due; to be called now and then."""
        now = self._clock.now()
        for login, flood in list(self._floods.items()):
            if now - flood.since < BETWEEN_COUNTS:
                continue
            del self._floods[login]
            if flood.orders:
                self._floods[login] = _Flood(flood.newest, now)
                self.keep(flood.newest, flood.orders)
