"""What a reversal takes back, and what its own reversal brings back."""

from scoring.alert import AlertStatus, Deed
from scoring.effects import AlertChanged, RulingMade
from scoring.ledger import ledger
from table.sanctions import WARNING, points
from tests.scoring.cases import Table


def three_in_a_row() -> Table:
    table = Table()
    for name in ("f1", "f2", "f3"):
        table.charged(name)
        table.confirmed(name)
    return table


def test_reversing_a_reversal_lets_the_ruling_stand_where_it_stood() -> None:
    table = three_in_a_row()
    before = ledger(table.docket)
    table.reversed("f1", person="referee-2")
    again = table.reversed("f1", "it was seat 3 after all", "referee-3")
    after = ledger(table.docket)
    assert after.payments == before.payments
    assert [line.alert for line in after.lines] == ["f1", "f2", "f3"]
    assert [line.step for line in after.lines] == [1, 2, 3]
    assert not any(line.marked for line in after.lines)
    assert (again.status, again.imposed) == (AlertStatus.CONFIRMED, WARNING)
    assert again.rulings[-1].deed == Deed.RESTORED


def test_the_marks_go_when_what_was_rested_on_stands_again() -> None:
    table = three_in_a_row()
    table.reversed("f1")
    assert [one.id for one in table.docket.before_the_referee] == ["f2", "f3"]
    again = table.reversed("f1")
    assert table.effects == (
        RulingMade(again), AlertChanged(table["f2"]), AlertChanged(table["f3"]),
    )  # fmt: skip
    assert table.docket.before_the_referee == ()


def test_who_ruled_again_in_between_is_asked_once_more() -> None:
    table = three_in_a_row()
    table.reversed("f1")
    table.confirmed("f2")
    table.reversed("f1")
    assert (table["f2"].marked, table["f2"].step, table["f2"].imposed) == (True, 2, WARNING)
    assert not table["f3"].marked


def test_a_restored_modification_is_a_modification_with_its_sanction() -> None:
    table = Table()
    table.charged("f1")
    table.modified("f1", points(20), "shouted")
    table.reversed("f1")
    alert = table.reversed("f1", "he did shout")
    assert (alert.status, alert.imposed) == (AlertStatus.MODIFIED, points(20))


def test_reversals_go_back_and_forth_as_often_as_needed() -> None:
    table = Table()
    table.charged("f1")
    table.modified("f1", points(20), "shouted")
    for status in (AlertStatus.REVERSED, AlertStatus.MODIFIED) * 3:
        assert table.reversed("f1").status is status
    assert len(table["f1"].rulings) == 7
    assert table["f1"].imposed == points(20)


def test_a_reversed_waiver_is_open_again_with_the_step_of_now() -> None:
    table = Table()
    table.charged("f1")
    table.charged("f2")
    table.waived("f1")
    table.confirmed("f2")
    alert = table.reversed("f1", "there was no elbow")
    assert (alert.status, alert.step, alert.proposal) == (AlertStatus.OPEN, 2, points(5))
    assert table.confirmed("f1").imposed == points(5)


def test_a_reversed_waiver_does_not_lapse() -> None:
    table = Table()
    table.charged("f1")
    table.waived("f1")
    table.reversed("f1")
    table.hand_began("h2")
    assert table["f1"].status is AlertStatus.OPEN


def test_who_restored_is_named_to_who_comes_second() -> None:
    table = three_in_a_row()
    table.reversed("f1")
    table.reversed("f1", "it was seat 3", "referee-2")
    table.waived("f1")
    assert table.refusal().reason == (
        "alert f1: nothing to waive, it was restored by referee-2 with warning (it was seat 3)"
    )
