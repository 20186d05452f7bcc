"""Models of what the one node that keeps the venue tells of all its nodes' tables.

Readers ignore fields they do not know: minor versions only add.
"""

from pydantic import Field

from mqtt.parts import Payload, Utc
from table.seat import Seat


class RosterTable(Payload):
    """One table of the venue."""

    table: str
    name: str
    node: str
    """Where its cable ends."""
    zone: str = ""
    """The part of the hall it stands in; empty where the venue has no zones."""
    ruleset: str
    players: dict[Seat, str] = Field(default={})


class VenueRoster(Payload):
    """Which tables the venue has, and who plays at them; `roster` of `state/venue`."""

    node: str
    """The node that keeps the venue."""
    time: Utc
    tables: tuple[RosterTable, ...] = ()
    """Of all nodes, online or not, in the order of their ids."""
    zones: dict[str, tuple[str, ...]] = Field(default={})
    """The tables of each part of the hall."""


class Standing(Payload):
    """What rulings cost one player, or brought."""

    player: str
    points: int
    """Received less paid, over all tables."""
    tables: tuple[str, ...]
    """The tables whose ledgers name the player."""


class VenueStandings(Payload):
    """Penalty points of every player a ruling names; `standings` of `state/venue`."""

    node: str
    """The node that keeps the venue."""
    time: Utc
    players: tuple[Standing, ...] = ()
    """Most points first; equal ones in the order of their ids."""
