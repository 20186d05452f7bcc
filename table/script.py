"""The written hand: one happening per line, the same for rehearsal, demonstration and tests.

Layout of a line: `SECONDS [±MS] who what …`; a word that begins with `#` begins a comment.
The whole grammar with examples stands in docs/rehearsal.md. What the lines mean once read are the
values of `table.happening`.
"""

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from difflib import get_close_matches
from itertools import takewhile
from typing import NoReturn

from table import commands
from table.errors import ScriptError
from table.events import (
    Call,
    CycleStarted,
    DealEnded,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    TileDrawn,
    WallRaised,
    WallReady,
)
from table.happening import (
    HOLD,
    BoxReboot,
    Happening,
    Input,
    RefereeOrders,
    RefereeRules,
    RulingVerb,
    ScriptLine,
    SeatHold,
    SeatTap,
    Sensed,
    SensedEvent,
    WireCut,
)
from table.moment import ZERO
from table.sanctions import WARNING, Sanction, points
from table.seat import Seat


def read_script(text: str) -> tuple[ScriptLine, ...]:
    """Read a written hand.

    Raises:
        ScriptError: names the first line that cannot be played, the word, and what is allowed.
    """
    script: list[ScriptLine] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        words = _Words(number, _without_comment(line))
        if words.left:
            script.append(_after(script, _line(words)))
    if not script:
        _Words(1, []).fail("nothing happens in this script; write at least one happening")
    return tuple(script)


def duration(script: Iterable[ScriptLine]) -> timedelta:
    """Return the time from the start of a script until its last input is let go."""
    return max((line.done for line in script), default=ZERO)


class _Words:
    """The words of one line, taken from the left; every mistake names line, word and cure."""

    def __init__(self, number: int, words: list[str]) -> None:
        self.number = number
        self.left = words

    def fail(self, sentence: str) -> NoReturn:
        message = f"line {self.number}: {sentence}"
        raise ScriptError(message)

    def take(self, wanted: str) -> str:
        if not self.left:
            self.fail(f"ends where {wanted} should stand")
        return self.left.pop(0)

    def choose(self, wanted: str, allowed: Iterable[str]) -> str:
        choices = list(allowed)
        listed = ", ".join(choices)
        word = self.take(f"{wanted} ({listed})")
        if word not in choices:
            near = get_close_matches(word, choices, n=1)
            hint = f"; nearest: {near[0]}" if near else ""
            self.fail(f"'{word}' is not {wanted}; allowed: {listed}{hint}")
        return word

    def whole(self, wanted: str, span: range) -> int:
        word = self.take(wanted)
        if re.fullmatch("[0-9]{1,4}", word) is None or int(word) not in span:
            self.fail(f"'{word}' is not {wanted}; allowed: {span.start} to {span[-1]}")
        return int(word)

    def seconds(self, wanted: str) -> timedelta:
        word = self.take(wanted)
        found = re.fullmatch(r"([0-9]{1,6})(?:\.([0-9]{1,6}))?", word)
        if found is None:
            self.fail(f"'{word}' is not {wanted}; allowed: seconds with up to 6 decimals (12.345)")
        return timedelta(seconds=int(found[1]), microseconds=int((found[2] or "").ljust(6, "0")))

    def sentence(self, wanted: str) -> str:
        """Take all words that are left as one text, at least one."""
        words = [self.take(wanted), *self.left]
        self.left = []
        return " ".join(words)

    def end(self) -> None:
        if self.left:
            self.fail(f"'{self.left[0]}' is one word too many; the line should end before it")


def _without_comment(line: str) -> list[str]:
    return re.sub(r"(^|\s)#.*", "", line).split()


def _after(script: list[ScriptLine], line: ScriptLine) -> ScriptLine:
    """Let a line follow the others: not back in time, and no input pressed that is still down."""
    words = _Words(line.number, [])
    if script and line.at < script[-1].at:
        words.fail(
            f"'{_seconds(line.at)}' lies before line {script[-1].number};"
            f" allowed: {_seconds(script[-1].at)} or later"
        )
    pressed = line.pressed
    for other in takewhile(lambda other: other.at + HOLD >= line.at, reversed(script)):
        if pressed and pressed == other.pressed and line.at <= other.done:
            words.fail(
                f"seat {pressed[0]} still has '{pressed[1]}' down from line {other.number};"
                f" allowed: later than {_seconds(other.done)}"
            )
    return line


def _seconds(span: timedelta) -> str:
    return f"{span // timedelta(seconds=1)}.{span.microseconds:06}"


def _line(words: _Words) -> ScriptLine:
    at = words.seconds("the time of the happening")
    doubt = _doubt(words)
    who = words.choose("who acts", _WHO)
    happening = _WHO[who](words)
    words.end()
    return ScriptLine(words.number, at, doubt, happening)


def _doubt(words: _Words) -> timedelta:
    if not words.left or not words.left[0].startswith(("±", "+-")):
        return ZERO
    word = words.take("the doubt")
    found = re.fullmatch(r"(?:±|\+-)([0-9]{1,5})(?:\.([0-9]{1,3}))?(?:ms)?", word)
    if found is None:
        words.fail(f"'{word}' is not a doubt; allowed: milliseconds (±5, or ±0.5)")
    return timedelta(milliseconds=int(found[1]), microseconds=int((found[2] or "").ljust(3, "0")))


def _seat(words: _Words) -> Happening:
    seat = Seat(words.whole("a seat", range(1, 5)))
    match words.choose("what a seat does", ("discard", "claim", "hold", "draw")):
        case "draw":
            return Sensed(TileDrawn(seat))
        case "hold":
            return SeatHold(seat, Input(words.choose("an input", Input)))
        case "claim" if words.left:
            return SeatTap(seat, Input.CLAIM, Call(words.choose("a call", Call)))
        case button:
            return SeatTap(seat, Input(button))


_SENSED: dict[str, SensedEvent] = {
    "deal-ended": DealEnded(),
    "cycle": CycleStarted(),
    "wall-ready": WallReady(),
    "raised": WallRaised(),
}


def _table(words: _Words) -> Happening:
    others = ("dice", "fault", "clear", "cut", "reboot")
    match words.choose("what a table does", (*_SENSED, *others)):
        case "dice":
            die = range(1, 7)
            values = (words.whole("a die", die), words.whole("a die", die)) if words.left else None
            return Sensed(DiceRolled(values))
        case "fault":
            return Sensed(FaultRaised(Fault(words.choose("a fault", Fault))))
        case "clear":
            return Sensed(FaultCleared(Fault(words.choose("a fault", Fault))))
        case "cut":
            return WireCut(words.seconds("how long the wire is cut"))
        case "reboot":
            return BoxReboot()
        case word:
            return Sensed(_SENSED[word])


_ORDERS: dict[str, commands.HandCommand] = {
    "start-hand": commands.StartHand(),
    "end-deal": commands.EndDeal(),
    "resume": commands.Resume(),
    "confirm-hu": commands.ConfirmHu(),
    "withdraw-hu": commands.WithdrawHu(),
    "draw-hand": commands.DrawHand(),
}


def _referee(words: _Words) -> Happening:
    match words.choose("what a referee says", (*_ORDERS, "pause", "void-hand", *RulingVerb)):
        case "pause":
            return RefereeOrders(commands.Pause(words.sentence("a reason") if words.left else ""))
        case "void-hand":
            return RefereeOrders(commands.VoidHand(words.sentence("the reason")))
        case word if word in _ORDERS:
            return RefereeOrders(_ORDERS[word])
        case word:
            return _ruling(words, RulingVerb(word))


def _ruling(words: _Words, verb: RulingVerb) -> RefereeRules:
    named = words.take("the alert (last, or its id)")
    alert = None if named == "last" else named
    match verb:
        case RulingVerb.ACKNOWLEDGE | RulingVerb.CONFIRM:
            return RefereeRules(verb, alert)
        case RulingVerb.MODIFY:
            sanction = _sanction(words)
            return RefereeRules(verb, alert, sanction, words.sentence("the reason"))
        case _:
            return RefereeRules(verb, alert, reason=words.sentence("the reason"))


def _sanction(words: _Words) -> Sanction:
    if words.left and words.left[0] == str(WARNING):
        words.take("the sanction")
        return WARNING
    return points(words.whole("a number of points, or warning", range(1, 1000)))


_WHO: dict[str, Callable[[_Words], Happening]] = {
    "seat": _seat,
    "table": _table,
    "referee": _referee,
}
