"""What time alone does to a hand: the window closes, the lamp is lit, the limit is reached."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from table.commands import SetLamp, SoundBuzzer
from table.fouls import FoulKind
from table.moment import Moment
from table.seat import Seat
from timing.effects import HandEffect, OverLimit
from timing.phases import Arranging, Hand, Turn
from timing.rules import TimeRules
from timing.standing import close_window
from timing.steps import Step
from timing.totals import total_at
from timing.turn_clock import lamp_at, limit_at, started, window_end
from timing.turn_parts import Clock


class Due(IntEnum):
    """What falls due, in the order in which it happens at one moment."""

    WINDOW = 1
    LAMP = 2
    LIMIT = 3
    TOTAL = 4


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that time does at a moment."""

    at: Moment
    due: Due


def next_happening(rules: TimeRules, hand: Hand) -> Happening | None:
    """Return what time does next."""
    return min(_happenings(rules, hand), key=lambda each: (each.at, each.due), default=None)


def pass_to(rules: TimeRules, hand: Hand, now: Moment) -> Step:
    """Let everything happen that is due up to and including `now`."""
    step = Step(hand)
    while (next_one := next_happening(rules, step.state)) is not None and next_one.at <= now:
        happened = _happen(rules, step.state, next_one.due)
        step = Step(happened.state, step.effects + happened.effects)
    return step


def _happenings(rules: TimeRules, hand: Hand) -> Iterator[Happening]:
    match hand.phase:
        case Turn(clock=clock, pool=pool):
            if pool.open:
                yield Happening(window_end(rules, pool).latest, Due.WINDOW)
            yield from _clock_dues(rules, clock)
        case Arranging(clock=clock) if clock is not None:
            yield from _clock_dues(rules, clock)
        case _:
            return
    if (used_up := total_at(rules, hand)) is not None:
        yield Happening(used_up, Due.TOTAL)


def _clock_dues(rules: TimeRules, clock: Clock) -> Iterator[Happening]:
    lamp, limit = lamp_at(rules, clock), limit_at(clock)
    if lamp is not None and not clock.lit:
        yield Happening(lamp, Due.LAMP)
    if limit is not None and not clock.over:
        yield Happening(limit, Due.LIMIT)


def _happen(rules: TimeRules, hand: Hand, due: Due) -> Step:
    match hand.phase:
        case Turn() as turn if due is Due.WINDOW:
            return _close_by_time(hand, turn)
        case Turn(seat=seat, clock=clock) as turn:
            shown = replace(_told(hand, seat, due), phase=replace(turn, clock=_shown(clock, due)))
            return Step(shown, _signals(rules, seat, due))
        case Arranging(clock=clock) as arranging if clock is not None:
            arranged = replace(arranging, clock=_shown(clock, due))
            shown = replace(_told(hand, hand.dealer, due), phase=arranged)
            return Step(shown, _signals(rules, hand.dealer, due))
        case _:
            return Step(hand)


def _told(hand: Hand, seat: Seat, due: Due) -> Hand:
    return replace(hand, total_over=hand.total_over | {seat}) if due is Due.TOTAL else hand


def _shown(clock: Clock, due: Due) -> Clock:
    match due:
        case Due.LAMP:
            return replace(clock, lit=True)
        case Due.TOTAL:
            return replace(clock, spent=True)
        case Due.LIMIT | Due.WINDOW:
            return replace(clock, over=True)


def _close_by_time(hand: Hand, turn: Turn) -> Step:
    """Close the window; a clock that waited for nothing else starts, presumed."""
    closed = replace(turn, pool=replace(turn.pool, open=False))
    if turn.clock.start is not None or hand.inputs.draws:
        return Step(replace(hand, phase=closed), close_window(turn))
    clock = replace(turn.clock, start=turn.clock.basis, presumed=True)
    effects = (*close_window(turn), started(turn.seat, clock))
    return Step(replace(hand, phase=replace(closed, clock=clock)), effects)


def _signals(rules: TimeRules, seat: Seat, due: Due) -> tuple[HandEffect, ...]:
    if due is Due.LAMP:
        return (SetLamp(seat, lit=True),)
    total = due is Due.TOTAL
    kind = FoulKind.HAND_TOTAL_OVER if total else FoulKind.DISCARD_OVER_LIMIT
    return SoundBuzzer(seat, rules.beep), OverLimit(seat, kind)
