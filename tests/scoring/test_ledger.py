from scoring import docket
from scoring.alert import Ruling
from scoring.docket import Entered
from scoring.ledger import ledger
from scoring.payments import Payment
from table.alert_commands import EnterFoul
from table.fouls import FoulKind
from table.sanctions import WARNING, points
from table.seat import BySeat, Seat
from tests.scoring.cases import CHEATED, EXPOSED, JINGJI, LATE, SLOW, Table, to_player

FALSE_HU = FoulKind.FALSE_HU


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


def test_who_pays_each_pays_the_three_others() -> None:
    table = Table(JINGJI)
    table.entered(FALSE_HU)
    table.confirmed("h1-r1")
    book = ledger(table.docket)
    assert book.payments == (
        Payment("ann", "bob", 10, "h1-r1"),
        Payment("ann", "cid", 10, "h1-r1"),
        Payment("ann", "dan", 10, "h1-r1"),
    )
    assert book.totals == {"ann": -30, "bob": 10, "cid": 10, "dan": 10}


def test_who_was_harmed_receives_what_the_offender_pays() -> None:
    table = Table(JINGJI)
    table.entered(EXPOSED)
    table.modified("h1-r1", to_player(20, "dan"))
    book = ledger(table.docket)
    assert book.payments == (Payment("ann", "dan", 20, "h1-r1"),)
    assert book.totals == {"ann": -20, "dan": 20}


def test_what_is_taken_from_the_offender_alone_is_paid_to_nobody() -> None:
    table = Table()
    table.charged("f1")
    table.modified("f1", points(40))
    assert ledger(table.docket).payments == (Payment("ann", None, 40, "f1"),)


def test_warnings_and_measures_pay_nothing_and_are_lines_all_the_same() -> None:
    table = Table()
    table.charged("f1")
    table.confirmed("f1")
    table.entered(CHEATED)
    table.confirmed("h1-r1")
    book = ledger(table.docket)
    assert [str(line.sanction) for line in book.lines] == ["warning", "disqualified"]
    assert (book.payments, book.totals) == ((), {"ann": 0})


def test_a_later_change_of_seats_moves_no_payment() -> None:
    table = Table(JINGJI)
    table.entered(FALSE_HU)
    table.confirmed("h1-r1")
    moved = EnterFoul(FALSE_HU, Seat.ONE)
    table.happens(Entered(moved, "referee-1", "h2", "ann", BySeat("ann", "eve", "fay", "gus")))
    table.confirmed("h2-r1")
    assert ledger(table.docket).totals == {
        "ann": -60, "bob": 10, "cid": 10, "dan": 10, "eve": 10, "fay": 10, "gus": 10,
    }  # fmt: skip


def test_lines_are_in_the_order_in_which_they_were_first_ruled_on() -> None:
    table = Table()
    for name, player in (("f1", "ann"), ("f2", "bob"), ("f3", "ann")):
        table.charged(name, player)
    for name in ("f3", "f2", "f1"):
        table.confirmed(name)
    table.reversed("f3")
    table.reversed("f3")
    assert [line.alert for line in ledger(table.docket).lines] == ["f3", "f2", "f1"]
