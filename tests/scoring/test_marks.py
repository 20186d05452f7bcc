"""What a reversal does to the rulings that rested on it."""

from scoring.alert import AlertStatus, Ruling
from scoring.effects import AlertChanged, AlertMarked, RulingMade
from scoring.ledger import ledger
from table.alert_commands import Confirm
from table.answers import Code, Refused
from table.sanctions import WARNING, points
from tests.scoring.cases import Table


def three_in_a_row() -> Table:
    table = Table()
    for name in ("f1", "f2", "f3"):
        table.charged(name)
        table.confirmed(name)
    assert [str(table[name].imposed) for name in ("f1", "f2", "f3")] == ["warning", "5", "10"]
    return table


def test_a_reversal_marks_every_later_ruling_that_rested_on_it() -> None:
    table = three_in_a_row()
    gone = table.reversed("f1")
    assert table.effects == (
        RulingMade(gone), AlertMarked(table["f2"]), AlertMarked(table["f3"]),
    )  # fmt: skip
    second = table["f2"]
    assert (second.marked, second.step, second.proposal) == (True, 1, WARNING)
    assert (second.status, second.imposed) == (AlertStatus.CONFIRMED, points(5))
    assert (table["f3"].step, table["f3"].proposal) == (2, points(5))


def test_a_reversal_marks_nothing_that_was_ruled_before_it() -> None:
    table = three_in_a_row()
    table.reversed("f3")
    assert not table["f1"].marked
    assert not table["f2"].marked


def test_a_marked_ruling_stands_until_the_referee_rules_again() -> None:
    table = three_in_a_row()
    table.reversed("f1")
    assert ledger(table.docket).totals == {"ann": -15}
    assert table.charged("f4").step == 3


def test_the_referee_accepts_the_new_step_of_a_marked_ruling_by_confirming() -> None:
    table = three_in_a_row()
    table.reversed("f1")
    again = table.confirmed("f2", "referee-2")
    assert (again.marked, again.imposed, again.status) == (False, WARNING, AlertStatus.CONFIRMED)
    assert again.rulings == (
        Ruling("referee-1", points(5), "", "confirmed", 2, 2),
        Ruling("referee-2", WARNING, "", "confirmed", 1, 2),
    )
    assert table.effects == (RulingMade(again),)


def test_the_referee_keeps_the_old_sanction_of_a_marked_ruling_by_modifying() -> None:
    table = three_in_a_row()
    table.reversed("f1")
    assert table.modified("f2", points(5), "still deserved").imposed == points(5)
    assert table["f2"].status is AlertStatus.MODIFIED


def test_a_marked_ruling_that_is_waived_moves_those_after_it_once_more() -> None:
    table = three_in_a_row()
    table.reversed("f1")
    before = table["f3"].revision
    waived = table.waived("f2")
    assert table.effects == (RulingMade(waived), AlertMarked(table["f3"]))
    assert (table["f3"].step, table["f3"].revision) == (1, before + 1)
    assert not waived.marked


def test_a_marked_ruling_may_be_reversed_too() -> None:
    table = three_in_a_row()
    table.reversed("f1")
    assert table.reversed("f2").status is AlertStatus.REVERSED


def test_a_marked_ruling_is_nothing_to_acknowledge() -> None:
    table = three_in_a_row()
    table.reversed("f1")
    table.acknowledged("f2")
    assert table.effects == (
        Refused(
            Code.WRONG_PHASE,
            "alert f2: nothing to acknowledge, it was confirmed by referee-1 with 5"
            " and waits for another ruling, warning proposed",
        ),
    )


def test_a_ruling_on_a_marked_alert_must_know_that_it_was_marked() -> None:
    table = three_in_a_row()
    known = table["f2"].revision
    table.reversed("f1")
    table.ordered(Confirm("f2", known))
    (only,) = table.effects
    assert isinstance(only, Refused)
    assert only.code is Code.STALE


def test_a_marked_ruling_does_not_lapse() -> None:
    table = three_in_a_row()
    table.reversed("f1")
    table.hand_began("h2")
    assert table.quiet()
    assert table["f2"].marked


def test_another_player_is_not_touched_by_a_reversal() -> None:
    table = three_in_a_row()
    table.charged("b1", player="bob")
    table.confirmed("b1")
    table.charged("b2", player="bob")
    table.reversed("f1")
    assert not table["b1"].marked
    assert table["b2"].revision == 1


def test_open_proposals_follow_after_the_marks() -> None:
    table = three_in_a_row()
    table.charged("f4")
    table.reversed("f2")
    assert [type(one) for one in table.effects] == [RulingMade, AlertMarked, AlertChanged]
    assert (table["f4"].step, table["f4"].proposal) == (3, points(10))


def test_the_step_of_a_ruling_is_its_place_among_those_that_stand() -> None:
    table = Table()
    table.charged("f1")
    table.charged("f2")
    table.confirmed("f2")
    table.confirmed("f1")
    assert (table["f2"].imposed, table["f1"].imposed) == (WARNING, points(5))
