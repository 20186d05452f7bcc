"""Faults to plant into the core, each of them one that somebody could have programmed."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

import timing.calls
import timing.hearing
import timing.pauses
import timing.replacements
from controller.table_core import TableRules
from scoring.alert import STANDING, AlertStatus
from table.events import Call
from table.moment import ZERO, Elapsed, Interval, Quality
from table.seat import Seat
from timing.judgement import Gesture
from timing.phases import Hand, Paused
from timing.rules import FirstStart, SeveralHu, TimeRules, TurnStart
from timing.steps import Step
from timing.turn_parts import Claim, Clock, Discard

Plant = Callable[[pytest.MonkeyPatch, TableRules], TableRules]


@dataclass(frozen=True)
class Fault:
    """A fault, and a book in which the sample must show it."""

    name: str
    book: str
    plant: Plant


def timed(**values: object) -> Plant:
    """Read some values about time wrongly."""

    def plant(_: pytest.MonkeyPatch, rules: TableRules) -> TableRules:
        return replace(rules, time=replace(rules.time, **values))  # type: ignore[arg-type]

    return plant


def patched(target: str, value: object) -> Plant:
    """Program one function wrongly."""

    def plant(monkeypatch: pytest.MonkeyPatch, rules: TableRules) -> TableRules:
        monkeypatch.setattr(target, value)
        return rules

    return plant


def with_reach(sign: int) -> Plant:
    def plant(_: pytest.MonkeyPatch, rules: TableRules) -> TableRules:
        return replace(rules, time=replace(rules.time, reach_time=sign * rules.time.reach_time))

    return plant


def one_step_too_far(_: pytest.MonkeyPatch, rules: TableRules) -> TableRules:
    ladders = {
        kind: replace(ladder, steps=ladder.steps[1:] or ladder.steps)
        for kind, ladder in rules.fouls.ladders.items()
    }
    return replace(rules, fouls=replace(rules.fouls, ladders=ladders))


def sum_at_its_limit(_: pytest.MonkeyPatch, rules: TableRules) -> TableRules:
    found = rules.fouls.overtime_sum
    assert found
    return replace(
        rules, fouls=replace(rules.fouls, overtime_sum=replace(found, above=found.above - 1))
    )


def any_empty_call(_: pytest.MonkeyPatch, rules: TableRules) -> TableRules:
    sensed = replace(rules.time.sensed, empty_calls=frozenset(Call))
    return replace(rules, time=replace(rules.time, sensed=sensed))


def reversed_still_counts(monkeypatch: pytest.MonkeyPatch, rules: TableRules) -> TableRules:
    for room in ("alert", "case_list", "recount"):
        monkeypatch.setattr(f"scoring.{room}.STANDING", STANDING | {AlertStatus.REVERSED})
    return rules


def counted_from_the_claim(rules: TimeRules, hand: Hand, pool: Discard, call: Claim) -> Clock:
    return _claimed_clock(rules, hand, replace(pool, when=call.when), call)


def told_as_it_happens(seat: Seat, when: Interval, _replayed: object) -> Gesture:
    return Gesture(seat, when)


def at_once(_after: Interval, shown_by: Interval) -> Interval:
    return replace(shown_by, quality=Quality.DEVICE)


def without_stamps(start: Interval, end: Interval) -> Elapsed:
    return Elapsed(end.earliest - start.latest, end.latest - start.earliest)


def with_the_rest(rules: TimeRules, hand: Hand, when: Interval, *, remaining: bool) -> Step:
    return _resume(rules, hand, when, remaining=not remaining)


def from_the_pause(
    rules: TimeRules, hand: Hand, paused: Paused, when: Interval, *, remaining: bool
) -> Step:
    del when
    return _go_on(rules, hand, paused, paused.since, remaining=remaining)


def from_the_press(rules: TimeRules, hand: Hand, clock: Clock, said: Gesture) -> Clock:
    fresh = _fresh(rules, hand, clock, said)
    return replace(fresh, start=fresh.basis, presumed=True)


_claimed_clock, _resume = timing.turn_clock.claimed_clock, timing.pauses.resume
_go_on = timing.pauses._go_on  # noqa: SLF001 - the fault is planted right there
_fresh = timing.replacements._fresh  # noqa: SLF001 - as above

FAULTS = (
    Fault(
        "exactly at the limit is over",
        "mcr-2014",
        patched("table.moment.Elapsed.over", lambda span, limit: span.least >= limit),
    ),
    Fault(
        "doubt charges the player",
        "jingji-2012",
        patched("table.moment.Elapsed.over", lambda span, limit: span.most > limit),
    ),
    Fault("a turn counts from the discard", "mcr-2014", timed(turn_starts=TurnStart.UPPER_DISCARD)),
    Fault("a turn counts from the draw", "gb-1998", timed(turn_starts=TurnStart.DRAW)),
    Fault("opening flowers count", "gb-1998", timed(first_starts=FirstStart.DEAL)),
    Fault("the margin of a presumed start is forgotten", "mcr-2014", timed(presumed_margin=ZERO)),
    Fault("reaching is added instead of taken off", "jingji-2012", with_reach(-1)),
    Fault(
        "a called turn counts from the call",
        "gb-1998",
        patched("timing.calls.claimed_clock", counted_from_the_claim),
    ),
    Fault("a late pung stands", "jingji-2012", timed(late_call_stands=True)),
    Fault(
        "a limit after a kong counts from the press though the tile is sensed",
        "wsom-2010",
        patched("timing.replacements._fresh", from_the_press),
    ),
    Fault("a kong opens no fresh limit", "mcr-2014", timed(kong_restarts=False)),
    Fault("a flower opens a fresh limit", "gb-1998", timed(flower_restarts=True)),
    Fault("the untimed opening is forgotten", "wsom-2010", timed(untimed_opening=None)),
    Fault("the total of the hand is forgotten", "wsom-2010", timed(hand_total=None)),
    Fault("a pause counts", "wsom-2010", patched("timing.pauses._go_on", from_the_pause)),
    Fault(
        "what a broken turn has used is forgotten",
        "wsom-2010",
        patched("timing.standing.used_until", lambda clock, _when: clock.earlier),
    ),
    Fault(
        "a pause leaves the old limit", "mcr-2014", patched("timing.orders.resume", with_the_rest)
    ),
    Fault(
        "given time is forgotten",
        "mcr-2014",
        patched("timing.phases.Clock.allowed", property(lambda clock: clock.limit)),
    ),
    Fault(
        "the farthest seat has the tile",
        "mcr-2014",
        patched("timing.precedence.places_from", lambda origin, seat: (origin - seat) % 4),
    ),
    Fault("every hu wins", "mcr-2014", timed(several_hu=SeveralHu.ALL)),
    Fault(
        "the nearest hu wins though it was later", "gb-1998", timed(several_hu=SeveralHu.NEAREST)
    ),
    Fault(
        "what was implied is measured",
        "gb-1998",
        patched("timing.discards.implied", at_once),
    ),
    Fault(
        "what is replayed charges",
        "mcr-2014",
        patched("timing.hearing.Gesture", told_as_it_happens),
    ),
    Fault(
        "the stamps of the box are ignored",
        "jingji-2012",
        patched("timing.intervals.elapsed", without_stamps),
    ),
    Fault("an empty pung is a foul", "made-up", any_empty_call),
    Fault("the ladder begins one step too far", "mcr-2014", one_step_too_far),
    Fault("what was reversed still counts", "mcr-2014", reversed_still_counts),
    Fault(
        "a started span counts when it is over",
        "wsom-2010",
        patched("scoring.ladder.spans", lambda started, foul: foul.excess // started.span),
    ),
    Fault("the sum counts at its limit", "wsom-2010", sum_at_its_limit),
)
