"""Turns the edges of a seat's inputs into what the seat says.

Pure: edges carry the time of one clock, and the interval of the first edge of their press. A press
keeps the interval it was first given, so that what settles it bears the same. The clock is the
table's own, or ours where inputs are polled; then a change is at the earliest moment it can have,
so that only what was surely held is a hold.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from table.answers import Ignored
from table.events import (
    Call,
    ClaimPressed,
    DiscardPressed,
    DiscardReleased,
    HuDeclared,
    Observed,
    RefereeCalled,
    SeatEvent,
    TileDrawn,
)
from table.moment import Interval
from table.seat import Seat


class SeatInput(StrEnum):
    """What a seat is sensed by."""

    DISCARD = "discard"
    CLAIM = "claim"
    DRAW = "draw"


class Change(StrEnum):
    """What an input did."""

    DOWN = "down"
    UP = "up"
    HELD = "held"
    """It has been down for the hold time and still is."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An input changed; times are those of one clock, since whatever moment."""

    seat: Seat
    input: SeatInput
    change: Change
    first: timedelta
    """The first edge of this press."""
    at: timedelta
    """This change; the same as `first` when the input goes down."""
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Senses:
    """What the inputs of a table can tell."""

    releases: bool
    """Whether they report releases and holds, or presses only."""
    debounce: timedelta = timedelta(0)
    """An edge this soon after another of the same input is a bounce."""
    hold: timedelta = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Press:
    """The last press of an input."""

    first: timedelta
    when: Interval
    """Interval of `first`."""
    last: timedelta
    """Its newest edge that was no bounce."""
    held: bool = False
    over: bool = False
    """Let go."""


Place: TypeAlias = tuple[Seat, SeatInput]
Said: TypeAlias = SeatEvent | Ignored | None
"""What an edge says; nothing, where it only begins or ends something."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The inputs after an edge, and what the seat said by it."""

    gestures: "Gestures"
    said: Observed | Ignored | None


@dataclass(frozen=True, slots=True)
class Gestures:
    """The inputs of one table as far as their edges told."""

    senses: Senses
    presses: Mapping[Place, Press] = field(default_factory=dict)

    def hear(self, edge: Edge, first: Interval) -> Heard:
        """Take an edge; `first` is the interval of the first edge of its press.

        A release or hold whose press was never seen is believed: its report carries the first edge.
        Of a press that was held, the hold was told before its release: it is not said once more.
        """
        before = self.presses.get((edge.seat, edge.input))
        if before and abs(edge.at - before.last) < self.senses.debounce:
            return Heard(self, Ignored(f"bounce of {edge.input} at seat {edge.seat}"))
        if before is None or edge.change is Change.DOWN:
            before = self._begun(edge, first)
        said = _said(self.senses, before, edge)
        event = said if said is None or isinstance(said, Ignored) else Observed(said, before.when)
        return Heard(self._after(edge, before), event)

    def _begun(self, edge: Edge, first: Interval) -> Press:
        long = edge.change is Change.UP and edge.at - edge.first >= self.senses.hold
        return Press(edge.first, first, last=edge.at, held=long)

    def _after(self, edge: Edge, press: Press) -> "Gestures":
        now = replace(
            press,
            last=edge.at,
            held=press.held or edge.change is Change.HELD,
            over=press.over or edge.change is Change.UP,
        )
        return replace(self, presses={**self.presses, (edge.seat, edge.input): now})


def _said(senses: Senses, press: Press, edge: Edge) -> Said:
    if edge.change is Change.DOWN:
        return _pressed(senses, edge)
    if edge.input is SeatInput.DRAW:
        return None
    if not senses.releases or press.over or (press.held and edge.change is Change.HELD):
        return Ignored(f"{edge.change} of {edge.input} at seat {edge.seat} without a press")
    if press.held:
        return None
    if edge.change is Change.HELD or edge.at - press.first >= senses.hold:
        return _held(edge)
    return _tapped(edge)


def _pressed(senses: Senses, edge: Edge) -> Said:
    match edge.input:
        case SeatInput.DISCARD:
            return DiscardPressed(edge.seat)
        case SeatInput.CLAIM:
            return None if senses.releases else ClaimPressed(edge.seat, edge.call)
        case SeatInput.DRAW:
            return TileDrawn(edge.seat)


def _held(edge: Edge) -> Said:
    return HuDeclared(edge.seat) if edge.input is SeatInput.DISCARD else RefereeCalled(edge.seat)


def _tapped(edge: Edge) -> Said:
    if edge.input is SeatInput.DISCARD:
        return DiscardReleased(edge.seat)
    return ClaimPressed(edge.seat, edge.call)
