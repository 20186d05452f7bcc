"""When something happened, in whole microseconds, reckoned the plain way."""

from dataclasses import dataclass, replace
from datetime import timedelta

from table.moment import Interval, Quality

SECOND = 1_000_000
MILLISECOND = 1_000


@dataclass(frozen=True)
class When:
    """Not before `first`, not after `last`; `stamp` is what the box's own clock showed."""

    first: int
    last: int
    box: str = ""
    stamp: int = 0
    grain: int = 0
    unseen: bool = False


@dataclass(frozen=True)
class Span:
    """At least and at most so long."""

    least: int
    most: int


def micros(span: timedelta) -> int:
    return span // timedelta(microseconds=1)


def read(interval: Interval) -> When:
    unseen = interval.quality is Quality.IMPLIED
    first, last, stamp = interval.earliest.micros, interval.latest.micros, interval.stamp
    if stamp is None:
        return When(first, last, unseen=unseen)
    return When(first, last, stamp.clock, micros(stamp.at), micros(stamp.resolution), unseen)


def at(moment: int) -> When:
    return When(moment, moment)


def plus(when: When, span: int) -> When:
    return replace(
        when, first=when.first + span, last=when.last + span, stamp=when.stamp + span, unseen=False
    )


def apart(start: When, end: When) -> Span:
    """Take the difference, which may be below zero; one box's stamps are better than ours."""
    if start.box and start.box == end.box:
        grain = max(start.grain, end.grain)
        return Span(end.stamp - start.stamp - grain, end.stamp - start.stamp + grain)
    return Span(end.first - start.last, end.last - start.first)


def passed(start: When, end: When) -> Span:
    span = apart(start, end)
    return Span(max(span.least, 0), max(span.most, 0))


def later(one: When, other: When) -> When:
    """Take the later of two, or what covers both where nobody can tell."""
    span = apart(one, other)
    if span.least >= 0:
        return other
    if span.most <= 0:
        return one
    return When(max(one.first, other.first), max(one.last, other.last), unseen=other.unseen)


def together(one: When, other: When) -> bool:
    span = apart(one, other)
    return span.least <= 0 <= span.most
