"""What the publisher needs of the place where outgoing events wait; pure."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class OutgoingEvent:
    """An event that waits for the broker."""

    position: int
    """Place in the outbox; grows, never used twice."""
    table: str
    kind: str
    payload: bytes
    """The whole JSON message."""


class Outbox(Protocol):
    """Events in the order in which they became durable, kept until the broker has them."""

    @property
    def filled(self) -> asyncio.Event:
        """Set by the outbox after events were added; cleared by the publisher before it looks."""

    @property
    def depth(self) -> int:
        """How many events wait."""

    async def next_batch(self, after: int, limit: int) -> Sequence[OutgoingEvent]:
        """Return at most `limit` events beyond a position, in order; 0 is before the first.

        Raises:
            JournalError: they cannot be read now.
        """

    async def acknowledge(self, positions: Sequence[int]) -> None:
        """Forget events which the broker has."""
