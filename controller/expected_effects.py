"""Expectations of something that happens once: each names one effect, and no two the same one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from controller.rehearsal import Happened
from controller.sight import Check, Sight, seat_of, who
from controller.wording import seconds
from table.answers import Code, Refused
from table.events import Fault
from table.fouls import FoulKind, FoulSeen, OverrunRecorded, TooClose
from table.moment import MICROSECOND, Elapsed
from table.script_words import Words
from timing.effects import Barred, CallWithdrawn, OverLimit
from timing.machine_effects import FaultReported, PlayInDoubt

Once: TypeAlias = (
    FoulSeen
    | TooClose
    | OverrunRecorded
    | OverLimit
    | Refused
    | Barred
    | CallWithdrawn
    | FaultReported
    | PlayInDoubt
)
ONCE: dict[str, type[Once]] = {
    "foul": FoulSeen,
    "too-close": TooClose,
    "overrun": OverrunRecorded,
    "notice": OverLimit,
    "refused": Refused,
    "barred": Barred,
    "withdrawn": CallWithdrawn,
    "fault": FaultReported,
    "in-doubt": PlayInDoubt,
}
"""What can be expected once, by the word that stands for it."""
_MUST_BE_NAMED = ("foul", "too-close", "overrun", "refused")
"""What a hand file must expect if it happens; notices and the rest it may pass over."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One effect, by the words that describe it and the time that was measured, if any is said."""

    word: str
    described: str
    after: timedelta | None = None

    def __call__(self, sight: Sight) -> str | None:
        came = sight.unnamed(ONCE[self.word])
        for place, happened in came:
            if self._is(happened):
                sight.name(place)
                return None
        listed = "; ".join(_sentence(self.word, one) for _, one in came)
        return f"only this came: {listed}" if listed else f"no {self.word} came that is not named"

    def _is(self, happened: Happened) -> bool:
        effect = happened.effect
        if describe(effect) != self.described:
            return False
        return self.after is None or _fits(self.after, _measured(effect))


def expected_once(word: str, words: Words) -> Check:
    """Read one thing that is to have happened.

    Raises:
        ScriptError: a word is none that may stand there.
    """
    match word:
        case "refused":
            return _Wanted(word, words.choose("a code", Code))
        case "barred":
            what = words.choose("what is barred", ("hu", "call"))
            return _Wanted(word, f"{what} {who(seat_of(words))}")
        case "withdrawn":
            return _Wanted(word, who(seat_of(words)))
        case "fault" | "in-doubt":
            return _Wanted(word, words.choose("a fault of the machine", Fault))
        case _:
            described = f"{words.choose('a foul', FoulKind)} {who(seat_of(words))}"
            after = words.seconds("the time taken") if words.takes("after") else None
            return _Wanted(word, described, after)


def nothing(word: str) -> Check:
    """Expect that nothing of a kind came which is not named already."""

    def check(sight: Sight) -> str | None:
        came = [_sentence(word, one) for _, one in sight.unnamed(ONCE[word])]
        return "; ".join(came) or None

    return check


def unnamed(sight: Sight) -> Iterator[str]:
    """Say what happened although nothing in the file expects it."""
    for word in _MUST_BE_NAMED:
        yield from (_sentence(word, one) for _, one in sight.unnamed(ONCE[word]))


def describe(effect: object) -> str:
    """Return the words by which an effect is expected; empty for one that never is."""
    for kind, tell in _WORDS.items():
        if isinstance(effect, kind):
            return tell(effect)
    return ""


_WORDS: dict[type, Callable[..., str]] = {
    Refused: lambda one: one.code,
    Barred: lambda one: f"{one.what} seat {one.seat}",
    CallWithdrawn: lambda one: f"seat {one.seat}",
    FaultReported: lambda one: one.fault,
    PlayInDoubt: lambda one: one.fault,
    object: lambda one: f"{one.kind} seat {one.seat}",
}


def _measured(effect: object) -> Elapsed | None:
    match effect:
        case FoulSeen(measured=measured):
            return measured
        case TooClose(measured=measured) | OverrunRecorded(measured=measured):
            return measured
        case _:
            return None


def _fits(after: timedelta, measured: Elapsed | None) -> bool:
    return measured is not None and measured.least <= after <= measured.most


def _sentence(word: str, happened: Happened) -> str:
    measured = _measured(happened.effect)
    span = f", {_seconds(measured.least)} to {_seconds(measured.most)} s" if measured else ""
    reason = f" ({happened.effect.reason})" if isinstance(happened.effect, Refused) else ""
    return f"{word} {describe(happened.effect)} at {_seconds(happened.at)}{span}{reason}"


def _seconds(span: timedelta) -> str:
    return seconds(span // MICROSECOND)
