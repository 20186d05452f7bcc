import pytest

from scoring.alert import AlertStatus, Deed
from scoring.effects import RulingMade
from scoring.ledger import ledger
from table.answers import Code
from table.events import Restarted
from table.moment import Moment
from table.sanctions import WARNING, points
from tests.scoring.cases import LEASE, SECOND, Table


def confirmed_by_slip() -> Table:
    table = Table()
    table.charged("f1")
    table.acknowledged("f1")
    table.confirmed("f1")
    return table


def test_an_undone_ruling_is_before_the_same_referee_again_with_a_fresh_lease() -> None:
    table = confirmed_by_slip()
    table.waited(10 * SECOND)
    alert = table.undone("f1")
    assert table.effects == (RulingMade(alert),)
    assert (alert.status, alert.holder) == (AlertStatus.ACKNOWLEDGED, "referee-1")
    assert alert.lease_ends == Moment(70_000_000)
    assert ledger(table.docket).lines == ()
    assert alert.proposal == WARNING


def test_what_was_undone_stays_in_the_history() -> None:
    table = confirmed_by_slip()
    table.undone("f1")
    alert = table.modified("f1", points(10))
    deeds = [ruling.deed for ruling in alert.rulings]
    assert deeds == [Deed.CONFIRMED, Deed.UNDONE, Deed.MODIFIED]
    assert alert.imposed == points(10)


def test_nobody_undoes_what_another_referee_ruled() -> None:
    table = confirmed_by_slip()
    before = table.docket
    table.undone("f1", "referee-2")
    assert table.refusal().code is Code.WRONG_PHASE
    assert table.refusal().reason == (
        "alert f1: only referee-1 may undo it, it was confirmed by referee-1 with warning:"
        " reverse it with a reason"
    )
    assert table.docket == before


def test_only_the_last_ruling_is_undone() -> None:
    table = confirmed_by_slip()
    table.reversed("f1", person="referee-2")
    table.undone("f1", "referee-1")
    assert table.refusal().code is Code.WRONG_PHASE
    assert table["f1"].status is AlertStatus.REVERSED


def test_what_was_undone_is_not_undone_twice() -> None:
    table = confirmed_by_slip()
    table.undone("f1")
    table.undone("f1")
    assert table.refusal().reason == (
        "alert f1: nothing to undo, referee-1 has acknowledged it with warning proposed"
    )


def test_an_undone_reversal_leaves_the_ruling_standing_as_it_was() -> None:
    table = Table()
    table.charged("f1")
    table.modified("f1", points(20), "shouted")
    book = ledger(table.docket)
    table.reversed("f1", person="referee-2")
    alert = table.undone("f1", "referee-2")
    assert (alert.status, alert.imposed) == (AlertStatus.MODIFIED, points(20))
    assert ledger(table.docket).payments == book.payments
    assert alert.holder == ""


def test_an_undone_ruling_marks_what_came_to_rest_on_it() -> None:
    table = confirmed_by_slip()
    table.charged("f2")
    table.confirmed("f2")
    table.undone("f1")
    assert (table["f2"].step, table["f2"].marked, table["f2"].imposed) == (1, True, points(5))
    table.confirmed("f1")
    assert (table["f1"].step, table["f1"].imposed) == (2, points(5))


def test_an_undone_ruling_is_not_lost_when_the_lease_ends_and_the_next_hand_begins() -> None:
    table = confirmed_by_slip()
    table.undone("f1")
    table.waited(LEASE)
    table.hand_began("h2")
    assert table["f1"].status is AlertStatus.OPEN


@pytest.mark.parametrize("undo_first", [True, False])
def test_undo_survives_a_restart(*, undo_first: bool) -> None:
    table = confirmed_by_slip()
    if undo_first:
        table.undone("f1")
    table.happens(Restarted("power"))
    if not undo_first:
        table.undone("f1")
    expected = AlertStatus.OPEN if undo_first else AlertStatus.ACKNOWLEDGED
    assert table["f1"].status is expected
    assert ledger(table.docket).lines == ()
