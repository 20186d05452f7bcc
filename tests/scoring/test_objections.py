"""What is recorded first, and raised when somebody objects (docs/adr/0020)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scoring.alert import AlertStatus
from scoring.effects import AlertChanged, AlertLapsed, AlertRaised, AlertRecorded
from table.answers import Code
from table.fouls import FoulKind
from table.sanctions import WARNING, points
from table.seat import Seat
from tests.scoring.cases import (
    BARELY,
    CLAIMING,
    FIFTH,
    SECOND,
    SLOW,
    TOTAL,
    WSOM,
    Table,
    charge,
    foul,
)


def test_a_slow_turn_in_wsom_is_recorded_and_disturbs_nobody() -> None:
    table = Table(WSOM)
    alert = table.overran("f1", SECOND)
    assert table.effects == (AlertRecorded(alert),)
    assert (alert.status, alert.proposal) == (AlertStatus.UNCLAIMED, points(5))
    assert table.docket.before_the_referee == ()
    assert table.docket.waiting_for_objection == (alert,)


def test_whoever_objects_has_it_raised_with_the_measurement_from_when_it_happened() -> None:
    table = Table(WSOM)
    before = table.overran("f1", 16 * SECOND)
    alert = table.taken_up("f1", Seat.FOUR)
    assert table.effects == (AlertRaised(alert),)
    assert (alert.status, alert.objector) == (AlertStatus.OPEN, Seat.FOUR)
    assert (alert.foul, alert.proposal) == (before.foul, points(10))
    assert table.docket.waiting_for_objection == ()


def test_the_referee_takes_it_up_without_an_objector() -> None:
    table = Table(WSOM)
    table.overran("f1", SECOND)
    assert table.taken_up("f1").objector is None
    assert table["f1"].status is AlertStatus.OPEN


def test_who_is_charged_cannot_be_who_objects() -> None:
    table = Table(WSOM)
    table.overran("f1", SECOND)
    before = table.docket
    table.taken_up("f1", Seat.THREE)
    assert table.refusal().code is Code.BAD_VALUE
    assert table.refusal().reason == ("alert f1: objector is seat 3, but must be one of the others")
    assert table.docket == before


def test_after_the_next_hand_began_it_is_too_late_to_object() -> None:
    table = Table(WSOM)
    table.overran("f1", SECOND)
    table.hand_began("h2")
    assert table.effects == (AlertLapsed(table["f1"]),)
    table.taken_up("f1")
    assert table.refusal().code is Code.WRONG_PHASE


def test_the_total_of_a_hand_can_be_objected_to_in_the_next() -> None:
    table = Table(WSOM)
    table.overran("f1", SECOND, TOTAL)
    table.hand_began("h2")
    assert table.quiet()
    assert table.taken_up("f1").status is AlertStatus.OPEN


@pytest.mark.parametrize(
    ("over", "status"),
    [
        (BARELY, AlertStatus.UNCLAIMED),
        (2 * SECOND, AlertStatus.UNCLAIMED),
        (2 * SECOND + BARELY, AlertStatus.OPEN),
    ],
)
def test_up_to_the_margin_a_foul_is_recorded_and_beyond_it_raised(
    over: timedelta, status: AlertStatus
) -> None:
    assert Table(FIFTH).overran("f1", over).status is status


def test_a_foul_that_is_not_measured_is_raised_whatever_the_margin() -> None:
    table = Table(FIFTH)
    seen = replace(foul("f1", kind=SLOW), measured=None, limit=None)
    table.happens(charge(seen))
    assert table["f1"].status is AlertStatus.OPEN


def test_an_early_draw_is_beyond_a_margin_of_nothing() -> None:
    assert Table().charged("f1", kind=FoulKind.EARLY_DRAW).status is AlertStatus.OPEN


def test_the_proposal_of_what_is_recorded_follows_what_stands() -> None:
    table = Table(CLAIMING)
    table.charged("f1", kind=SLOW)
    assert table.charged("f2", kind=SLOW).proposal == WARNING
    table.taken_up("f1")
    table.confirmed("f1")
    assert table.effects[1:] == (AlertChanged(table["f2"]),)
    assert (table["f2"].status, table["f2"].proposal) == (AlertStatus.UNCLAIMED, points(5))
