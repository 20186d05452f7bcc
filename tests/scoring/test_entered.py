"""Fouls that no table senses, entered by a referee."""

import pytest

from scoring.alert import AlertStatus
from scoring.docket import Entered
from scoring.effects import AlertRaised
from table.alert_commands import EnterFoul
from table.answers import Code
from table.fouls import FoulKind
from table.moment import Moment
from table.sanctions import CHOICE, WARNING, Measure, measure, pay_each, points
from table.seat import Seat
from tests.scoring.cases import (
    CHEATED,
    FIFTH,
    JINGJI,
    LATE,
    LEASE,
    MCR,
    PLAYERS,
    SLOW,
    SUM,
    TOTAL,
    WSOM,
    Table,
)

FALSE_HU, ODD = FoulKind.FALSE_HU, FoulKind.ODD_MOVEMENTS


def test_a_false_hu_is_an_alert_kept_for_the_referee_who_entered_it() -> None:
    table = Table(now=Moment(7))
    alert = table.entered(FALSE_HU)
    assert table.effects == (AlertRaised(alert),)
    assert (alert.id, alert.status, alert.holder) == (
        "h1-r1", AlertStatus.ACKNOWLEDGED, "referee-1",
    )  # fmt: skip
    assert alert.lease_ends == Moment(60_000_007)
    assert (alert.step, alert.proposal) == (1, pay_each(10, Measure.NO_HU))
    assert (alert.player, alert.players) == ("ann", PLAYERS)


def test_the_foul_says_who_entered_it_and_what_was_remarked() -> None:
    foul = Table().entered(FALSE_HU).foul
    assert (foul.entered_by, foul.remark) == ("referee-1", "seen from behind")
    assert (foul.kind, foul.seat, foul.hand) == (FALSE_HU, Seat.THREE, "h1")
    assert (foul.measured, foul.limit, foul.started, foul.ended) == (None, None, None, None)
    assert foul.rule == MCR.ladders[FALSE_HU].rule


def test_entered_fouls_of_a_hand_are_numbered() -> None:
    table = Table()
    table.charged("h1-f1")
    names = [table.entered(kind, hand=hand).id for kind, hand in (
        (FALSE_HU, "h1"), (LATE, "h1"), (LATE, "h2"),
    )]  # fmt: skip
    assert names == ["h1-r1", "h1-r2", "h2-r1"]


def test_an_entered_foul_is_a_step_of_the_same_ladder_as_a_sensed_one() -> None:
    table = Table()
    table.charged("f1")
    table.confirmed("f1")
    assert table.entered(LATE).proposal == points(5)


def test_an_entered_foul_is_raised_whatever_the_policy() -> None:
    assert Table(WSOM).entered(SLOW).status is AlertStatus.ACKNOWLEDGED
    assert Table(FIFTH).entered(TOTAL).status is AlertStatus.ACKNOWLEDGED


def test_what_a_referee_entered_does_not_lapse() -> None:
    table = Table()
    table.entered(FALSE_HU)
    table.waited(LEASE)
    table.hand_began("h2")
    assert table["h1-r1"].status is AlertStatus.OPEN


def test_repeats_over_the_session_are_counted_over_hands() -> None:
    table = Table(JINGJI)
    assert table.entered(ODD, hand="h1").proposal == WARNING
    table.confirmed("h1-r1")
    second = table.entered(ODD, hand="h5")
    assert (second.step, second.proposal) == (2, CHOICE)
    assert table.entered(ODD, "bob", "h5").proposal == WARNING


def test_a_reversal_in_another_hand_moves_what_is_counted_over_the_session() -> None:
    table = Table(JINGJI)
    for hand in ("h1", "h2"):
        table.entered(ODD, hand=hand)
    table.confirmed("h1-r1")
    assert table["h2-r1"].step == 2
    table.modified("h2-r1", measure(Measure.NO_HU))
    table.entered(ODD, hand="h3")
    table.reversed("h1-r1")
    assert (table["h2-r1"].step, table["h2-r1"].marked) == (1, True)
    assert table["h3-r1"].step == 2


@pytest.mark.parametrize("kind", [TOTAL, ODD])
def test_a_kind_the_book_does_not_know_cannot_be_entered(kind: FoulKind) -> None:
    table = Table()
    before = table.docket
    table.happens(Entered(EnterFoul(kind, Seat.ONE), "referee-1", "h1", "bob", PLAYERS))
    assert table.refusal().code is Code.BAD_VALUE
    assert table.refusal().reason.startswith(f"kind is {kind}, but mcr-2014 has only cheating, ")
    assert table.docket.alerts is before.alerts


def test_a_sum_cannot_be_entered_as_it_follows_from_rulings() -> None:
    table = Table(WSOM)
    before = table.docket
    table.happens(Entered(EnterFoul(SUM, Seat.ONE), "referee-1", "h1", "bob", PLAYERS))
    assert table.refusal().code is Code.BAD_VALUE
    assert table.docket.alerts is before.alerts


def test_nothing_can_be_entered_before_a_hand_was_dealt() -> None:
    table = Table()
    before = table.docket
    table.happens(Entered(EnterFoul(CHEATED, Seat.ONE), "referee-1", "", "bob", PLAYERS))
    assert table.refusal().code is Code.WRONG_PHASE
    assert table.docket.alerts is before.alerts
