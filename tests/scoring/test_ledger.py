from scoring import docket
from scoring.alert import Ruling
from scoring.ledger import ledger
from table.sanctions import WARNING, points
from table.seat import Seat
from tests.scoring.cases import LATE, SLOW, Table


def test_an_empty_docket_costs_nobody_anything() -> None:
    assert ledger(docket.fresh()).totals == {}


def test_the_ledger_takes_points_from_the_offender_alone() -> None:
    table = Table()
    for name in ("f1", "f2", "f3"):
        table.charged(name, "ann")
        table.confirmed(name)
    table.charged("b1", "bob")
    table.confirmed("b1")
    assert ledger(table.docket).totals == {"ann": -15, "bob": 0}


def test_a_line_says_what_was_ruled_for_which_foul() -> None:
    table = Table()
    table.charged("f1", "ann", kind=SLOW)
    table.modified("f1", points(20), "slept")
    (line,) = ledger(table.docket).lines
    assert (line.alert, line.hand, line.kind, line.step) == ("f1", "h1", SLOW, 1)
    assert (line.player, line.seat, line.sanction) == ("ann", Seat.THREE, points(20))
    assert line.rulings == (Ruling("referee-1", points(20), "slept", "modified", 1, 1),)
    assert not line.marked


def test_undecided_waived_lapsed_and_reversed_fouls_are_no_lines() -> None:
    table = Table()
    for name in ("open", "waived", "reversed"):
        table.charged(name, name)
    table.waived("waived")
    table.confirmed("reversed")
    table.reversed("reversed")
    assert ledger(table.docket).lines == ()


def test_the_ledger_follows_the_player_over_hands_and_kinds() -> None:
    table = Table()
    table.charged("f1", "ann", "h1", LATE)
    table.confirmed("f1")
    table.hand_began("h2")
    table.charged("f2", "ann", "h2", SLOW)
    table.modified("f2", points(10))
    book = ledger(table.docket)
    assert [line.sanction for line in book.of("ann")] == [WARNING, points(10)]
    assert book.of("bob") == ()
    assert book.totals == {"ann": -10}
