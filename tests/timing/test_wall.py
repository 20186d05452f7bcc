"""The broken wall and the deal, against a wall that is walked tile by tile."""

from itertools import chain, product

import pytest

from table.seat import Seat
from tests.timing.books import JINGJI_WALL as JINGJI
from tests.timing.books import MCR_WALL as MCR
from tests.timing.books import WSOM_WALL as WSOM
from timing.effects import WallBroken
from timing.rules import TakenFrom, WallNamedBy, WallRules
from timing.wall import Throw, TilePlace, dead_wall, deal, wall_break

TWICE, ONCE = WallNamedBy.SECOND_THROWER, WallNamedBy.ONE_THROW
TWICE_AT = WallRules(16, TWICE, TakenFrom.AT, 6, "made-up §1")
ONCE_AFTER = WallRules(19, ONCE, TakenFrom.AFTER, 2, "made-up §2")
BOOKS = {"mcr": MCR, "jingji": JINGJI, "wsom": WSOM, "at": TWICE_AT, "after": ONCE_AFTER}
THROWS: list[Throw] = [(one, two) for one in range(1, 7) for two in range(1, 7)]
EVERY_BREAK = [
    (dealer, throws)
    for dealer in Seat
    for throws in chain(product(THROWS), product(THROWS, repeat=2))
]
COUNTED = {
    **dict.fromkeys((5, 9), "thrower"),
    **dict.fromkeys((2, 6, 10), "lower"),
    **dict.fromkeys((3, 7, 11), "opposite"),
    **dict.fromkeys((4, 8, 12), "upper"),
}
"""wsom-2010 数骰位, mcr-2014 art. 5 (赛前 5, 2)."""


def counted(thrower: Seat, dice: Throw) -> Seat:
    where = COUNTED[sum(dice)]
    seats = {"thrower": thrower, "lower": thrower.lower, "opposite": thrower.opposite}
    return seats.get(where, thrower.upper)


def ring(stacks: int, first: Seat) -> list[TilePlace]:
    """Lay out a whole wall clockwise, beginning at the right-hand end of one seat's wall."""
    walls = [first, first.upper, first.upper.upper, first.upper.upper.upper]
    return [
        TilePlace(wall, stack, upper)
        for wall in walls
        for stack in range(1, stacks + 1)
        for upper in (True, False)
    ]


def walked(rules: WallRules, dealer: Seat, throws: tuple[Throw, ...]) -> list[TilePlace]:
    """Return the wall in the order of taking, by pushing stacks aside one by one."""
    wall = ring(rules.stacks, counted(dealer, throws[0]))
    aside = sum(map(sum, throws)) - (1 if rules.taken_from is TakenFrom.AT else 0)
    for _ in range(aside):
        wall = [*wall[2:], *wall[:2]]
    return wall


def breaks(rules: WallRules) -> list[tuple[Seat, tuple[Throw, ...]]]:
    count = 1 if rules.named_by is ONCE else 2
    return [(dealer, throws) for dealer, throws in EVERY_BREAK if len(throws) == count]


@pytest.mark.parametrize("book", BOOKS)
def test_every_dealer_and_every_throw_breaks_the_wall_where_pushing_stacks_aside_does(
    book: str,
) -> None:
    rules = BOOKS[book]
    for dealer, throws in breaks(rules):
        broken = wall_break(rules, dealer, throws)
        first = walked(rules, dealer, throws)[0]
        assert (broken.wall, broken.stack) == (first.wall, first.stack)
        second_thrower = None if rules.named_by is ONCE else counted(dealer, throws[0])
        assert broken.thrower is second_thrower


def test_a_sum_names_a_seat_counted_from_the_thrower_as_one() -> None:
    for thrower, dice in product(Seat, THROWS):
        seat = thrower
        for _ in range(sum(dice) - 1):
            seat = seat.lower
        assert counted(thrower, dice) is seat


@pytest.mark.parametrize(
    ("rules", "throws", "thrower", "wall", "stack"),
    [
        # 3 + 4 names the seat across; 7 + 5 = 12 stacks aside, the 13th is the first taken.
        (MCR, ((3, 4), (2, 3)), Seat.THREE, Seat.THREE, 13),
        # 6 + 6 names the upper seat; 12 + 6 = 18 leaves nothing of that wall.
        (MCR, ((6, 6), (3, 3)), Seat.FOUR, Seat.THREE, 1),
        # 12 + 12 = 24: 18 of the one wall and 6 of the next.
        (MCR, ((6, 6), (6, 6)), Seat.FOUR, Seat.THREE, 7),
        # 开门 §4: the right-most stack of the upper seat's wall counts 18.
        (WSOM, ((6, 6), (3, 3)), Seat.FOUR, Seat.THREE, 2),
        (WSOM, ((2, 3), (6, 6)), Seat.ONE, Seat.FOUR, 1),
        # "7 = from the seventh stack of the opposite wall".
        (JINGJI, ((3, 4),), None, Seat.THREE, 7),
        (JINGJI, ((1, 1),), None, Seat.TWO, 2),
    ],
)
def test_the_wall_is_broken_where_the_book_says(
    rules: WallRules, throws: tuple[Throw, ...], thrower: Seat | None, wall: Seat, stack: int
) -> None:
    assert wall_break(rules, Seat.ONE, throws) == WallBroken(thrower, wall, stack)


@pytest.mark.parametrize(
    ("rules", "throws", "thrower"),
    [
        (MCR, (), None),
        (MCR, ((1, 1),), Seat.TWO),
        (MCR, ((1, 1), None), Seat.TWO),
        (MCR, (None, (1, 1)), None),
        (MCR, ((1, 1), (1, 1), (1, 1)), None),
        (JINGJI, (), None),
        (JINGJI, (None,), None),
        (JINGJI, ((1, 1), (1, 1)), None),
    ],
)
def test_what_the_throws_do_not_say_stays_unknown(
    rules: WallRules, throws: tuple[Throw | None, ...], thrower: Seat | None
) -> None:
    assert wall_break(rules, Seat.ONE, throws) == WallBroken(thrower, None, None)


def taken_by_hand(wall: list[TilePlace], dealer: Seat) -> dict[Seat, list[TilePlace]]:
    """Deal from a wall as the players do: two stacks each, three times, then the jump."""
    wall = list(wall)
    order = [dealer, dealer.lower, dealer.opposite, dealer.upper]
    hands: dict[Seat, list[TilePlace]] = {seat: [] for seat in Seat}
    for seat in order * 3:
        hands[seat] += [wall.pop(0) for _ in range(4)]
    first, south, west, north, jump = wall[:5]
    for seat, tile in zip(order, (first, south, west, north), strict=True):
        hands[seat].append(tile)
    hands[dealer].append(jump)
    return hands


@pytest.mark.parametrize("book", BOOKS)
def test_the_deal_is_that_of_players_who_take_from_the_walked_wall(book: str) -> None:
    rules = BOOKS[book]
    for dealer, throws in breaks(rules)[::7]:
        broken = wall_break(rules, dealer, throws)
        by_hand = taken_by_hand(walked(rules, dealer, throws), dealer)
        dealt = deal(rules, dealer, broken)
        assert {seat: list(dealt[seat]) for seat in Seat} == by_hand


def test_the_dealer_jumps_over_a_stack_and_has_fourteen_tiles() -> None:
    broken = WallBroken(Seat.THREE, Seat.THREE, 13)
    dealt = deal(MCR, Seat.ONE, broken)
    assert [len(tiles) for tiles in dealt] == [14, 13, 13, 13]
    # 24 stacks were taken from the 13th of seat 3: the next are the 1st to 3rd of seat 1.
    last = {
        seat: [(tile.wall, tile.stack, tile.upper) for tile in dealt[seat]][12:] for seat in Seat
    }
    assert last == {
        Seat.ONE: [(Seat.ONE, 1, True), (Seat.ONE, 3, True)],
        Seat.TWO: [(Seat.ONE, 1, False)],
        Seat.THREE: [(Seat.ONE, 2, True)],
        Seat.FOUR: [(Seat.ONE, 2, False)],
    }


def test_nobody_is_dealt_a_tile_twice_nor_one_of_the_dead_wall() -> None:
    for dealer, throws in breaks(WSOM)[::13]:
        broken = wall_break(WSOM, dealer, throws)
        taken = [*chain.from_iterable(deal(WSOM, dealer, broken)), *dead_wall(WSOM, broken)]
        assert len(taken) == len(set(taken)) == 53 + 14


def test_the_dead_wall_is_the_fourteen_tiles_before_the_break() -> None:
    for dealer, throws in breaks(WSOM):
        broken = wall_break(WSOM, dealer, throws)
        assert list(dead_wall(WSOM, broken)) == walked(WSOM, dealer, throws)[-14:]


def test_a_book_that_plays_to_the_last_tile_has_no_dead_wall() -> None:
    assert dead_wall(MCR, WallBroken(Seat.ONE, Seat.ONE, 5)) == ()


@pytest.mark.parametrize("broken", [WallBroken(None, None, None), WallBroken(Seat.TWO, None, None)])
def test_nothing_is_dealt_from_a_wall_whose_break_nobody_knows(broken: WallBroken) -> None:
    with pytest.raises(ValueError, match="nobody knows where the wall is broken"):
        deal(MCR, Seat.ONE, broken)
    with pytest.raises(ValueError, match="nobody knows where the wall is broken"):
        dead_wall(WSOM, broken)
