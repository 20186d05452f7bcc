"""What the seat on turn does, and how it knows that it is."""

from datetime import timedelta

from table import commands as orders
from table import events
from table.events import Call
from table.seat import Seat
from tests.second_opinion.clocks import Clock, Discard
from tests.second_opinion.hands import GAP, Play
from tests.second_opinion.spans import SECOND


def holder(play: Play) -> Seat:
    found = play.so_far()
    return found.running.seat if found.running else Seat.ONE


def running(play: Play) -> Clock:
    clock = play.so_far().running
    assert clock
    return clock


def newest(play: Play) -> Discard:
    found = play.so_far().newest
    assert found
    return found


def press(play: Play, seat: Seat) -> None:
    play.press(seat, play.shape())


def draw(play: Play, chance: float = 0.85) -> None:
    if play.draws and play.rng.random() < chance:
        play.wait(GAP, 4 * SECOND)
        play.see(events.TileDrawn(holder(play)), play.shape())


def discard(play: Play) -> None:
    shape = play.shape()
    play.think(shape)
    play.press(holder(play), shape)


def turn(play: Play) -> None:
    """Draw, perhaps replace tiles, and discard."""
    draw(play)
    finish(play)


def finish(play: Play, *, paused: bool = False) -> None:
    rng = play.rng
    if rng.random() < 0.15:
        replacements(play, paused=paused)
    if rng.random() < 0.03:
        give(play)
    discard(play)


def replacements(play: Play, *, paused: bool = False) -> None:
    """Replace tiles; after a pause the input says for what, as it may call no older discard."""
    clock = running(play)
    for _ in range(play.rng.choice((1, 1, 1, 2))):
        shape = play.shape()
        play.think(shape)
        if play.now - newest(play).when.last < (play.book.window or 0) + SECOND:
            play.now = newest(play).when.last + (play.book.window or 0) + SECOND
        kinds: list[Call | None] = [
            Call.KONG,
            *([Call.FLOWER] if play.book.opening_flowers else []),
        ]
        if not paused:
            kinds.append(None)
        play.claim(clock.seat, play.rng.choice(kinds), shape)
        if play.draws and play.rng.random() < 0.6:
            play.wait(GAP, 2 * SECOND)
            play.see(events.TileDrawn(clock.seat), play.shape())


def give(play: Play) -> None:
    if play.so_far().running:
        play.wait(GAP, 3 * SECOND)
        play.order(orders.GiveTime(timedelta(seconds=play.rng.choice((1, 10))), "tiles fell"))
