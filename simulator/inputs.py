"""The inputs of a box: first edges, bounces, what is held (docs/table-link.md, sections 5, 6)."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from drivers.table_link.codes import Change
from drivers.table_link.messages import Edge
from simulator.deeds import Touch
from simulator.device_time import DeviceTime
from simulator.wire_words import INPUTS, call_kind
from table.events import Call
from table.happening import Input
from table.moment import Moment
from table.seat import Seat

DEBOUNCE = timedelta(milliseconds=10)
HELD_AFTER = timedelta(milliseconds=1000)

_Place: TypeAlias = tuple[Seat, Input]


@dataclass(slots=True)
class _Down:
    first: Moment
    call: Call | None
    told_held: bool = False


class Inputs:
    """Which inputs are down since when."""

    def __init__(self, time: DeviceTime) -> None:
        self._time = time
        self._down: dict[_Place, _Down] = {}
        self._changed: dict[_Place, Moment] = {}

    @property
    def bits(self) -> int:
        """The inputs that are down, as STATE has them."""
        discards = sum(1 << seat - 1 for seat, button in self._down if button is Input.DISCARD)
        return discards | sum(1 << seat + 3 for seat, button in self._down if button is Input.CLAIM)

    def touch(self, touch: Touch, at: Moment) -> list[Edge]:
        """Take an edge; return nothing for a bounce or a level that is known already."""
        place = (touch.seat, touch.input)
        was_down = self._down.get(place)
        changed = self._changed.get(place)
        if touch.down == bool(was_down) or (changed and at - changed < DEBOUNCE):
            return []
        self._changed[place] = at
        if was_down:
            del self._down[place]
            return [self._edge(place, was_down, Change.UP, at)]
        down = self._down[place] = _Down(at, touch.call)
        return [self._edge(place, down, Change.DOWN, at)]

    def wake_at(self) -> Moment | None:
        """Say when an input that is down becomes one that is held."""
        waiting = (down.first for down in self._down.values() if not down.told_held)
        first = min(waiting, default=None)
        return first and first + HELD_AFTER

    def pass_time(self, now: Moment) -> list[Edge]:
        """Return what has been down for the hold time by now."""
        edges: list[Edge] = []
        for place, down in self._down.items():
            if not down.told_held and down.first + HELD_AFTER <= now:
                down.told_held = True
                edges.append(self._edge(place, down, Change.HELD, down.first + HELD_AFTER))
        return edges

    def _edge(self, place: _Place, down: _Down, change: Change, at: Moment) -> Edge:
        seat, button = place
        first, now = self._time.ms(down.first), self._time.ms(at)
        call = call_kind(down.call)
        return Edge(self._time.boot, first, now, seat, INPUTS[button], change, call)
