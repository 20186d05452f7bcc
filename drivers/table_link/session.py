"""What is known of one boot of a box."""

from dataclasses import dataclass
from typing import Self

from drivers.table_link.counts import Counts
from drivers.table_link.frames import Frame, is_from
from drivers.table_link.intake import Intake
from drivers.table_link.messages import Hello
from drivers.table_link.syncs import Syncs


@dataclass(slots=True)
class Session:
    """The conversation with one boot."""

    hello: Hello
    syncs: Syncs
    intake: Intake
    state_following: int
    """The first event the newest STATE does not contain."""
    playing: bool = False
    """Whether its events were asked for."""
    unsure: bool = False
    """Whether events were lost that the next STATE makes up for."""

    @classmethod
    def begin(cls, frame: Frame, hello: Hello, counts: Counts) -> Self:
        """Begin with the HELLO of a boot, and the frame that carried it."""
        return cls(hello, Syncs(hello, frame), Intake(hello, counts), hello.following)

    def is_news(self, seq: int) -> bool:
        """Say whether an event is younger than the newest STATE, which contains the others."""
        return is_from(self.state_following, seq)
