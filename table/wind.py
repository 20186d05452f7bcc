"""Winds, and who holds which in a hand."""

from enum import StrEnum

from table.seat import Seat


class Wind(StrEnum):
    """A wind in order of play; as a seat wind it is derived for each hand from the dealer."""

    EAST = "east"
    SOUTH = "south"
    WEST = "west"
    NORTH = "north"


WINDS = tuple(Wind)


def seat_wind(seat: Seat, dealer: Seat) -> Wind:
    """Return the wind a seat holds; the dealer is always East (庄家)."""
    return WINDS[dealer.steps_to(seat)]


def prevalent_wind(hand_number: int) -> Wind:
    """Return the wind of the round in which the numbered hand is played, counted from 1.

    Rule: a round is four hands in which each player deals once (mcr-2014 art. 4, 圈).
    """
    return WINDS[(hand_number - 1) // len(Seat) % len(WINDS)]
