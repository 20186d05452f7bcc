"""What fills the marked places of a page: texts, states and running clocks; pure."""

from collections.abc import Mapping
from typing import TypeAlias, TypedDict

from board.node_view import NodeView
from board.table_view import TableView
from board.texts import say
from mqtt.parts import Face
from table.moment import Moment
from table.seat import Seat

_MINUTES_FROM = 100


class Clock(TypedDict):
    """A clock as a browser runs it, in whole milliseconds of the node's clock."""

    node: str
    """Which node's time it counts in."""
    total: int
    remaining: int
    """At `as_of`."""
    as_of: int
    running: bool
    over: bool


class Option(TypedDict):
    """Something to pick from in a dialog."""

    value: str
    words: str
    more: str
    """A second line, such as the article; may be empty."""
    picked: bool


Slots: TypeAlias = dict[str, str | Clock | list[Option] | None]
"""The values of one item by slot; a text, a clock, or what a dialog offers."""
Items: TypeAlias = dict[str, Slots | None]
"""Items by key; None: the item is gone."""
NodeTimes: TypeAlias = Mapping[str, int]
"""The clocks of the nodes now, by name, in milliseconds; silent nodes are absent."""


def node_times(nodes: Mapping[str, NodeView], now: Moment) -> dict[str, int]:
    """Return the clocks of all nodes that are heard."""
    return {
        node.clock_name: node.clock.now_ms(now)
        for node in nodes.values()
        if node.clock is not None and not node.stale
    }


def remaining_ms(clock: Clock, times: NodeTimes) -> int:
    """Return what a clock shows now: never less than the daemon's, 0 where its limit is reached."""
    if clock["over"]:
        return 0
    now = times.get(clock["node"])
    if not clock["running"] or now is None:
        return clock["remaining"]
    return min(clock["total"], max(0, clock["remaining"] - (now - clock["as_of"])))


def face(clock: Clock | None, times: NodeTimes) -> str:
    """Return the digits of a clock: seconds rounded up, so that 0 means the limit is reached."""
    if clock is None:
        return "\N{EN DASH}"
    seconds = -(-remaining_ms(clock, times) // 1000)
    if seconds < _MINUTES_FROM:
        return str(seconds)
    return f"{seconds // 60}:{seconds % 60:02}"


def clock_of(table: TableView, node: NodeView | None, shown: Face | None) -> Clock | None:
    """Return a clock for the page; none where its node is silent, as an old clock would lie."""
    if shown is None or table.timers is None or node is None or not node.here:
        return None
    return Clock(
        node=node.clock_name,
        total=shown.total_ms,
        remaining=shown.remaining_ms,
        as_of=table.timers.as_of_ms,
        running=shown.running,
        over=shown.over,
    )


def counted(shown: Face | None) -> str:
    """Return what a clock counts down to, in words."""
    if shown is None:
        return ""
    return say("seat.over") if shown.over else timed(shown)


def option(value: object, words: str, more: str = "", *, picked: bool = False) -> Option:
    """Return something to pick from."""
    return Option(value=str(value), words=words, more=more, picked=picked)


def timed(shown: Face) -> str:
    """Return what a clock times, in words."""
    known = (
        shown.kind if shown.kind in {"first-discard", "turn", "window", "arranging"} else "other"
    )
    return say(f"clock.{known}")


def foremost(table: TableView) -> Face | None:
    """Return the one clock that stands for a table: who is on turn, else one that runs."""
    if table.timers is None:
        return None
    seats = table.timers.seats
    on_turn = table.state and table.state.on_turn
    if on_turn and seats.get(on_turn):
        return seats[on_turn]
    running = [shown for shown in seats.values() if shown and shown.running]
    return running[0] if running else table.timers.window


def over_limit(table: TableView) -> dict[Seat, Face]:
    """Return the seats whose limit is reached and whose clock still stands there."""
    if table.timers is None:
        return {}
    return {seat: shown for seat, shown in table.timers.seats.items() if shown and shown.over}
