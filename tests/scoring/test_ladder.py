from datetime import timedelta

import pytest

from scoring.ladder import proposed
from scoring.rules import Ladder, Started
from table.fouls import FoulKind
from table.sanctions import CHOICE, WARNING, Measure, Sanction, measure, pay_each, points
from tests.scoring.cases import (
    BARELY,
    FIFTH,
    JINGJI,
    LATE,
    MCR,
    SECOND,
    SLOW,
    TOTAL,
    WSOM,
    Table,
    foul,
)

FOUL = foul("f1")


@pytest.mark.parametrize(
    ("step", "sanction"),
    list(enumerate([WARNING, *map(points, (5, 10, 20, 30, 40, 50, 60, 60, 60))], start=1)),
)
def test_a_late_pung_is_warned_then_costs_5_10_20_and_so_on_up_to_60(
    step: int, sanction: Sanction
) -> None:
    assert proposed(MCR.ladders[LATE], step, FOUL) == sanction


@pytest.mark.parametrize(
    ("kind", "sanctions"),
    [
        (LATE, [WARNING, pay_each(10), pay_each(20), measure(Measure.OUT_FOR_SESSION)]),
        (FoulKind.EARLY_DRAW, [pay_each(10), pay_each(20), measure(Measure.OUT_FOR_SESSION)]),
        (SLOW, [WARNING, pay_each(10), pay_each(20), CHOICE]),
    ],
)
def test_jingji_pays_each_of_the_others_and_then_puts_the_player_out(
    kind: FoulKind, sanctions: list[Sanction]
) -> None:
    ladder = JINGJI.ladders[kind]
    steps = range(1, len(sanctions) + 1)
    assert [proposed(ladder, step, FOUL) for step in steps] == sanctions
    assert proposed(ladder, len(sanctions) + 5, FOUL) == sanctions[-1]


@pytest.mark.parametrize("kind", [SLOW, TOTAL])
@pytest.mark.parametrize(
    ("over", "amount"),
    [
        (BARELY, 5),
        (15 * SECOND - BARELY, 5),
        (15 * SECOND, 5),
        (15 * SECOND + BARELY, 10),
        (30 * SECOND, 10),
        (30 * SECOND + BARELY, 15),
        (239 * SECOND, 80),
        (241 * SECOND, 85),
    ],
)
def test_wsom_takes_5_for_each_started_15_seconds(
    kind: FoulKind, over: timedelta, amount: int
) -> None:
    alert = Table(WSOM).overran("f1", over, kind)
    assert alert.proposal == points(amount)


def test_started_spans_are_counted_by_the_reading_most_favourable_to_the_player() -> None:
    seen = foul("f1", over=15 * SECOND)
    assert seen.measured is not None
    assert seen.measured.most - (seen.limit or SECOND) > 15 * SECOND
    assert proposed(WSOM.ladders[SLOW], 1, seen) == points(5)


def test_a_turn_costs_the_same_however_many_there_were_before() -> None:
    table = Table(WSOM)
    for name in ("f1", "f2", "f3"):
        assert table.overran(name, 20 * SECOND).proposal == points(10)
        table.taken_up(name)
        table.confirmed(name)


def test_what_was_entered_without_a_measurement_costs_one_started_span() -> None:
    assert Table(WSOM).entered(SLOW).proposal == points(5)


def test_started_spans_come_on_top_of_a_step_that_costs_points() -> None:
    assert proposed(FIFTH.ladders[LATE], 2, foul("f1", over=9 * SECOND)) == pay_each(2 + 3)


def test_started_spans_make_no_deduction_of_a_warning() -> None:
    ladder = Ladder((WARNING, points(10)), "made up", started=Started(5, SECOND))
    assert proposed(ladder, 1, FOUL) == WARNING
    assert proposed(ladder, 2, FOUL) == points(15)
