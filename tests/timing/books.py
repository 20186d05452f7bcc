"""Rule books for the tests: mcr-2014 by its articles, and a made-up one that differs in all."""

from dataclasses import replace
from datetime import timedelta

from timing.rules import Limit, TimeRules, TurnStart


def seconds(count: float) -> timedelta:
    return timedelta(microseconds=round(count * 1_000_000))


MCR = TimeRules(
    name="mcr-2014",
    first_discard=Limit(seconds(20), "mcr-2014 art. 5 (赛前 6)"),
    turn=Limit(seconds(10), "mcr-2014 art. 6 (出牌)"),
    turn_starts=TurnStart.DRAW,
    call_window=Limit(seconds(3), "mcr-2014 art. 6 (碰牌)"),
    kong_restarts=True,
    flower_restarts=True,
    presumed_margin=seconds(3),
    press_is_the_call=True,
    reach_time=seconds(1),
    late_call_stands=False,
    late_call_span=seconds(3),
    repeat_press=seconds(3),
    kongs_at_most=4,
    flowers_at_most=8,
    missed_press_notice=2,
    lamp_before=seconds(3),
    beep=timedelta(milliseconds=300),
    slow_cycle=seconds(60),
)

FROM_DISCARD = replace(
    MCR,
    name="made-up",
    first_discard=Limit(seconds(15), "made-up §1"),
    turn=Limit(seconds(12), "made-up §2"),
    turn_starts=TurnStart.UPPER_DISCARD,
    flower_restarts=False,
)
"""Each limit counts from the upper seat's discard; a flower is inside it."""

WINDOWLESS = replace(FROM_DISCARD, call_window=None)
"""As before, with no limit for calls."""

LENIENT = replace(MCR, late_call_stands=True)
"""A late pung is a foul and stands all the same."""

REACHING = replace(MCR, press_is_the_call=False)
"""The call is the word; the press may come a second after it."""
