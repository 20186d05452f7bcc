"""Rule books for the tests: the four by their articles, and made-up ones that differ in all."""

from dataclasses import replace
from datetime import timedelta

from table.events import Call
from timing.rules import (
    FirstStart,
    Limit,
    Sensed,
    SeveralHu,
    TakenFrom,
    TimeRules,
    TurnStart,
    WallNamedBy,
    WallRules,
)

CALLS_OF_A_DISCARD = frozenset({Call.CHOW, Call.PUNG, Call.KONG})


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
    sensed=Sensed(
        early_draw="mcr-2014 art. 11 (违例 4)",
        empty_call="mcr-2014 art. 11 (违例 3)",
        empty_calls=CALLS_OF_A_DISCARD,
    ),
)

GB = replace(
    MCR,
    name="gb-1998",
    first_discard=Limit(seconds(30), "gb-1998 (四)"),
    turn=Limit(seconds(15), "gb-1998 (四)"),
    turn_starts=TurnStart.UPPER_DISCARD,
    first_starts=FirstStart.LAST_FLOWER,
    call_window=Limit(seconds(3), "gb-1998 (六)"),
    flower_restarts=False,
    sensed=Sensed(
        early_draw="decision: as mcr-2014",
        empty_call="decision: as mcr-2014",
        empty_calls=CALLS_OF_A_DISCARD,
    ),
)

JINGJI = replace(
    MCR,
    name="jingji-2012",
    first_discard=Limit(seconds(20), "jingji-2012 ch. 3 art. 7 (四)"),
    turn=Limit(seconds(10), "jingji-2012 ch. 3 art. 7 (四)"),
    turn_starts=TurnStart.UPPER_DISCARD,
    first_starts=FirstStart.LAST_FLOWER,
    call_window=Limit(seconds(3), "jingji-2012 ch. 4 art. 2 (五)"),
    flower_restarts=False,
    several_hu=SeveralHu.ALL,
    sensed=Sensed(
        early_draw="jingji-2012 ch. 4 art. 2 (四)",
        empty_call="jingji-2012 ch. 4 art. 2 (三)",
        empty_calls=frozenset({Call.PUNG, Call.KONG}),
    ),
)

WSOM = replace(
    MCR,
    name="wsom-2010",
    first_discard=Limit(seconds(15), "wsom-2010 打牌时限 §2"),
    turn=Limit(seconds(15), "wsom-2010 打牌时限 §2"),
    turn_starts=TurnStart.UPPER_DISCARD,
    call_window=None,
    flower_restarts=False,
    flowers_at_most=0,
    untimed_opening=Limit(seconds(15), "wsom-2010 打牌时限 §4"),
    hand_total=Limit(seconds(180), "wsom-2010 打牌时限 §1"),
    several_hu=SeveralHu.NEAREST,
    opening_flowers=False,
    sensed=Sensed(
        early_draw="wsom-2010 摸打规条 §1",
        discard_before_draw="wsom-2010 摸打规条 §3",
        empty_call="wsom-2010 错鸣 §2",
        empty_calls=CALLS_OF_A_DISCARD,
    ),
)

FIFTH = replace(
    MCR,
    name="fifth",
    first_discard=Limit(seconds(25), "fifth §1"),
    turn=Limit(seconds(12), "fifth §2"),
    turn_starts=TurnStart.DRAW,
    first_starts=FirstStart.LAST_FLOWER,
    call_window=Limit(seconds(4), "fifth §3"),
    late_call_stands=True,
    kong_restarts=False,
    flower_restarts=True,
    flowers_at_most=3,
    untimed_opening=Limit(seconds(10), "fifth §4"),
    hand_total=Limit(seconds(20), "fifth §5"),
    several_hu=SeveralHu.NEAREST,
    opening_flowers=True,
    sensed=Sensed(
        early_draw="fifth §6",
        discard_before_draw="fifth §7",
        empty_call="fifth §8",
        empty_calls=frozenset({Call.CHOW}),
    ),
)
"""Nobody's: the values of the four, permuted. What holds for a published book holds for it."""

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

MCR_WALL = WallRules(18, WallNamedBy.SECOND_THROWER, TakenFrom.AFTER, 0, "mcr-2014 art. 5 (赛前 5)")
JINGJI_WALL = WallRules(18, WallNamedBy.ONE_THROW, TakenFrom.AT, 0, "jingji-2012 ch. 3 art. 6 (四)")
WSOM_WALL = WallRules(17, WallNamedBy.SECOND_THROWER, TakenFrom.AFTER, 14, "wsom-2010 开门 §§1-4")
