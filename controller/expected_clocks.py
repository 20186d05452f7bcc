"""Expectations of what the clocks of a table show."""

from collections.abc import Callable

from controller.sight import Check, Sight, seat_of
from controller.wording import seconds
from table.moment import MICROSECOND
from table.script_words import Words
from timing.display import ClockFace, Display, clocks


def expected_clock(words: Words) -> Check:
    """Read `seat N SECONDS`, `seat N SECONDS waits` or `seat N none`: what is left of the turn.

    Raises:
        ScriptError: a word is none that may stand there.
    """
    seat = seat_of(words)
    return _face(words, lambda display: display.seats[seat])


def expected_total(words: Words) -> Check:
    """Read the same of what a seat has left of the total of the hand.

    Raises:
        ScriptError: a word is none that may stand there.
    """
    seat = seat_of(words)
    return _face(words, lambda display: display.totals[seat])


def expected_window(words: Words) -> Check:
    """Read `SECONDS`, or `none` where nobody may call pung or kong any more.

    Raises:
        ScriptError: a word is none that may stand there.
    """
    return _face(words, lambda display: display.window)


def _face(words: Words, find: Callable[[Display], ClockFace | None]) -> Check:
    shown = None if words.takes("none") else words.seconds("what is left, or none") // MICROSECOND
    runs = shown is not None and not words.takes("waits")

    def check(sight: Sight) -> str | None:
        face = find(clocks(sight.rules.time, sight.state.hand, sight.now))
        if face is None:
            return None if shown is None else "there is no clock"
        left = face.remaining // MICROSECOND
        met = left == shown and face.running is runs
        return None if met else f"it {'runs' if face.running else 'waits'} at {seconds(left)} s"

    return check
