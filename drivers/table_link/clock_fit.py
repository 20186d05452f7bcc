"""Maps the box's clock onto the daemon's, and says within what bound.

Pure. One exchange of four stamps proves an interval for the difference of the clocks; between
exchanges the clocks may drift apart. The fit goes by the exchange that is tightest for its age.

Units: device times are whole ms since the boot, extended to 64 bits; daemon times are whole µs.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Self

from table.moment import DeviceStamp, Interval, Moment, Quality

KEPT = 64
"""Exchanges kept: two minutes of one each 2 s."""
DRIFT_PPM = 50
"""What box and daemon may drift apart, either way (docs/table-link.md, "Time")."""
_WRAP = 2**32
_MS = 1000
_PER_MILLION = 1_000_000
_PER_BILLION = 1_000_000_000


@dataclass(frozen=True, slots=True)
class DeviceClock:
    """The clock of one boot of one box."""

    name: str
    """Serial number and boot id, as in `DeviceStamp.clock`."""
    resolution_us: int
    reading: int
    """Some reading, extended; others are taken to lie within 24 days of it."""

    def extended(self, raw: int) -> int:
        """Extend a reading modulo 2**32 to the one nearest to the known reading."""
        return self.reading + (raw - self.reading + _WRAP // 2) % _WRAP - _WRAP // 2


@dataclass(frozen=True, slots=True)
class Exchange:
    """The four stamps of one SYNC, in the order of the clock they were read from."""

    asked_us: int
    heard_ms: int
    told_ms: int
    answered_us: int

    def offset_us(self, resolution_us: int) -> int:
        """Return daemon minus device time, in the middle of what the stamps allow.

        The box heard no earlier than it was asked and told no later than it was answered, and each
        of its stamps is truncated: the truth is up to one resolution later.
        """
        least = self.asked_us - self.heard_ms * _MS - resolution_us
        most = self.answered_us - self.told_ms * _MS
        return (least + most) // 2

    def doubt_us(self, resolution_us: int) -> int:
        """Return how far `offset_us` can be off: half the round trip and half a step."""
        trip = self.answered_us - self.asked_us - (self.told_ms - self.heard_ms) * _MS
        return (trip + resolution_us + 1) // 2


def _drift_us(span_ms: int) -> int:
    """Return what the clocks can have drifted apart in a span, at least one µs for rounding."""
    return abs(span_ms) * _MS * DRIFT_PPM // _PER_MILLION + 1


@dataclass(frozen=True, slots=True)
class ClockFit:
    """What the exchanges so far prove about a device clock; has at least one exchange."""

    clock: DeviceClock
    exchanges: tuple[Exchange, ...]
    best: Exchange
    drift_ppb: int = 0
    """How much faster the daemon's clock runs; 0 where a crystal within its limits explains it."""

    @classmethod
    def begin(cls, clock: DeviceClock, exchange: Exchange) -> Self:
        """Start from one exchange."""
        return cls(replace(clock, reading=exchange.told_ms), (exchange,), exchange)

    def after(self, exchange: Exchange) -> "ClockFit":
        """Return the fit with one more exchange.

        An exchange that no two clocks can have made is left out. One that contradicts the fit
        shows that a clock was set, or drifts beyond what it may: the fit begins anew with it.
        """
        if exchange.doubt_us(self.clock.resolution_us) < 0:
            return self
        if not self._allows(exchange):
            return ClockFit.begin(self.clock, exchange)
        kept = (*self.exchanges, exchange)[-KEPT:]
        best = min(kept, key=lambda one: self._doubt(one, exchange.told_ms))
        clock = replace(self.clock, reading=exchange.told_ms)
        return ClockFit(clock, kept, best, _drift_ppb(kept, self.clock.resolution_us))

    def interval(self, raw_ms: int, seen: Moment) -> Interval:
        """Return when something stamped by the device happened; it was seen by `seen`."""
        at = self.clock.extended(raw_ms)
        half_step = (self.clock.resolution_us + 1) // 2
        middle = at * _MS + half_step + self._offset(at)
        doubt = self._doubt(self.best, at) + half_step
        latest = Moment(min(middle + doubt, seen.micros))
        earliest = Moment(min(middle - doubt, latest.micros))
        resolution = timedelta(microseconds=self.clock.resolution_us)
        stamp = DeviceStamp(self.clock.name, timedelta(milliseconds=at), resolution)
        return Interval(earliest, latest, Quality.DEVICE, stamp)

    def bound(self) -> timedelta:
        """Return how far an interval of this moment reaches to either side."""
        doubt = self._doubt(self.best, self.exchanges[-1].told_ms)
        return timedelta(microseconds=doubt + (self.clock.resolution_us + 1) // 2)

    def _offset(self, at_ms: int) -> int:
        since = (at_ms - self.best.told_ms) * _MS
        return (
            self.best.offset_us(self.clock.resolution_us) + since * self.drift_ppb // _PER_BILLION
        )

    def _doubt(self, exchange: Exchange, at_ms: int) -> int:
        return exchange.doubt_us(self.clock.resolution_us) + _drift_us(at_ms - exchange.told_ms)

    def _allows(self, exchange: Exchange) -> bool:
        resolution = self.clock.resolution_us
        apart = abs(exchange.offset_us(resolution) - self._offset(exchange.told_ms))
        doubts = self._doubt(self.best, exchange.told_ms) + exchange.doubt_us(resolution)
        return apart <= doubts + 1


def _drift_ppb(exchanges: tuple[Exchange, ...], resolution_us: int) -> int:
    """Return the smallest drift that fits the tightest old and the tightest new exchange.

    A crystal that keeps its limits may turn round at any time: what it did before bounds nothing,
    and the bound has room for both ways. Only beyond them the past is the better guess.
    """
    middle = len(exchanges) // 2
    if not middle:
        return 0
    old, new = (
        min(half, key=lambda one: one.doubt_us(resolution_us))
        for half in (exchanges[:middle], exchanges[middle:])
    )
    span = (new.told_ms - old.told_ms) * _MS
    if span <= 0:
        return 0
    apart = new.offset_us(resolution_us) - old.offset_us(resolution_us)
    doubt = old.doubt_us(resolution_us) + new.doubt_us(resolution_us)
    certain = max(abs(apart) - doubt, 0) * _PER_BILLION // span
    if certain <= DRIFT_PPM * _PER_BILLION // _PER_MILLION:
        return 0
    return certain if apart > 0 else -certain
