"""The pressed inputs of one module: from the replies of a sample to edges by name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TypeAlias

from drivers.modbus.edges import (
    Edge,
    Reading,
    Sampled,
    Track,
    cleared,
    first_sample,
    holding,
    sampled,
    wants_clearing,
)
from drivers.modbus.images import Misread, Part, level, raw
from drivers.modbus.presses import Jump, Restart, Stuck, Trend
from drivers.modbus.profile_layout import EdgeSource, Point
from drivers.modbus.profile_words import Clearing, Sensing
from drivers.modbus.reads import lies_in
from drivers.modbus.requests import Read
from drivers.modbus.windows import Window

Trouble: TypeAlias = Misread | Jump | Stuck
STUCK_AFTER = timedelta(minutes=2)
"""Nobody holds a button for so long. House choice."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Inputs that the same replies show."""

    reads: tuple[Read, ...]
    """Of what is watched, then of the levels beside it where they lie elsewhere."""
    sources: tuple[EdgeSource, ...]
    tracks: Mapping[str, Track] = field(default_factory=dict)
    seen: tuple[Part, ...] | None = None
    """The last replies."""
    at_rest: bool = False
    """Whether the same replies again would say nothing."""


@dataclass(frozen=True, slots=True)
class Signals:
    """The inputs of one module as far as its samples told."""

    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """The inputs after a sample, and what the sample tells."""

    signals: Signals
    edges: tuple[tuple[str, Edge], ...] = ()
    """By the name of the input; those of one input in the order in which they happened."""
    troubles: tuple[tuple[str, Trouble], ...] = ()
    clear: tuple[EdgeSource, ...] = ()
    """Latches to set back; `latch_cleared` takes the acknowledgement."""
    restarted: bool = False
    """The module lost its counts: what happened between two samples is not known."""


def watching(sources: Iterable[EdgeSource], reads: tuple[Read, ...]) -> Signals:
    """Return inputs of which nothing was seen; `reads` are those of a sample.

    Raises:
        ValueError: no read holds an input, which is a bug of the caller.
    """
    panels: dict[tuple[Read, ...], list[EdgeSource]] = {}
    for source in sources:
        watch = _read_of(source.watch, reads)
        beside = watch if source.level is None else _read_of(source.level, reads)
        panels.setdefault(tuple(dict.fromkeys((watch, beside))), []).append(source)
    return Signals(tuple(Panel(key, tuple(group)) for key, group in panels.items()))


def sample(signals: Signals, parts: Mapping[Read, Part], hold: timedelta) -> Told:
    """Take the replies to the reads of one sample; those that did not come may be missing.

    Inputs whose replies are missing wait: what they show next lies in a longer interval. The order
    of inputs and replies changes nothing. Total over any values.
    """
    # Nearly every sample of a table shows what the one before did, and many tables share a core.
    same = [_same(panel, parts) for panel in signals.panels]
    if None not in same:
        return Told(Signals(tuple(panel for panel in same if panel)))
    steps = [_step(panel, parts, hold) for panel in signals.panels]
    if any(step.restarted for step in steps):
        anew = tuple(_anew(panel, parts) for panel in signals.panels)
        return Told(Signals(anew), clear=_to_clear(anew), restarted=True)
    panels = tuple(panel for step in steps for panel in step.signals.panels)
    edges = tuple(edge for step in steps for edge in step.edges)
    troubles = tuple(trouble for step in steps for trouble in step.troubles)
    return Told(Signals(panels), edges, troubles, _to_clear(panels))


def latch_cleared(signals: Signals, name: str, write: Window) -> Signals:
    """Take the acknowledged write that set a latch back."""
    return Signals(tuple(_with_clear(panel, name, write) for panel in signals.panels))


def forgotten(signals: Signals) -> Signals:
    """Return the inputs after an outage or a restart: the next sample is the first again."""
    return Signals(tuple(Panel(panel.reads, panel.sources) for panel in signals.panels))


def _read_of(point: Point, reads: tuple[Read, ...]) -> Read:
    for read in reads:
        if lies_in(point, read):
            return read
    message = f"no read of the sample holds {point.name}"
    raise ValueError(message)


def _with_clear(panel: Panel, name: str, write: Window) -> Panel:
    track = panel.tracks.get(name)
    if track is None or track.latch.armed:
        return panel
    tracks = {**panel.tracks, name: cleared(track, write)}
    return replace(panel, tracks=tracks, at_rest=False)


def _to_clear(panels: Iterable[Panel]) -> tuple[EdgeSource, ...]:
    return tuple(
        source
        for panel in panels
        if not panel.at_rest
        for source in panel.sources
        if source.name in panel.tracks and wants_clearing(source, panel.tracks[source.name])
    )


def _anew(panel: Panel, parts: Mapping[Read, Part]) -> Panel:
    fresh = Panel(panel.reads, panel.sources)
    step = _step(fresh, parts, timedelta.max)
    return step.signals.panels[0]


def _same(panel: Panel, parts: Mapping[Read, Part]) -> Panel | None:
    """Return the panel after the same replies as before; None where they say anything new."""
    if not panel.at_rest or panel.seen is None:
        return None
    now = []
    for part in panel.seen:
        found = parts.get(part.read)
        if found is None or found.values != part.values:
            return None
        now.append(found)
    return Panel(panel.reads, panel.sources, panel.tracks, tuple(now), at_rest=True)


def _step(panel: Panel, parts: Mapping[Read, Part], hold: timedelta) -> Told:
    now = tuple(parts[read] for read in panel.reads if read in parts)
    if len(now) < len(panel.reads):
        return Told(Signals((panel,)))
    return Told(Signals((same,))) if (same := _same(panel, parts)) else _each(panel, now, hold)


def _each(panel: Panel, now: tuple[Part, ...], hold: timedelta) -> Told:
    inputs = {source.name: _one(source, panel, now, hold) for source in panel.sources}
    tracks = {name: one.track for name, one in inputs.items() if isinstance(one, Sampled)}
    steps = [(name, one) for name, one in inputs.items() if isinstance(one, Sampled)]
    return Told(
        Signals((replace(panel, tracks=tracks, seen=now, at_rest=_at_rest(panel, tracks)),)),
        tuple((name, edge) for name, step in steps for edge in step.edges),
        tuple((name, trouble) for name, one in inputs.items() if (trouble := _trouble(one))),
        restarted=_restarted([step for _, step in steps]),
    )


def _restarted(steps: list[Sampled]) -> bool:
    """Say whether the module was without power, or may have been.

    A restart sets all its counts back. One that is near its end may have wrapped instead, which is
    believed only where another one went on meanwhile: presses that nobody made are worse than a
    lost step once in 65,536.
    """
    trends = {step.trend for step in steps}
    in_doubt = Trend.FELL in trends and Trend.STOOD not in trends
    return in_doubt or any(isinstance(step.trouble, Restart) for step in steps)


def _one(
    source: EdgeSource, panel: Panel, now: tuple[Part, ...], hold: timedelta
) -> Sampled | Misread:
    """Take one input of a sample; after a misread one its next sample is the first again."""
    reading = _reading(source, now)
    if isinstance(reading, Misread):
        return reading
    track, window = panel.tracks.get(source.name), now[0].window
    if track is None or panel.seen is None:
        return Sampled(first_sample(source, reading, window))
    step = sampled(source, track, reading, panel.seen[0].window, window)
    held, edges = holding(step.track, hold)
    return replace(step, track=held, edges=(*step.edges, *edges))


def _trouble(one: Sampled | Misread) -> Trouble | None:
    if isinstance(one, Misread):
        return one
    if one.track.held and one.track.held.lasted >= STUCK_AFTER:
        return Stuck(f"pressed for more than {STUCK_AFTER.seconds // 60} minutes: it may be stuck")
    return one.trouble if isinstance(one.trouble, Jump) else None


def _at_rest(panel: Panel, tracks: Mapping[str, Track]) -> bool:
    by_reading = any(source.clear is Clearing.BY_READING for source in panel.sources)
    all_known = len(tracks) == len(panel.sources)
    return all_known and not by_reading and all(track.at_rest for track in tracks.values())


def _reading(source: EdgeSource, now: tuple[Part, ...]) -> Reading | Misread:
    watched: int | Misread
    if source.sensing in {Sensing.LEVEL, Sensing.LATCH}:
        watched = level(now[0], source.watch)
    else:
        watched = raw(now[0], source.watch)
    if isinstance(watched, Misread) or source.level is None:
        return watched if isinstance(watched, Misread) else Reading(int(watched))
    down = level(now[-1], source.level)
    return down if isinstance(down, Misread) else Reading(int(watched), down)
