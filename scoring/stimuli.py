"""What the docket is told: fouls, hands that begin, and the orders of referees."""

from dataclasses import dataclass
from typing import TypeAlias

from table.alert_commands import EnterFoul
from table.commands import Ordered
from table.events import Restarted, Woken
from table.fouls import FoulSeen
from table.seat import BySeat


@dataclass(frozen=True, slots=True)
class Charged:
    """A foul was seen."""

    foul: FoulSeen
    player: str
    """Who sat at its seat."""
    players: BySeat[str]
    """Who sat where."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A referee saw a foul and wrote it down."""

    command: EnterFoul
    person: str
    hand: str
    """The hand that is played, or was played last; empty where none was."""
    player: str
    """Who sits at the seat."""
    players: BySeat[str]
    """Who sits where."""


@dataclass(frozen=True, slots=True)
class HandBegan:
    """The next hand is under way: fouls of play that nobody took are past."""

    hand: str


DocketStimulus: TypeAlias = Charged | Entered | HandBegan | Ordered | Restarted | Woken
