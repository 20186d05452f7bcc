"""Whether a press was over a limit, and what may be charged for it."""

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import reduce

from table.events import Call
from table.fouls import FoulKind, FoulSeen, OverrunRecorded, TooClose
from table.moment import NOTHING, ZERO, Elapsed, Interval
from table.seat import Seat
from timing.effects import HandEffect, TurnMeasured
from timing.intervals import since
from timing.phases import Hand
from timing.rules import TimeRules
from timing.steps import Step
from timing.turn_parts import Clock, Discard, Overrun

CALLS_OF_THREE = frozenset({Call.PUNG, Call.KONG})
"""The calls that the window limits."""


@dataclass(frozen=True, slots=True)
class Gesture:
    """What a seat said, and when."""

    seat: Seat
    when: Interval
    replayed: bool = False
    """Delivered after an outage: never charges."""
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a press tells about a turn, and what it charges."""

    effects: tuple[HandEffect, ...] = ()
    overruns: tuple[Overrun, ...] = ()
    used: Elapsed = NOTHING
    """Thinking time that counts towards the total of the hand."""
    doubts: tuple[TooClose | OverrunRecorded, ...] = ()
    """What is recorded and charges nobody."""


def judge_turn(rules: TimeRules, clock: Clock, said: Gesture) -> Verdict:
    """Measure a turn by the seat's own press.

    Doubt favours the player: equality is in time, a presumed start has the event's margin, and
    what was replayed charges nobody (docs/adr/0006).
    """
    start, presumed = clock.start or clock.basis, clock.presumed or clock.start is None
    allowed, taken = clock.allowed, since(start, said.when)
    limit = allowed.span
    effects: tuple[HandEffect, ...] = (TurnMeasured(said.seat, taken, limit, presumed),)
    if said.replayed or not clock.judged:
        return Verdict(effects)
    margin = rules.presumed_margin if presumed else ZERO
    kind, used = FoulKind.DISCARD_OVER_LIMIT, clock.earlier + taken
    if taken.over(limit + margin):
        overrun = Overrun(kind, said.seat, taken, allowed, start, said.when, presumed)
        return Verdict(effects, (overrun,), used)
    if taken.over(limit):
        recorded = OverrunRecorded(kind, said.seat, taken, limit, margin)
        return Verdict(effects, used=used, doubts=(recorded,))
    if taken.too_close(limit):
        doubt = TooClose(kind, said.seat, taken, limit)
        return Verdict(effects, used=used, doubts=(doubt,))
    return Verdict(effects, used=used)


def call_taken(rules: TimeRules, pool: Discard, claim: Interval) -> Elapsed:
    """Return the time from a discard to the call, the reach time in the player's favour."""
    taken = since(pool.when, claim)
    reach = timedelta(0) if rules.press_is_the_call else rules.reach_time
    return Elapsed(max(taken.least - reach, ZERO), taken.most)


def too_late_to_call(rules: TimeRules, taken: Elapsed) -> bool:
    """Say whether a call may be later than anybody calls the newest discard."""
    window = rules.call_window
    return window is not None and taken.most > window.span + rules.late_call_span


def judge_call(rules: TimeRules, pool: Discard, said: Gesture) -> Verdict:
    """Measure a call of the newest discard against the call window.

    Only a pung or a kong can be late; where the kind is unknown, a call of the next seat in order
    of play may be a chow. Later than anybody calls it is of another discard (docs/adr/0017).
    """
    window = rules.call_window
    of_three = said.call in CALLS_OF_THREE or (
        said.call is None and said.seat is not pool.seat.lower
    )
    if window is None or said.replayed or not pool.measurable or not of_three:
        return Verdict()
    taken = call_taken(rules, pool, said.when)
    kind = FoulKind.LATE_PUNG
    if too_late_to_call(rules, taken):
        return Verdict()
    if taken.over(window.span):
        return Verdict((), (Overrun(kind, said.seat, taken, window, pool.when, said.when),))
    if taken.too_close(window.span):
        return Verdict(doubts=(TooClose(kind, said.seat, taken, window.span),))
    return Verdict()


def charge(hand: Hand, overruns: tuple[Overrun, ...]) -> Step:
    """Turn what was over a limit into fouls of this hand."""
    return reduce(
        lambda step, overrun: step.then(lambda h: _foul(h, overrun)), overruns, Step(hand)
    )


def _foul(hand: Hand, overrun: Overrun) -> Step:
    count = hand.fouls + 1
    foul = FoulSeen(
        id=f"{hand.hand}-f{count}",
        kind=overrun.kind,
        seat=overrun.seat,
        hand=hand.hand,
        measured=overrun.measured,
        limit=None if overrun.measured is None else overrun.limit.span,
        rule=overrun.limit.rule,
        started=overrun.started,
        ended=overrun.ended,
        presumed=overrun.presumed,
    )
    return Step(replace(hand, fouls=count), (foul,))
