"""Calls of the newest discard; each move ends with somebody's discard."""

from table.events import Call
from table.seat import Seat
from tests.second_opinion.acts import draw, finish, holder, newest, press
from tests.second_opinion.hands import GAP, Play
from tests.second_opinion.spans import MILLISECOND, SECOND
from tests.second_opinion.turns import OF_THREE

OPEN_CALL = (Call.PUNG, Call.PUNG, Call.KONG, None)


def call(play: Play, seat: Seat, kind: Call | None) -> None:
    """Claim about when the window closes, or at any time where it never does."""
    shape, pool = play.shape(), newest(play)
    window = play.book.window
    if window is None or play.rng.random() < 0.4:
        play.wait(GAP, window or 6 * SECOND)
    else:
        play.wait_until(pool.when, window + (play.book.reach or 0), shape)
    play.claim(seat, kind, shape)


def others(play: Play) -> list[Seat]:
    """Return the two who are not next."""
    pool = newest(play)
    return [pool.seat.opposite, pool.seat.upper]


def pung(play: Play) -> None:
    """Call pung or kong about the end of the window; then whoever is on turn plays on."""
    caller, kind = play.rng.choice(others(play)), play.rng.choice(OPEN_CALL)
    call(play, caller, kind)
    if kind is None and play.rng.random() < 0.4:
        play.wait(GAP, 5 * SECOND)
        press(play, caller)
        return
    if kind is Call.KONG and holder(play) is caller:
        draw(play)
    finish(play)


def chow(play: Play) -> None:
    """Call as the next in order, which is no pung for sure."""
    caller = newest(play).seat.lower
    call(play, caller, play.rng.choice((Call.CHOW, Call.CHOW, None, Call.PUNG)))
    if play.rng.random() < 0.3:
        call(play, play.rng.choice(others(play)), play.rng.choice(OF_THREE))
    finish(play)


def calls_together(play: Play) -> None:
    """Two call at one moment, or nearly; either may be told first.

    What an untyped one after the window means depends on the other, so those come in time.
    """
    rng = play.rng
    first, second = rng.sample([newest(play).seat.lower, *others(play)], 2)
    kind = rng.choice((*OF_THREE, None))
    play.wait(300 * MILLISECOND, 2 * SECOND if kind else SECOND)
    for seat in (first, second):
        play.claim(seat, kind, play.shape())
        play.now -= GAP - rng.choice((0, 1, 700, 6_000, 25_000))
    play.now += GAP
    finish(play)


def empty_call(play: Play) -> None:
    """Call, and let the next in order play on."""
    pool = newest(play)
    play.wait(300 * MILLISECOND, 2 * SECOND)
    play.claim(play.rng.choice(others(play)), play.rng.choice(OPEN_CALL), play.shape())
    play.wait(SECOND, 8 * SECOND)
    press(play, pool.seat.lower)
