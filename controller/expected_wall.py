"""Expectations of the broken wall and the deal."""

from collections.abc import Callable

from controller.sight import Check, Sight, same, seat_of, who
from controller.table_core import broken_wall
from table.script_words import Words
from table.seat import Seat
from timing.effects import WallBroken
from timing.wall import TilePlace, dead_wall, deal

_UNKNOWN = "unknown"


def expected_thrower(words: Words) -> Check:
    """Read `seat N`, or `unknown`: who throws second.

    Raises:
        ScriptError: a word is none that may stand there.
    """
    wanted = None if words.takes(_UNKNOWN) else seat_of(words)
    return same(wanted, lambda sight: _broken(sight).thrower, lambda found: f"it is {who(found)}")


def expected_wall(words: Words) -> Check:
    """Read `seat N stack M`, or `unknown`: the first stack that is taken.

    Raises:
        ScriptError: a word is none that may stand there.
    """
    wanted = _UNKNOWN if words.takes(_UNKNOWN) else _first(seat_of(words), _stack(words))
    return same(wanted, _first_of, "it is {}".format)


def _first_of(sight: Sight) -> str:
    broken = _broken(sight)
    return _UNKNOWN if broken.wall is None else _first(broken.wall, broken.stack)


def _first(wall: Seat, stack: int | None) -> str:
    return f"{who(wall)} stack {stack}"


def expected_dealt(words: Words) -> Check:
    """Read `seat N tile K at seat W stack M upper`: which tile a seat takes as its so manieth.

    Raises:
        ScriptError: a word is none that may stand there.
    """
    seat = seat_of(words)
    words.choose("which tile", ("tile",))
    number = words.whole("a tile", range(1, 15))

    def find(sight: Sight) -> TilePlace | None:
        dealt = deal(sight.rules.wall, sight.state.hand.dealer, _broken(sight))[seat]
        return dealt[number - 1] if number <= len(dealt) else None

    return _place(words, find)


def expected_dead(words: Words) -> Check:
    """Read `none`, or `at seat W stack M upper`: the first tile that is never drawn.

    Raises:
        ScriptError: a word is none that may stand there.
    """

    def find(sight: Sight) -> TilePlace | None:
        return next(iter(dead_wall(sight.rules.wall, _broken(sight))), None)

    return _place(words, find)


def _place(words: Words, find: Callable[[Sight], TilePlace | None]) -> Check:
    wanted = None
    if not words.takes("none"):
        words.choose("where it lies", ("at",))
        wall, stack = seat_of(words), _stack(words)
        wanted = TilePlace(wall, stack, words.choose("which tile", ("upper", "lower")) == "upper")

    def found(sight: Sight) -> str | None:
        if _broken(sight).wall is None:
            return "nobody knows where the wall is broken"
        return same(wanted, find, "it is {}".format)(sight)

    return found


def _broken(sight: Sight) -> WallBroken:
    return broken_wall(sight.rules, sight.state)


def _stack(words: Words) -> int:
    words.choose("which stack", ("stack",))
    return words.whole("a stack", range(1, 20))
