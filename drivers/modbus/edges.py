"""Turns the samples of one input into edges, each with the interval that holds its press."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from drivers.gestures import Change
from drivers.modbus.presses import Counter, Jump, Latch, Level, Restart, Trend, counted
from drivers.modbus.profile_layout import EdgeSource
from drivers.modbus.profile_words import Clearing, Gesture, Sensing
from drivers.modbus.windows import Window, between
from table.moment import ZERO, Interval, Moment, Quality

_ORIGIN = Moment(0)
UNKNOWN, CLEAR = Latch(), Latch(armed=True)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one sample shows of an input."""

    watched: int
    """The level or latch as 0 and 1, or the count."""
    down: bool | None = None
    """The level; None where only presses are told."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An input changed."""

    change: Change
    press: Interval
    """When its press began."""
    lasted: timedelta
    """How long the press had surely lasted."""

    @property
    def first(self) -> timedelta:
        """The latest moment at which the press can have begun, on our clock."""
        return self.press.latest - _ORIGIN

    @property
    def at(self) -> timedelta:
        """The change, so early that the time since `first` has surely passed."""
        return self.first + self.lasted


@dataclass(frozen=True, slots=True)
class Held:
    """A press that was not seen to be let go."""

    press: Interval
    lasted: timedelta = ZERO
    told: bool = False
    """That it is held was said."""


@dataclass(frozen=True, slots=True)
class Track:
    """One input as far as its samples told."""

    level: Level | None = None
    latch: Latch = UNKNOWN
    count: int | None = None
    held: Held | None = None

    @property
    def at_rest(self) -> bool:
        """Whether the same sample again would say nothing and change nothing."""
        level = self.level is None or self.level.at_rest
        return self.held is None and level and self.latch.at_rest


@dataclass(frozen=True, slots=True)
class Sampled:
    """An input after a sample, and what the sample says."""

    track: Track
    edges: tuple[Edge, ...] = ()
    trouble: Restart | Jump | None = None
    trend: Trend = Trend.UNTOLD
    """What its count says of a restart of the module."""


def first_sample(source: EdgeSource, reading: Reading, now: Window) -> Track:
    """Return the track that begins with a sample: what was pressed before it says nothing."""
    match source.sensing:
        case Sensing.LEVEL:
            return Track(Level(bool(reading.watched), now), CLEAR)
        case Sensing.LATCH:
            unread = reading.watched and source.clear is not Clearing.BY_READING
            return Track(latch=UNKNOWN if unread else CLEAR)
        case Sensing.COUNTER | Sensing.PRESS_COUNTER:
            return Track(latch=CLEAR, count=reading.watched)


def sampled(
    source: EdgeSource, track: Track, reading: Reading, before: Window, now: Window
) -> Sampled:
    """Take a sample of an input; `before` is the last one that could be read."""
    match source.sensing:
        case Sensing.LEVEL:
            return _by_level(source, track, reading, before, now)
        case Sensing.LATCH:
            return _by_latch(source, track, reading, before, now)
        case Sensing.COUNTER | Sensing.PRESS_COUNTER:
            return _by_count(source, track, reading, before, now)


def cleared(track: Track, write: Window) -> Track:
    """Take the acknowledged write that cleared a latch."""
    return replace(track, latch=Latch(armed=True, cleared=write))


def wants_clearing(source: EdgeSource, track: Track) -> bool:
    """Say whether the latch must be cleared before it can tell another press."""
    writes = source.clear in {Clearing.WRITE_ONE, Clearing.WRITE_ZERO}
    return source.sensing is Sensing.LATCH and writes and not track.latch.armed


def holding(track: Track, hold: timedelta) -> tuple[Track, tuple[Edge, ...]]:
    """Say once of a press that it has surely lasted for the hold time and still does."""
    held = track.held
    if held is None or held.told or held.lasted < hold:
        return track, ()
    told = replace(track, held=replace(held, told=True))
    return told, (Edge(Change.HELD, held.press, held.lasted),)


def _by_level(
    source: EdgeSource, track: Track, reading: Reading, before: Window, now: Window
) -> Sampled:
    down = bool(reading.watched)
    if track.level is None:
        return Sampled(replace(track, level=Level(down, now)))
    level, turned = track.level.seen(before, now, source.debounce, down=down)
    track = replace(track, level=level)
    if turned and level.down:
        return _pressed(track, turned, 1)
    if turned:
        return _released(track)
    return Sampled(_lasting(track, now) if down and level.down else track)


def _by_latch(
    source: EdgeSource, track: Track, reading: Reading, before: Window, now: Window
) -> Sampled:
    latch, press = track.latch.seen(before, now, source.debounce, is_set=bool(reading.watched))
    if press and source.clear is Clearing.BY_READING:
        latch = CLEAR
    track = replace(track, latch=latch)
    if press:
        return _followed(_pressed(track, press, 1), reading)
    return _beside(source, track, reading, now)


def _by_count(
    source: EdgeSource, track: Track, reading: Reading, before: Window, now: Window
) -> Sampled:
    counter = Counter(source.wrap or 2**16, source.clear, source.reboot)
    old, track = track.count, replace(track, count=reading.watched)
    if old is None:
        return Sampled(track)
    presses = counted(counter, old, reading.watched, now.at_most_after(before) + source.debounce)
    if not isinstance(presses, int):
        return Sampled(replace(track, held=None), trouble=presses)
    trend = counter.trend(old, reading.watched)
    if not presses:
        return replace(_beside(source, track, reading, now), trend=trend)
    press = between(before, now, source.debounce, Quality.COUNTED)
    if source.gesture is None:
        return replace(_followed(_pressed(track, press, presses), reading), trend=trend)
    return Sampled(track, tuple(_gestured(source.gesture, press)) * presses, trend=trend)


def _gestured(gesture: Gesture, press: Interval) -> Iterator[Edge]:
    """Give the edges of what the module itself told apart; its holds count as ours."""
    down, up = Edge(Change.DOWN, press, ZERO), Edge(Change.UP, press, ZERO)
    if gesture in {Gesture.SHORT, Gesture.DOUBLE, Gesture.SHORT_LONG}:
        yield from (down, up)
    if gesture is Gesture.DOUBLE:
        yield from (down, up)
    if gesture in {Gesture.LONG, Gesture.SHORT_LONG}:
        yield from (down, Edge(Change.HELD, press, ZERO), up)


def _pressed(track: Track, press: Interval, presses: int) -> Sampled:
    """Say so many presses within one interval; each but the last was let go before the next."""
    let_go = _released(track)
    tap = (Edge(Change.DOWN, press, ZERO), Edge(Change.UP, press, ZERO))
    edges = (*let_go.edges, *(tap * presses)[:-1])
    return Sampled(replace(track, held=Held(press)), edges)


def _followed(pressed: Sampled, reading: Reading) -> Sampled:
    """Leave a press open where a level will show its end, else only presses are told."""
    if reading.down is None:
        return replace(pressed, track=replace(pressed.track, held=None))
    return pressed


def _beside(source: EdgeSource, track: Track, reading: Reading, now: Window) -> Sampled:
    """Follow the level beside a latch or counter until it shows that the press is over."""
    held = track.held
    if held is None or reading.down is None:
        return Sampled(track)
    if reading.down:
        return Sampled(_lasting(track, now))
    if now.asked - held.press.latest < source.debounce:
        return Sampled(track)
    return _released(track)


def _lasting(track: Track, now: Window) -> Track:
    held = track.held
    if held is None:
        return track
    return replace(track, held=replace(held, lasted=max(ZERO, now.asked - held.press.latest)))


def _released(track: Track) -> Sampled:
    if track.held is None:
        return Sampled(track)
    edge = Edge(Change.UP, track.held.press, track.held.lasted)
    return Sampled(replace(track, held=None), (edge,))
