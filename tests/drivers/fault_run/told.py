"""What a box must have told its host, read off its events by a reader of its own."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from controller.table_turn import Turn
from drivers.table_link import codes
from drivers.table_link.messages import Edge, Machine
from table.events import InputDismissed, MachineEvent, Observed
from tests.drivers.fault_run.box import KnownBox
from tests.drivers.fault_run.verdict import Verdict

_WRAP = 2**32
_HOLD_MS = 1000


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that was said, by the device's own time."""

    what: str
    seat: int
    ms: int


def judge_told(verdict: Verdict, boxes: Iterable[KnownBox], turns: Iterable[Turn]) -> None:
    """Find what a box was told is recorded and is not, and what is recorded twice."""
    recorded = _recorded(turns)
    for box in boxes:
        told = [_word(event) for event in box.kept]
        heard = recorded.get(box.boot, [])
        sure = [word for word in told[: box.acknowledged] if word]
        verdict.counts["acknowledged"] += len(sure)
        missed = [word for word in sure if word not in set(heard)]
        verdict.missed += [f"acknowledged: {word} of {box.boot:08x}" for word in missed]
        wrong = _not_in_order(told, heard)
        verdict.untrue += [f"{word} of {box.boot:08x} twice, or out of order" for word in wrong]


def _not_in_order(told: Sequence[Word | None], heard: Iterable[Word]) -> Iterator[Word]:
    following = 0
    for word in heard:
        if word in told[following:]:
            following = told.index(word, following) + 1
        else:
            yield word


def _recorded(turns: Iterable[Turn]) -> dict[int, list[Word]]:
    words: dict[int, list[Word]] = {}
    for turn in turns:
        observed = turn.stimulus
        if not isinstance(observed, Observed) or observed.when.stamp is None:
            continue
        if isinstance(observed.event, InputDismissed):
            continue
        stamp, event = observed.when.stamp, observed.event
        ms = int(stamp.at.total_seconds() * 1000 + 0.5) % _WRAP
        what = "Machine" if isinstance(event, MachineEvent) else type(event).__name__
        word = Word(what, getattr(event, "seat", 0), ms)
        words.setdefault(int(stamp.clock.rpartition("/")[2], 16), []).append(word)
    return words


def _word(event: Edge | Machine) -> Word | None:
    if isinstance(event, Machine):
        return Word("Machine", 0, event.at_ms)
    if event.input == codes.Input.DEAL_END:
        return Word("DealEnded", 0, event.first_ms)
    what = _gesture(
        event.input, event.change, long=(event.at_ms - event.first_ms) % _WRAP >= _HOLD_MS
    )
    return Word(what, event.seat, event.first_ms) if what else None


def _gesture(place: int, change: int, *, long: bool) -> str:
    """Return what an edge says; a hold has said it before it is let go."""
    match place, change:
        case codes.Input.DISCARD, codes.Change.DOWN:
            return "DiscardPressed"
        case codes.Input.DISCARD, codes.Change.UP:
            return "" if long else "DiscardReleased"
        case codes.Input.DISCARD, codes.Change.HELD:
            return "HuDeclared"
        case codes.Input.CLAIM, codes.Change.UP:
            return "" if long else "ClaimPressed"
        case codes.Input.CLAIM, codes.Change.HELD:
            return "RefereeCalled"
        case _:
            return ""
