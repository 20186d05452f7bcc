"""What the seats of a table say by the inputs of one of its modules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from drivers import gestures
from drivers.gestures import Change, Gestures, Senses
from drivers.modbus.edges import Edge
from drivers.modbus.functions import DEAL_END, seat_signal
from drivers.modbus.profile_layout import EdgeSource
from drivers.modbus.profile_words import Sensing
from drivers.modbus.signals import Told, Trouble
from drivers.modbus.windows import Window
from table.answers import Ignored
from table.events import DealEnded, InputDismissed, Observed, TableRebooted
from table.moment import Interval, Moment, Quality

FLUTTER_PRESSES, FLUTTER_WITHIN = 20, timedelta(seconds=5)
"""So many presses of one input within so short a time are no hand's. House choice."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The inputs of one module by what they are for."""

    functions: Mapping[str, str]
    """Function of each input; several inputs may tell of one."""
    gestures: Mapping[str, Gestures]
    """By the function."""
    troubled: frozenset[str] = field(default_factory=frozenset)
    """Inputs of which the last sample said nothing that can be."""
    newest: Mapping[str, tuple[Moment, ...]] = field(default_factory=dict)
    """The newest presses of each input, up to a flutter."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The inputs after a sample, and what was said."""

    seats: Seats
    events: tuple[Observed, ...] = ()


def tells_releases(source: EdgeSource) -> bool:
    """Say whether an input shows when it is let go, so that a hold can be told from a tap."""
    levels = source.sensing is Sensing.LEVEL or source.level is not None
    return levels or source.gesture is not None


def listening(
    sources: Iterable[EdgeSource], functions: Mapping[str, str], hold: timedelta
) -> Seats:
    """Return the inputs of a module before anything was said."""
    heard = {
        functions[source.name]: Gestures(Senses(tells_releases(source), hold=hold))
        for source in sources
        if source.name in functions and seat_signal(functions[source.name])
    }
    return Seats(functions, heard)


def hear(seats: Seats, told: Told, now: Window) -> Heard:
    """Take what a sample tells; the older press comes first, whatever was read first.

    A module that restarted lost what happened meanwhile, which is the same to a hand as a box that
    started anew. A trouble is told when it begins, not with each sample.
    """
    if told.restarted:
        silent = {name: replace(heard, presses={}) for name, heard in seats.gestures.items()}
        event = Observed(TableRebooted(), _whole(now))
        return Heard(replace(seats, gestures=silent), (event,))
    if not (told.edges or told.troubles or seats.troubled):
        return Heard(seats)
    dismissed = tuple(
        Observed(InputDismissed(_named(seats, name, trouble)), _whole(now))
        for name, trouble in told.troubles
        if name not in seats.troubled
    )
    seats = replace(seats, troubled=frozenset(name for name, _ in told.troubles))
    seats, fluttering = _fluttering(seats, told, now)
    events: list[Observed] = []
    for function, edge in sorted(_by_function(seats, told), key=_oldest_first):
        seats, said = _one(seats, function, edge)
        events += said
    return Heard(seats, (*dismissed, *events, *fluttering))


def _fluttering(seats: Seats, told: Told, now: Window) -> tuple[Seats, tuple[Observed, ...]]:
    """Tell of a contact that flutters once in so many presses; each of them still counts."""
    newest, said = dict(seats.newest), []
    for name, edge in told.edges:
        if edge.change is not Change.DOWN:
            continue
        presses = (*newest.get(name, ()), edge.press.latest)[-FLUTTER_PRESSES:]
        newest[name] = presses
        if len(presses) >= FLUTTER_PRESSES and presses[-1] - presses[0] <= FLUTTER_WITHIN:
            newest[name] = ()
            reason = f"{FLUTTER_PRESSES} presses within {FLUTTER_WITHIN.seconds} s: it may flutter"
            said.append(f"{seats.functions.get(name, name)}: {reason}")
    events = tuple(Observed(InputDismissed(one), _whole(now)) for one in said)
    return replace(seats, newest=newest), events


def _by_function(seats: Seats, told: Told) -> list[tuple[str, Edge]]:
    return [(seats.functions[name], edge) for name, edge in told.edges if name in seats.functions]


def _oldest_first(one: tuple[str, Edge]) -> tuple[int, str]:
    function, edge = one
    return edge.press.latest.micros, function


def _one(seats: Seats, function: str, edge: Edge) -> tuple[Seats, tuple[Observed, ...]]:
    if function == DEAL_END and edge.change is Change.DOWN:
        return seats, (Observed(DealEnded(), edge.press),)
    place = seat_signal(function)
    if place is None:
        return seats, ()
    change = gestures.Edge(place.seat, place.input, edge.change, edge.first, edge.at, place.call)
    heard = seats.gestures[function].hear(change, edge.press)
    after = replace(seats, gestures={**seats.gestures, function: heard.gestures})
    if isinstance(heard.said, Ignored):
        return after, (Observed(InputDismissed(heard.said.reason), edge.press),)
    return after, () if heard.said is None else (heard.said,)


def _named(seats: Seats, name: str, trouble: Trouble) -> str:
    return f"{seats.functions.get(name, name)}: {trouble.reason}"


def _whole(window: Window) -> Interval:
    return Interval(window.asked, window.arrived, Quality.POLLED)
