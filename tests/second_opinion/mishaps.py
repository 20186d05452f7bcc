"""Presses that were forgotten, made twice or told late, and draws at the wrong time."""

from table import events
from table.events import Call
from table.seat import Seat
from tests.second_opinion.acts import draw, finish, holder, newest, press, turn
from tests.second_opinion.calls import others
from tests.second_opinion.hands import GAP, Play
from tests.second_opinion.limits import BEFORE
from tests.second_opinion.spans import MILLISECOND, SECOND
from tests.second_opinion.turns import OF_THREE


def missed_press(play: Play) -> None:
    """The seat on turn forgets to press, and another one presses; its tile may have to go back."""
    draw(play, 0.4)
    seat, after = holder(play), play.rng.choice((1, 1, 1, 2, 3))
    play.wait(SECOND, 25 * SECOND)
    press(play, seat.after(after))
    if play.draws and play.rng.random() < 0.3:
        play.wait(GAP, 2 * SECOND)
        play.see(events.TileDrawn(seat), play.shape())


def shown_by_a_claim(play: Play) -> None:
    """The seat on turn forgets to press; a chow shows its discard, and the press may follow."""
    late, seat = play.rng.random() < 0.5, holder(play)
    play.wait((play.book.window or 0) + SECOND, 9 * SECOND)
    play.claim(seat.lower, Call.CHOW, play.shape())
    if late:
        play.wait(GAP, play.rng.choice((3, 9)) * SECOND)
        press(play, seat)
    finish(play)


def bounce(play: Play) -> None:
    """Press twice, the second time about when it would be another discard; others may press too."""
    pool, shape = newest(play), play.shape()
    if play.rng.random() < 0.3:
        play.wait(GAP, SECOND)
        press(play, holder(play))
    if play.rng.random() < 0.5:
        play.wait(GAP, play.book.repeat - SECOND)
    else:
        play.wait_until(pool.when, play.book.repeat, shape)
    play.press(pool.seat, shape)
    turn(play)


def replayed(play: Play) -> None:
    """Something comes late and marked so."""
    if play.book.total is not None:
        return
    shape, seat = play.shape(), holder(play)
    play.think(shape)
    how = play.rng.randrange(3)
    if how == 0:
        play.press(seat, shape, replayed=True)
    elif how == 1:
        kind = play.rng.choice(OF_THREE)
        play.claim(play.rng.choice(others(play)), kind, shape, replayed=True)
        finish(play)
    else:
        play.see(events.TileDrawn(seat), shape, replayed=True)
        finish(play)


def outage(play: Play) -> None:
    """The wire is cut; what happened meanwhile comes late, and the next press tells the turn."""
    rng = play.rng
    play.wait(SECOND, 5 * SECOND)
    play.tell(events.LinkDown("cut"))
    play.wait(SECOND, 20 * SECOND)
    play.tell(events.LinkUp(holds=play.holds, draws=play.draws))
    for _ in range(rng.choice((0, 1, 2))):
        play.wait(GAP, SECOND)
        play.press(rng.choice(tuple(Seat)), play.shape(), replayed=True)
    play.wait(SECOND, 20 * SECOND)
    press(play, rng.choice(tuple(Seat)))


def early_draw(play: Play) -> None:
    """The next in order draws, and then the seat on turn discards; it may claim in between."""
    draw(play, 0.9)
    seat, shape, other = holder(play), play.shape(), play.shape()
    play.think(shape)
    if play.draws:
        play.see(events.TileDrawn(seat.lower), other)
        play.now += play.rng.choice((0, 1, MILLISECOND, MILLISECOND + 1, 27_301, 700_000))
        if play.rng.random() < 0.1:
            play.claim(seat, play.rng.choice((*OF_THREE, Call.FLOWER, None)), play.shape())
    play.press(seat, shape)


def discard_before_draw(play: Play) -> None:
    """The seat on turn discards first and then draws."""
    if not play.draws or BEFORE not in play.book.sensed:
        turn(play)
        return
    shape, seat = play.shape(), holder(play)
    play.think(shape)
    when = play.see(events.DiscardPressed(seat), shape)
    later = play.rng.choice((0, 1, MILLISECOND, MILLISECOND + 1, 27_301, 60_000))
    play.now += later
    play.see(events.TileDrawn(seat), play.shape())
    play.release(seat, when)
    turn(play)
