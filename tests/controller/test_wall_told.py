"""Where the wall is broken is told while a hand is dealt, from dice that are sensed or entered."""

from controller.table_core import broken_wall
from table.answers import Code, Refused
from table.commands import DrawHand, EnterDice, StartHand, VoidHand
from table.events import DiceRolled, WallRaised
from table.seat import Seat
from tests.controller.pure_table import Table, only
from timing.effects import WallBroken

UNKNOWN = WallBroken(None, None, None)
THIRD = WallBroken(Seat.THREE, None, None)
"""After 3 and 4: 7 is counted from the dealer as 1 (mcr-2014 art. 5, 赛前 5)."""
BROKEN = WallBroken(Seat.THREE, Seat.THREE, 13)
"""After 3 and 4, then 2 and 3: 12 stacks are passed over."""


def test_each_throw_says_more_of_where_the_wall_is_broken() -> None:
    table = Table()
    table.sees(0, WallRaised())
    assert only(table.sees(3, DiceRolled((3, 4))), WallBroken) == THIRD
    assert only(table.sees(6, DiceRolled((2, 3))), WallBroken) == BROKEN
    assert broken_wall(table.rules, table.state) == BROKEN


def test_dice_that_a_person_read_take_the_place_of_what_the_table_could_not_read() -> None:
    table = Table()
    table.sees(0, WallRaised())
    table.sees(3, DiceRolled(None))
    table.sees(6, DiceRolled((2, 3)))
    assert broken_wall(table.rules, table.state) == UNKNOWN
    assert only(table.order(9, EnterDice(1, (3, 4))), WallBroken) == BROKEN


def test_a_third_throw_is_refused_where_the_book_has_two() -> None:
    table = Table()
    table.sees(0, WallRaised())
    assert only(table.order(9, EnterDice(3, (3, 4))), Refused).code is Code.BAD_VALUE


def test_dice_thrown_before_the_hand_began_are_told_as_it_begins() -> None:
    table = Table()
    assert not any(isinstance(one, WallBroken) for one in table.sees(0, DiceRolled((3, 4))))
    table.sees(1, DiceRolled((2, 3)))
    assert only(table.order(2, StartHand()), WallBroken) == BROKEN


def test_between_hands_no_wall_is_broken() -> None:
    table = Table()
    table.order(0, StartHand())
    table.sees(1, DiceRolled((3, 4)))
    table.sees(2, DiceRolled((2, 3)))
    table.order(3, EnterDice(2, (2, 2)))
    effects = table.order(4, DrawHand())
    assert not any(isinstance(one, WallBroken) for one in effects)


def test_throws_end_with_their_hand_where_no_table_reports_a_raised_wall() -> None:
    table = Table()
    table.order(0, StartHand())
    table.sees(1, DiceRolled((1, 1)))
    table.sees(2, DiceRolled((1, 1)))
    table.order(4, VoidHand("a wall fell"))
    table.sees(5, DiceRolled((3, 3)))
    table.order(6, StartHand())
    broken = only(table.sees(7, DiceRolled((2, 3))), WallBroken)
    assert broken == WallBroken(Seat.TWO, Seat.TWO, 12)
