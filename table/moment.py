"""Moments of the monotonic clock, and the interval in which something can have happened."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Self, overload

MICROSECOND = timedelta(microseconds=1)
MILLISECOND = timedelta(milliseconds=1)
ZERO = timedelta(0)


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """A reading of the daemon's monotonic clock.

    Units: whole microseconds since an arbitrary origin; only differences mean anything.
    """

    micros: int

    def __add__(self, span: timedelta) -> "Moment":
        return Moment(self.micros + span // MICROSECOND)

    @overload
    def __sub__(self, other: "Moment") -> timedelta: ...
    @overload
    def __sub__(self, other: timedelta) -> "Moment": ...
    def __sub__(self, other: "Moment | timedelta") -> "timedelta | Moment":
        if isinstance(other, Moment):
            return timedelta(microseconds=self.micros - other.micros)
        return Moment(self.micros - other // MICROSECOND)


class Quality(StrEnum):
    """How the time of an event was found, best first."""

    DEVICE = "device"
    """Stamped at the first edge by the table's own clock."""
    COUNTED = "counted"
    LATCHED = "latched"
    POLLED = "polled"
    PAD = "pad"
    """Pressed on a phone or tablet."""
    REFEREE = "referee"
    """Entered by a referee."""
    IMPLIED = "implied"
    """Never pressed; another press shows that it must have happened."""


@dataclass(frozen=True, slots=True)
class DeviceStamp:
    """A reading of a table's own clock.

    Two stamps compare only when `clock` is the same: one device, one boot.
    """

    clock: str
    """Device serial number and boot id."""
    at: timedelta
    """Time since that boot."""
    resolution: timedelta


@dataclass(frozen=True, slots=True)
class DeviceNumber:
    """Where an event stands among those that a device counts itself.

    Two numbers compare only when `clock` is the same: one device, one boot.
    """

    clock: str
    """As in `DeviceStamp`."""
    number: int
    last: int
    """Numbers run from 1 to this one and begin at 1 again."""

    def covers(self, other: "DeviceNumber") -> bool:
        """Say whether the other number is this one, or so shortly before it as to be told again."""
        back = (self.number - other.number) % self.last
        return self.clock == other.clock and back < TOLD_AGAIN


TOLD_AGAIN = 256
"""No device tells more events again than it keeps."""


@dataclass(frozen=True, slots=True)
class Interval:
    """When something happened: not before `earliest`, not after `latest`."""

    earliest: Moment
    latest: Moment
    quality: Quality
    stamp: DeviceStamp | None = None

    @classmethod
    def exactly(cls, moment: Moment, quality: Quality = Quality.REFEREE) -> Self:
        """Return the interval of a happening whose moment is known."""
        return cls(moment, moment, quality)

    def shifted(self, span: timedelta) -> "Interval":
        """Return the interval of something that follows this one after a fixed time."""
        stamp = self.stamp and DeviceStamp(
            self.stamp.clock, self.stamp.at + span, self.stamp.resolution
        )
        return Interval(self.earliest + span, self.latest + span, self.quality, stamp)


@dataclass(frozen=True, slots=True)
class Elapsed:
    """The shortest and the longest time that can have passed between two happenings."""

    least: timedelta
    most: timedelta

    def __add__(self, other: "Elapsed") -> "Elapsed":
        return Elapsed(self.least + other.least, self.most + other.most)

    def over(self, limit: timedelta) -> bool:
        """Say whether even the reading most favourable to the player is over the limit.

        Rule: equality is in time; doubt favours the player (docs/adr/0006).
        """
        return self.least > limit

    def too_close(self, limit: timedelta) -> bool:
        """Say whether the readings lie on both sides of the limit."""
        return self.least <= limit < self.most


NOTHING = Elapsed(ZERO, ZERO)
"""No time at all."""


def elapsed(start: Interval, end: Interval) -> Elapsed:
    """Return the time between two happenings, in device time where both were stamped by one clock.

    In device time the error of the link cancels and only the resolution of the stamps remains.
    """
    if start.stamp and end.stamp and start.stamp.clock == end.stamp.clock:
        span = end.stamp.at - start.stamp.at
        doubt = max(start.stamp.resolution, end.stamp.resolution)
        return Elapsed(span - doubt, span + doubt)
    return Elapsed(end.earliest - start.latest, end.latest - start.earliest)


def overlap(first: Interval, second: Interval) -> bool:
    """Say whether two happenings must be taken as simultaneous."""
    span = elapsed(first, second)
    return span.least <= ZERO <= span.most
