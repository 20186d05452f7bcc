from datetime import timedelta

import pytest

from scoring import docket
from scoring.alert import AlertStatus, Ruling
from scoring.effects import (
    AlertChanged,
    AlertLapsed,
    AlertRaised,
    FoulRecorded,
)
from table.answers import Ignored
from table.commands import Ordered, Shuffle
from table.events import Restarted, Woken
from table.moment import Moment
from table.sanctions import WARNING, points
from tests.scoring.cases import (
    BOOK,
    KEEPING,
    LATE,
    LEASE,
    MCR,
    RECORDING,
    SECOND,
    SILENT,
    SLOW,
    Table,
    charge,
    foul,
)


def test_a_first_late_pung_is_put_before_the_referee_with_a_warning_proposed() -> None:
    table = Table()
    alert = table.charged("f1")
    assert table.effects == (AlertRaised(alert),)
    assert (alert.step, alert.proposal, alert.rule) == (1, WARNING, BOOK)
    assert (alert.status, alert.revision, alert.player) == (AlertStatus.OPEN, 1, "ann")


def test_a_second_late_pung_of_the_player_proposes_5_points_once_the_first_stands() -> None:
    table = Table()
    table.charged("f1")
    table.confirmed("f1")
    assert (table.charged("f2").step, table["f2"].proposal) == (2, points(5))


def test_a_second_foul_is_a_first_step_as_long_as_nobody_ruled_on_the_first() -> None:
    table = Table()
    table.charged("f1")
    assert table.charged("f2").proposal == WARNING


@pytest.mark.parametrize("other", [{"player": "bob"}, {"hand": "h2"}, {"kind": SLOW}])
def test_repeats_are_counted_per_player_hand_and_kind(other: dict[str, str]) -> None:
    table = Table()
    table.charged("f1")
    table.confirmed("f1")
    assert table.charged("f2", **other).proposal == WARNING  # type: ignore[arg-type]  # kind


def test_first_and_later_discards_over_the_limit_climb_one_ladder() -> None:
    table = Table()
    proposals = []
    for name in ("first discard", "turn 2", "turn 3", "turn 4"):
        proposals.append(str(table.charged(name, kind=SLOW).proposal))
        table.confirmed(name)
    assert proposals == ["warning", "5", "10", "20"]


def test_a_foul_that_the_event_keeps_for_the_record_is_no_alert() -> None:
    table = Table(RECORDING)
    table.happens(charge(seen := foul("f1", kind=SLOW)))
    assert table.effects == (FoulRecorded(seen, "ann"),)
    assert not table.docket.alerts


def test_a_foul_the_book_has_no_ladder_for_is_recorded() -> None:
    table = Table(SILENT)
    table.happens(charge(seen := foul("f1")))
    assert table.effects == (FoulRecorded(seen, "ann"),)


def test_a_foul_charged_twice_is_one_alert() -> None:
    table = Table()
    first = table.charged("f1")
    assert table.charged("f1") == first
    assert table.effects == (Ignored("foul f1 is on the docket already"),)


def test_an_acknowledged_alert_is_kept_for_60_seconds() -> None:
    table = Table(now=Moment(7))
    table.charged("f1")
    kept = table.acknowledged("f1")
    assert table.effects == (AlertChanged(kept),)
    assert (kept.status, kept.holder, kept.revision) == (AlertStatus.ACKNOWLEDGED, "referee-1", 2)
    assert kept.lease_ends == docket.wake_at(table.docket) == Moment(60_000_007)


def test_the_end_of_a_lease_opens_the_alert_again() -> None:
    table = Table()
    table.charged("f1")
    table.acknowledged("f1")
    table.waited(LEASE - timedelta(microseconds=1))
    assert table.quiet()
    table.waited(timedelta(microseconds=1))
    again = table["f1"]
    assert table.effects == (AlertChanged(again),)
    assert (again.status, again.holder, again.lease_ends) == (AlertStatus.OPEN, "", None)
    assert docket.wake_at(table.docket) is None


def test_leases_end_in_their_own_order() -> None:
    table = Table()
    table.charged("f1")
    table.charged("f2")
    table.acknowledged("f2")
    table.waited(SECOND)
    table.acknowledged("f1")
    table.waited(LEASE)
    assert table.effects == (AlertChanged(table["f2"]), AlertChanged(table["f1"]))


def test_who_has_an_alert_keeps_it_longer_by_acknowledging_again() -> None:
    table = Table()
    table.charged("f1")
    table.acknowledged("f1")
    table.waited(50 * SECOND)
    assert table.acknowledged("f1").lease_ends == Moment(110_000_000)
    table.waited(50 * SECOND)
    assert table["f1"].status is AlertStatus.ACKNOWLEDGED


def test_a_foul_nobody_took_lapses_when_the_next_hand_begins() -> None:
    table = Table()
    table.charged("f1")
    table.hand_began("h2")
    gone = table["f1"]
    assert table.effects == (AlertLapsed(gone),)
    assert (gone.status, gone.revision) == (AlertStatus.LAPSED, 2)
    assert table.charged("f2", hand="h2").proposal == WARNING


def test_an_alert_a_referee_has_taken_does_not_lapse() -> None:
    table = Table()
    table.charged("f1")
    table.acknowledged("f1")
    table.hand_began("h2")
    assert table.quiet()
    assert table.confirmed("f1").status is AlertStatus.CONFIRMED


def test_a_lease_that_ends_as_the_next_hand_begins_saves_nothing() -> None:
    table = Table()
    table.charged("f1")
    table.acknowledged("f1")
    table.now += LEASE
    table.hand_began("h2")
    assert [type(one) for one in table.effects] == [AlertChanged, AlertLapsed]


def test_a_foul_of_the_hand_that_begins_does_not_lapse() -> None:
    table = Table()
    table.charged("f1", hand="h2")
    table.hand_began("h2")
    assert table["f1"].status is AlertStatus.OPEN


def test_a_kind_that_does_not_lapse_waits_for_the_referee() -> None:
    table = Table(KEEPING)
    table.charged("f1", kind=SLOW)
    table.charged("f2", kind=LATE)
    table.hand_began("h2")
    assert table.effects == (AlertLapsed(table["f2"]),)
    assert table["f1"].status is AlertStatus.OPEN


def test_an_alert_whose_ladder_is_gone_from_the_rules_is_not_lost() -> None:
    table = Table()
    table.charged("f1")
    table.charged("f2")
    table.rules = SILENT
    table.hand_began("h2")
    assert table["f1"].status is AlertStatus.OPEN
    assert table.confirmed("f1").imposed == WARNING
    assert (table["f2"].step, table["f2"].proposal) == (2, WARNING)
    assert table.modified("f2", WARNING).imposed == WARNING


def test_a_restart_opens_what_was_acknowledged_and_starts_another_clock() -> None:
    table = Table(now=Moment(9_000_000))
    table.charged("f1")
    table.charged("f2")
    table.acknowledged("f1")
    table.now = Moment(4)
    table.happens(Restarted("power"))
    assert table.effects == (AlertChanged(table["f1"]),)
    assert (table["f1"].status, table["f1"].revision) == (AlertStatus.OPEN, 3)
    assert table["f2"].revision == 1
    table.waited(SECOND)
    assert table.quiet()


def test_rulings_survive_a_restart() -> None:
    table = Table()
    table.charged("f1")
    table.confirmed("f1")
    table.happens(Restarted("power"))
    assert table["f1"].rulings == (Ruling("referee-1", WARNING, "", "confirmed", 1, 1),)
    assert table.charged("f2").proposal == points(5)


def test_time_does_not_run_backwards() -> None:
    table = Table(now=Moment(5))
    table.charged("f1")
    with pytest.raises(ValueError, match="lies before"):
        docket.step(MCR, table.docket, Woken(), Moment(4))


def test_an_order_that_is_no_ruling_is_ignored() -> None:
    table = Table()
    table.happens(Ordered(Shuffle(), "staff"))
    assert table.effects == (Ignored("the order is about no alert"),)
