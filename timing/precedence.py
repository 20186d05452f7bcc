"""Which of several calls comes first, whatever order they were read in."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from table.moment import ZERO, Interval, elapsed
from table.seat import Seat
from timing.judgement import CALLS_OF_THREE
from timing.turn_parts import Claim, Discard


class Call(Protocol):
    """What a seat called, and when."""

    @property
    def seat(self) -> Seat:
        """Who called."""

    @property
    def when(self) -> Interval:
        """When it can have been."""


C = TypeVar("C", bound=Call)


def certainly_before(first: Interval, second: Interval) -> bool:
    """Say whether one happening came before another by every reading."""
    return elapsed(first, second).least > ZERO


def places_from(origin: Seat, seat: Seat) -> int:
    """Count the places from a discarder in order of play, 1 to 4; itself is the last."""
    return origin.steps_to(seat) or len(Seat)


def earliest(calls: Sequence[C]) -> tuple[C, ...]:
    """Return the calls that no other one certainly precedes: they count as simultaneous."""
    return tuple(
        call for call in calls if not any(certainly_before(each.when, call.when) for each in calls)
    )


def nearest(calls: Sequence[C], origin: Seat) -> C | None:
    """Return the call of the seat that is next in order of play from a discarder."""
    return min(calls, key=lambda call: places_from(origin, call.seat), default=None)


def of_three(pool: Discard, call: Claim) -> bool:
    """Say whether a call ranks as pung or kong; the next seat's may be a chow where unknown."""
    return call.call in CALLS_OF_THREE or (call.call is None and call.seat is not pool.seat.lower)


def holder(pool: Discard) -> Claim | None:
    """Return the call that has the discard: pung and kong before chow, then the earlier.

    Of simultaneous calls of one rank the nearest to the discarder has it (mcr-2014 art. 6 碰牌,
    wsom-2010 鸣牌优先规条 §1).
    """
    standing = [call for call in pool.claims if call.stands]
    highest = [call for call in standing if of_three(pool, call)] or standing
    return nearest(earliest(highest), pool.seat)
