"""More than 80 points for overtime in one hand (wsom-2010 打牌时限 §§5, 7)."""

from dataclasses import replace

import pytest

from scoring.alert import AlertStatus
from scoring.effects import (
    AlertChanged,
    AlertDropped,
    AlertMarked,
    AlertRaised,
    AlertRecorded,
    RulingMade,
)
from scoring.rules import AlertPolicy, Ladder
from table.fouls import FoulKind
from table.sanctions import CHOICE, Measure, measure, pay_each, points
from tests.scoring.cases import (
    FIFTH,
    LATE,
    SECOND,
    SLOW,
    SUM,
    TOTAL,
    WSOM,
    Table,
    with_ladder,
)

WITHDRAWN = measure(Measure.WITHDRAWN)
FORTY = 120 * SECOND
"""So much over costs 40."""


def ruled(table: Table, name: str, kind: FoulKind = SLOW, over: int = 120) -> None:
    table.overran(name, over * SECOND, kind)
    if table[name].status is AlertStatus.UNCLAIMED:
        table.taken_up(name)
    table.confirmed(name)


def over_eighty() -> Table:
    table = Table(WSOM)
    ruled(table, "f1")
    ruled(table, "f2")
    assert SUM not in {alert.foul.kind for alert in table.docket.alerts.values()}
    ruled(table, "f3", TOTAL, 1)
    return table


def test_exactly_80_is_no_foul_and_one_more_ruling_is() -> None:
    table = over_eighty()
    alert = table["h1-s1"]
    assert table.effects[-1] == AlertRaised(alert)
    assert (alert.status, alert.proposal, alert.step) == (AlertStatus.OPEN, WITHDRAWN, 1)
    assert (alert.player, alert.rule) == ("ann", "wsom-2010 打牌时限 §7")
    assert alert.rests_on == ("f1", "f2", "f3")
    assert (alert.foul.kind, alert.foul.measured, alert.foul.hand) == (SUM, None, "h1")


def test_turns_and_the_total_of_the_hand_count_together() -> None:
    table = Table(WSOM)
    ruled(table, "f1", SLOW)
    ruled(table, "f2", TOTAL, 121)
    assert table["h1-s1"].rests_on == ("f1", "f2")


def test_another_player_or_another_hand_counts_apart() -> None:
    table = Table(WSOM)
    ruled(table, "f1")
    for name, player, hand in (("b1", "bob", "h1"), ("f9", "ann", "h2")):
        table.charged(name, player, hand, SLOW)
        table.taken_up(name)
        table.modified(name, points(30))
    table.overran("b2", FORTY, player="bob")
    table.taken_up("b2")
    table.confirmed("b2")
    assert SUM not in {alert.foul.kind for alert in table.docket.alerts.values()}


def test_one_more_ruling_is_added_to_what_the_sum_rests_on() -> None:
    table = over_eighty()
    ruled(table, "f4", SLOW, 1)
    assert table.effects[-1] == AlertChanged(table["h1-s1"])
    assert table["h1-s1"].rests_on == ("f1", "f2", "f3", "f4")
    assert list(table.docket.hands["h1"]).count("h1-s1") == 1


def test_an_undecided_sum_is_dropped_when_the_rulings_no_longer_cost_so_much() -> None:
    table = over_eighty()
    gone = table.reversed("f3")
    assert table.effects == (RulingMade(gone), AlertDropped(table["h1-s1"]))
    assert table["h1-s1"].status is AlertStatus.DROPPED
    assert table.docket.before_the_referee == ()


def test_a_decided_sum_is_marked_and_stands_until_the_referee_rules_again() -> None:
    table = over_eighty()
    table.confirmed("h1-s1")
    table.undone("f3")
    marked = table["h1-s1"]
    assert AlertMarked(marked) in table.effects
    assert (marked.marked, marked.rests_on, marked.imposed) == (True, (), WITHDRAWN)
    table.waived("h1-s1", "it was 80 after all")
    assert table["h1-s1"].status is AlertStatus.WAIVED


def test_the_mark_goes_when_the_rulings_cost_so_much_again() -> None:
    table = over_eighty()
    table.confirmed("h1-s1")
    table.reversed("f3")
    table.reversed("f3", "it did count")
    again = table["h1-s1"]
    assert table.effects[-1] == AlertChanged(again)
    assert (again.marked, again.rests_on) == (False, ("f1", "f2", "f3"))


def test_a_marked_sum_that_is_confirmed_again_is_not_marked_by_the_next_ruling() -> None:
    table = over_eighty()
    table.confirmed("h1-s1")
    table.reversed("f3")
    table.confirmed("h1-s1")
    table.overran("f4", SECOND)
    table.taken_up("f4")
    table.waived("f4")
    assert not table["h1-s1"].marked


def test_a_new_sum_is_raised_when_the_first_was_dropped() -> None:
    table = over_eighty()
    table.reversed("f3")
    table.reversed("f3", "it did count")
    assert table.effects[-1] == AlertRaised(table["h1-s2"])


@pytest.mark.parametrize("decision", ["waived", "reversed"])
def test_a_sum_that_was_decided_is_not_raised_again(decision: str) -> None:
    table = over_eighty()
    if decision == "reversed":
        table.confirmed("h1-s1")
        table.reversed("h1-s1", "the clock stood still")
    else:
        table.waived("h1-s1", "the clock stood still")
    ruled(table, "f4", SLOW, 1)
    assert "h1-s2" not in table.docket.alerts


def test_a_waiver_that_is_reversed_when_nothing_is_over_any_more_is_dropped() -> None:
    table = over_eighty()
    table.waived("h1-s1")
    table.reversed("f3")
    table.reversed("h1-s1", "no good reason")
    assert table["h1-s1"].status is AlertStatus.DROPPED


def test_a_modified_amount_counts_as_it_was_modified() -> None:
    table = Table(WSOM)
    ruled(table, "f1")
    table.overran("f2", 160 * SECOND)
    table.taken_up("f2")
    assert table["f2"].proposal == points(55)
    table.modified("f2", points(40))
    assert "h1-s1" not in table.docket.alerts


def test_a_book_pays_each_of_the_others_and_all_of_it_counts() -> None:
    table = Table(FIFTH)
    ruled(table, "f1", LATE, 1)
    ruled(table, "f2", LATE, 1)
    assert (table["f1"].imposed, table["f2"].imposed) == (pay_each(2), pay_each(3))
    alert = table["h1-s1"]
    assert table.effects[-1] == AlertRecorded(alert)
    assert (alert.status, alert.proposal) == (AlertStatus.UNCLAIMED, points(3))


def test_a_sum_that_is_for_the_record_only_is_no_alert() -> None:
    table = Table(with_ladder(SUM, Ladder((CHOICE,), "made up", AlertPolicy.RECORD_ONLY), WSOM))
    ruled(table, "f1", SLOW, 400)
    assert list(table.docket.alerts) == ["f1"]


def test_a_sum_without_a_ladder_is_left_to_the_referee() -> None:
    ladders = {kind: ladder for kind, ladder in WSOM.ladders.items() if kind is not SUM}
    table = Table(replace(WSOM, ladders=ladders))
    ruled(table, "f1", SLOW, 400)
    alert = table["h1-s1"]
    assert (alert.step, alert.proposal, alert.rule) == (1, CHOICE, "wsom-2010 打牌时限 §7")
    assert table.modified("h1-s1", WITHDRAWN).imposed == WITHDRAWN
