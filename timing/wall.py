"""Where the wall is broken, who is dealt which tiles of it, and which of them stay.

A wall is counted from the right-hand end of the player it stands in front of and taken clockwise,
so that it runs on into the wall of the upper seat (wsom-2010 开门 §§3 to 5).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from table.seat import BySeat, Seat
from timing.effects import WallBroken
from timing.rules import TakenFrom, WallNamedBy, WallRules

Throw: TypeAlias = tuple[int, int]
"""What two dice show, each 1 to 6."""
_THROWS = {WallNamedBy.SECOND_THROWER: 2, WallNamedBy.ONE_THROW: 1}
_ROUNDS, _AT_ONCE = 3, 4
"""Three times four tiles each, before the last ones (mcr-2014 art. 5, 赛前 5)."""
_DEALT = (_ROUNDS * _AT_ONCE + 1) * len(Seat) + 1


@dataclass(frozen=True, slots=True)
class TilePlace:
    """One tile of the wall before anything is taken."""

    wall: Seat
    """In front of whom it lies."""
    stack: int
    """Counted from the right-hand end, from 1."""
    upper: bool


def throws_needed(rules: WallRules) -> int:
    """Return how many throws of two dice the rule set has."""
    return _THROWS[rules.named_by]


def wall_break(rules: WallRules, dealer: Seat, throws: tuple[Throw | None, ...]) -> WallBroken:
    """Return who throws next and where the wall is broken, as far as the throws say.

    None is a throw that nobody read. With more throws than the rule set has, nobody knows which of
    them count, and nothing is known.
    """
    needed = throws_needed(rules)
    if len(throws) > needed:
        return WallBroken(None, None, None)
    sums = [sum(throw) for throw in throws if throw]
    named = _counted(dealer, sum(throws[0])) if throws and throws[0] else None
    thrower = None if rules.named_by is WallNamedBy.ONE_THROW else named
    if named is None or len(sums) < needed:
        return WallBroken(thrower, None, None)
    first = sum(sums) - (rules.taken_from is TakenFrom.AT)
    place = _along(rules, named, first * 2)
    return WallBroken(thrower, place.wall, place.stack)


def deal(rules: WallRules, dealer: Seat, broken: WallBroken) -> BySeat[tuple[TilePlace, ...]]:
    """Return the tiles each seat is dealt, in the order in which it takes them.

    Three times four tiles each in order of play from the dealer; then the dealer the upper tile of
    the next stack and of the third, and the others one tile each of what lies before it.

    Raises:
        ValueError: it is not known where the wall is broken.
    """
    tiles = [*_tiles(rules, broken, range(_DEALT))]
    dealt: dict[Seat, list[TilePlace]] = {seat: [] for seat in Seat}
    for turn in range(_ROUNDS * len(Seat)):
        dealt[dealer.after(turn)] += tiles[turn * _AT_ONCE :][:_AT_ONCE]
    for turn, tile in enumerate(tiles[-len(Seat) - 1 :]):
        dealt[dealer.after(turn)].append(tile)
    return BySeat.of(lambda seat: tuple(dealt[seat]))


def dead_wall(rules: WallRules, broken: WallBroken) -> tuple[TilePlace, ...]:
    """Return the tiles at the tail that are never drawn, in the order of the wall.

    They are those before any replacement was taken from the tail.

    Raises:
        ValueError: it is not known where the wall is broken.
    """
    whole = _whole(rules)
    return tuple(_tiles(rules, broken, range(whole - rules.dead_tiles, whole)))


def _counted(thrower: Seat, dice: int) -> Seat:
    """Count a sum to a seat, the thrower as 1, in order of play (wsom-2010 数骰位)."""
    return thrower.after(dice - 1)


def _whole(rules: WallRules) -> int:
    return rules.stacks * 2 * len(Seat)


def _tiles(rules: WallRules, broken: WallBroken, numbers: range) -> Iterator[TilePlace]:
    """Find tiles by their number in the order of taking, from 0."""
    if broken.wall is None or broken.stack is None:
        message = "nobody knows where the wall is broken"
        raise ValueError(message)
    before = (broken.stack - 1) * 2
    return (_along(rules, broken.wall, before + number) for number in numbers)


def _along(rules: WallRules, wall: Seat, tiles: int) -> TilePlace:
    """Return the place so many tiles after the right-hand end of a wall."""
    walls, rest = divmod(tiles, rules.stacks * 2)
    return TilePlace(wall.after(-walls), rest // 2 + 1, rest % 2 == 0)
