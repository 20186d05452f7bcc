"""The written hand: one happening per line, the same for rehearsal, demonstration and tests.

Layout of a line: `SECONDS [±MS] who what …`; a word that begins with `#` begins a comment.
The first line may be `rules NAME`, and `SECONDS expect …` says what is to have come by then.
The whole grammar with examples stands in docs/rehearsal.md. What the lines mean once read are the
values of `table.happening`.
"""

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from itertools import takewhile

from table.abilities import LiftAt
from table.events import (
    Call,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DealEnded,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    LiftSensed,
    MachineStopped,
    TileDrawn,
    WallRaised,
    WallReady,
)
from table.happening import (
    HOLD,
    BoxReboot,
    Expectation,
    HandFile,
    Happening,
    Input,
    Official,
    ScriptLine,
    SeatHold,
    SeatTap,
    Sensed,
    SensedEvent,
    WireCut,
)
from table.moment import ZERO
from table.script_referee import referee_says
from table.script_words import Words


def read_script(text: str) -> tuple[ScriptLine, ...]:
    """Read what happens in a written hand.

    Raises:
        ScriptError: names the first line that cannot be played, the word, and what is allowed.
    """
    return read_hand_file(text).lines


def read_hand_file(text: str) -> HandFile:
    """Read a written hand with its book and what it expects.

    What an expectation says is read by whoever checks it (`controller.expectations`).

    Raises:
        ScriptError: names the first line that cannot be played, the word, and what is allowed.
    """
    lines = [*_lines(text)]
    ruleset = _ruleset(lines[0]) if lines and lines[0].left[0] == "rules" else None
    script: list[ScriptLine] = []
    expected: list[Expectation] = []
    for words in lines[ruleset is not None :]:
        read = _line(words)
        _not_before(read, (script[-1:] + expected[-1:]))
        if isinstance(read, Expectation):
            expected.append(read)
        else:
            script.append(_let_go(script, read))
    if not script:
        Words(1, []).fail("nothing happens in this script; write at least one happening")
    return HandFile(tuple(script), tuple(expected), ruleset)


def duration(script: Iterable[ScriptLine]) -> timedelta:
    """Return the time from the start of a script until its last input is let go."""
    return max((line.done for line in script), default=ZERO)


def _lines(text: str) -> Iterable[Words]:
    """Find the lines that say something, without their comments."""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if words := re.sub(r"(^|\s)#.*", "", line).split():
            yield Words(number, words)


def _ruleset(words: Words) -> str:
    words.take("rules")
    named = words.take("the name of a rule set")
    words.end()
    return named


def _not_before(line: ScriptLine | Expectation, last: list[ScriptLine | Expectation]) -> None:
    """Let a line follow the newest of each sort: not back in time."""
    for other in last:
        if line.at < other.at:
            Words(line.number, []).fail(
                f"'{_seconds(line.at)}' lies before line {other.number};"
                f" allowed: {_seconds(other.at)} or later"
            )


def _let_go(script: list[ScriptLine], line: ScriptLine) -> ScriptLine:
    """Let a line follow the others: no input pressed that is still down."""
    pressed = line.pressed
    for other in takewhile(lambda other: other.at + HOLD >= line.at, reversed(script)):
        if pressed and pressed == other.pressed and line.at <= other.done:
            Words(line.number, []).fail(
                f"seat {pressed[0]} still has '{pressed[1]}' down from line {other.number};"
                f" allowed: later than {_seconds(other.done)}"
            )
    return line


def _seconds(span: timedelta) -> str:
    return f"{span // timedelta(seconds=1)}.{span.microseconds:06}"


def _line(words: Words) -> ScriptLine | Expectation:
    at = words.seconds("the time of the happening")
    if words.takes("expect"):
        return Expectation(words.number, at, tuple(words.left))
    doubt = _doubt(words)
    who = words.choose("who acts", (*_WHO, "expect"))
    if who not in _WHO:
        words.fail("what is expected has no doubt; write the ± before what happens")
    happening = _WHO[who](words)
    words.end()
    return ScriptLine(words.number, at, doubt, happening)


def _doubt(words: Words) -> timedelta:
    if not words.left or not words.left[0].startswith(("±", "+-")):
        return ZERO
    word = words.take("the doubt")
    found = re.fullmatch(r"(?:±|\+-)([0-9]{1,5})(?:\.([0-9]{1,3}))?(?:ms)?", word)
    if found is None:
        words.fail(f"'{word}' is not a doubt; allowed: milliseconds (±5, or ±0.5)")
    return timedelta(milliseconds=int(found[1]), microseconds=int((found[2] or "").ljust(3, "0")))


def _seat(words: Words) -> Happening:
    seat = words.seat()
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
    "stopped": MachineStopped(),
    "cycle-paused": CyclePaused(),
    "cycle-resumed": CycleResumed(),
    "lift-raised": LiftSensed(LiftAt.RAISED),
    "lift-lowered": LiftSensed(LiftAt.LOWERED),
}


def _table(words: Words) -> Happening:
    others = ("dice", "fault", "clear", "cut", "reboot")
    match words.choose("what a table does", (*_SENSED, *others)):
        case "dice":
            die = range(1, 7)
            values = (words.whole("a die", die), words.whole("a die", die)) if words.left else None
            return Sensed(DiceRolled(values))
        case "fault":
            return Sensed(FaultRaised(Fault(words.choose("a fault", Fault)), _code(words)))
        case "clear":
            return Sensed(FaultCleared(Fault(words.choose("a fault", Fault)), _code(words)))
        case "cut":
            return WireCut(words.seconds("how long the wire is cut"))
        case "reboot":
            return BoxReboot()
        case word:
            return Sensed(_SENSED[word])


def _code(words: Words) -> int:
    """Take the machine's own code of a fault, if one is given."""
    return words.whole("a fault code", range(1, 65_536)) if words.left else 0


_WHO: dict[str, Callable[[Words], Happening]] = {
    "seat": _seat,
    "table": _table,
    **{by: partial(referee_says, by=by) for by in Official},
}
