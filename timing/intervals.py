"""Reckoning with intervals, always with the doubt in the player's favour."""

from table.moment import ZERO, Elapsed, Interval, Quality, elapsed


def since(start: Interval, end: Interval) -> Elapsed:
    """Return the time from start to end, never below zero.

    A presumed start can lie after the end: the player was quicker than the rules suppose.
    """
    span = elapsed(start, end)
    return Elapsed(max(span.least, ZERO), max(span.most, ZERO))


def later(first: Interval, second: Interval) -> Interval:
    """Return the later of two happenings; where that is in doubt, an interval that covers it."""
    span = elapsed(first, second)
    if span.least >= ZERO:
        return second
    if span.most <= ZERO:
        return first
    return Interval(
        max(first.earliest, second.earliest),
        max(first.latest, second.latest),
        second.quality,
    )


def implied(after: Interval, shown_by: Interval) -> Interval:
    """Return the whole interval between two happenings, in which something must have happened."""
    latest = max(after.earliest, shown_by.latest)
    return Interval(after.earliest, latest, Quality.IMPLIED)
