"""A finished hand: everything that was told, in the order in which it was told."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from table import commands as orders
from table import events
from table.fouls import FoulKind
from table.moment import Interval
from table.seat import Seat
from tests.second_opinion.spans import When, at, micros, read


@dataclass(frozen=True)
class Ruling:
    """A referee decides on the n-th foul of a kind that a seat was seen to make."""

    verb: str
    """`confirm`, `waive` or `reverse`."""
    kind: FoulKind
    seat: Seat
    number: int


Happening: TypeAlias = events.Observed | orders.Ordered | events.LinkUp | events.LinkDown | Ruling
Story: TypeAlias = tuple[tuple[int, Happening], ...]


@dataclass(eq=False)
class Said:
    """One thing that was said or seen, in one word."""

    word: str
    when: When
    seat: Seat | None = None
    call: events.Call | None = None
    replayed: bool = False
    span: int = 0
    """What a `give` gives."""
    role: str = ""
    """What the checker took it for."""
    opening: When | None = None
    """When the untimed opening ends, as it was known then."""


_SEEN = {
    events.DiscardPressed: "discard",
    events.HuDeclared: "hu",
    events.ClaimPressed: "claim",
    events.TileDrawn: "draw",
    events.DealEnded: "dealt",
    events.WallRaised: "begin",
}
_ORDERED = {
    orders.StartHand: "begin",
    orders.EndDeal: "dealt",
    orders.Pause: "pause",
    orders.Resume: "resume",
    orders.GiveTime: "give",
    orders.WithdrawHu: "withdraw",
    orders.ConfirmHu: "end",
    orders.DrawHand: "end",
    orders.VoidHand: "void",
}


def meant(story: Story) -> Iterator[Said]:
    """Say what was meant; a press that turned out to be a hu is no discard."""
    held = [
        (one.event.seat, one.when)
        for _, one in story
        if isinstance(one, events.Observed) and isinstance(one.event, events.HuDeclared)
    ]
    for told, happening in story:
        if isinstance(happening, events.LinkDown):
            yield Said("lost", at(told))
        elif isinstance(happening, orders.Ordered):
            yield from _ordered(told, happening)
        elif isinstance(happening, events.Observed) and not _is_hu(happening, held):
            yield from _seen(happening)


def _is_hu(seen: events.Observed, held: list[tuple[Seat, Interval]]) -> bool:
    event = seen.event
    return isinstance(event, events.DiscardPressed) and (event.seat, seen.when) in held


def _seen(seen: events.Observed) -> Iterator[Said]:
    word, when, event = _SEEN.get(type(seen.event)), read(seen.when), seen.event
    if word is None:
        return
    if isinstance(event, events.ClaimPressed):
        yield Said(word, when, event.seat, event.call, seen.replayed)
    elif isinstance(event, events.DiscardPressed | events.HuDeclared | events.TileDrawn):
        yield Said(word, when, event.seat, replayed=seen.replayed)
    else:
        yield Said(word, when, replayed=seen.replayed)


def _ordered(told: int, ordered: orders.Ordered) -> Iterator[Said]:
    word, command = _ORDERED.get(type(ordered.command)), ordered.command
    if word:
        span = micros(command.span) if isinstance(command, orders.GiveTime) else 0
        yield Said(word, at(told), span=span)
