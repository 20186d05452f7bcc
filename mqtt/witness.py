"""Who else hears what is retained in the venue."""

from typing import Protocol

from mqtt.topics import Address


class Witness(Protocol):
    """Hears of some retained topics: what this node keeps at once, the rest from the broker."""

    @property
    def filters(self) -> tuple[str, ...]:
        """What it wants to hear of beside this node's own."""

    def starts_over(self) -> None:
        """Be told that a new connection begins, and that all the broker holds is heard again."""

    def heard(self, address: Address, payload: bytes) -> None:
        """Be told what a topic holds now; nothing where it was cleared."""

    def caught_up(self, *, remembers: bool) -> None:
        """Be told that everything the broker holds was heard; nothing of ours was said yet.

        Args:
            remembers: whether the broker still has something that an earlier connection told.
        """
