"""What follows from orders about a hand and from rulings: values for record and world, in order."""

from dataclasses import dataclass
from datetime import timedelta

from table.restrictions import Restriction
from table.seat import BySeat, Seat


@dataclass(frozen=True, slots=True)
class PlayersSeated:
    """These players sit at the four seats from now on."""

    players: BySeat[str]


@dataclass(frozen=True, slots=True)
class SeatRestricted:
    """A ruling, or its reversal, changed what a seat may do."""

    seat: Seat
    restriction: Restriction


@dataclass(frozen=True, slots=True)
class StandInSeated:
    """Somebody else plays on at a seat whose player is out."""

    seat: Seat
    player: str
    """Who is out, and keeps the points."""
    stand_in: str


@dataclass(frozen=True, slots=True)
class TimeGiven:
    """Whoever is on turn has so much longer."""

    seat: Seat
    span: timedelta


@dataclass(frozen=True, slots=True)
class ExtraTimeGiven:
    """The table may play so much longer in this session."""

    span: timedelta
    total: timedelta


@dataclass(frozen=True, slots=True)
class TurnSet:
    """A referee said who is on turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Decreed:
    """A person's order about the hand was carried out."""

    order: str
    """The verb."""
    person: str
    reason: str


@dataclass(frozen=True, slots=True)
class CallAnswered:
    """Somebody answered the call of a seat for the referee."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayPaused:
    """All clocks of the table stand, on order."""

    reason: str


@dataclass(frozen=True, slots=True)
class PlayResumed:
    """Play goes on; after lost step, clocks run from the next discard press on."""
