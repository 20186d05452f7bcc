"""What a turn adds to what each seat has used of its hand."""

from collections.abc import Iterator

from table.seat import Seat
from tests.second_opinion.clocks import Stretch
from tests.second_opinion.spans import Span, passed
from tests.second_opinion.story import Said
from tests.second_opinion.turns import Turn


def used_in(turn: Turn, ended: Said | None) -> Iterator[tuple[Seat, Span]]:
    """Add up a turn as far as its seat has finished it; None ends it for nobody.

    A pause or a hu breaks a turn into stretches; they count once the seat discards, replaces a
    tile, or the hand is over. Who loses the turn to a claim has used nothing.
    """
    broken: list[Stretch] = []
    for stretch in turn.stretches():
        seat = stretch.clock.seat
        broken = [*(one for one in broken if one.clock.seat is seat), stretch]
        if stretch.ended.role == "replacement":
            yield from _counted(turn, broken)
            broken = []
    if ended and (ended.word != "discard" or ended.seat is turn.holder):
        clock = turn.running()
        last = [Stretch(clock, ended)] if clock else []
        yield from _counted(turn, [one for one in broken if one.clock.seat is turn.holder] + last)


def _counted(turn: Turn, stretches: list[Stretch]) -> Iterator[tuple[Seat, Span]]:
    """Count stretches; who has not been seen to draw may not have begun to think."""
    for stretch in stretches:
        clock, ended = stretch.clock, stretch.ended
        undrawn = clock.waits and turn.draws and ended.word not in ("discard", "claim")
        if clock.counts and not undrawn:
            yield clock.seat, _span(turn, stretch)


def _span(turn: Turn, stretch: Stretch) -> Span:
    """Where no seat said that the hand is over, the last turn may not have begun."""
    clock, ended = stretch.clock, stretch.ended
    if ended.word == "end" and not turn.declared:
        return Span(0, max(ended.when.last - clock.start.first, 0))
    return passed(clock.start, ended.when)
