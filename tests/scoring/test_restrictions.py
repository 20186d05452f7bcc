"""What rulings that stand forbid (docs/adr/0019)."""

from scoring.restrictions import restrictions, voided
from scoring.rules import FoulRules
from table.fouls import FoulKind
from table.restrictions import FREE, Restriction
from table.sanctions import WARNING, Measure, measure, read_sanction
from table.seat import BySeat, Seat
from tests.scoring.cases import CHEATED, DISTURBED, JINGJI, LATE, MCR, PLAYERS, WSOM, Table

DEAD = Restriction(no_hu=True)
OUT = Restriction(no_hu=True, no_calls=True, mechanical=True, out=True)


def ruled(written: str, rules: FoulRules = MCR) -> Table:
    table = Table(rules)
    alert = table.entered(FoulKind.EARLY_DRAW)
    table.modified(alert.id, read_sanction(written))
    return table


def of_ann(table: Table, hand: str = "h1", players: BySeat[str] = PLAYERS) -> Restriction:
    return restrictions(table.docket, hand, players)[Seat.THREE]


def test_without_rulings_everybody_is_free() -> None:
    assert restrictions(Table().docket, "h1", PLAYERS) == BySeat.all(FREE)


def test_a_dead_hand_cannot_win_and_its_neighbours_can() -> None:
    table = Table()
    table.entered(FoulKind.FALSE_HU)
    assert of_ann(table) == FREE
    table.confirmed("h1-r1")
    assert restrictions(table.docket, "h1", PLAYERS) == BySeat.all(FREE).put(Seat.THREE, DEAD)


def test_a_dead_hand_ends_with_its_hand() -> None:
    assert of_ann(ruled("no-hu")) == DEAD
    assert of_ann(ruled("no-hu"), "h2") == FREE


def test_who_is_out_for_the_session_stays_out_in_the_next_hand() -> None:
    table = ruled("out-for-session+no-hu")
    assert of_ann(table, "h1") == of_ann(table, "h7") == OUT


def test_a_restriction_follows_the_player_to_another_seat() -> None:
    moved = BySeat("ann", "cid", "bob", "dan")
    found = restrictions(ruled("out-for-session").docket, "h1", moved)
    assert (found[Seat.ONE], found[Seat.THREE]) == (OUT, FREE)


def test_what_is_reversed_or_undone_forbids_nothing() -> None:
    for take_back in (Table.reversed, Table.undone):
        table = ruled("disqualified")
        assert of_ann(table) == OUT
        take_back(table, "h1-r1")
        assert of_ann(table) == FREE


def test_a_restored_ruling_forbids_again() -> None:
    table = ruled("disqualified")
    table.reversed("h1-r1")
    table.reversed("h1-r1")
    assert of_ann(table) == OUT


def test_a_marked_ruling_that_is_eased_lets_the_player_back() -> None:
    table = Table()
    for name in ("f1", "f2"):
        table.charged(name)
        table.modified(name, measure(Measure.DISQUALIFIED))
    table.reversed("f1")
    assert of_ann(table, "h2") == OUT
    table.modified("f2", WARNING)
    assert of_ann(table, "h2") == FREE


def test_several_rulings_forbid_together() -> None:
    table = Table(JINGJI)
    table.entered(FoulKind.FALSE_HU)
    table.confirmed("h1-r1")
    assert of_ann(table) == Restriction(no_hu=True, no_calls=True, mechanical=True)
    for number in range(4):
        table.charged(f"f{number}", kind=LATE)
        table.confirmed(f"f{number}")
    assert of_ann(table) == OUT


def test_the_large_xianggong_of_wsom_neither_wins_nor_calls() -> None:
    assert of_ann(ruled("no-hu-no-calls", WSOM)) == Restriction(no_hu=True, no_calls=True)


def test_who_cheated_is_out() -> None:
    table = Table()
    table.entered(CHEATED)
    table.confirmed("h1-r1")
    assert of_ann(table, "h9") == OUT


def test_a_hand_is_void_while_a_ruling_that_says_so_stands() -> None:
    table = Table()
    table.entered(DISTURBED)
    assert not voided(table.docket, "h1")
    table.confirmed("h1-r1")
    assert voided(table.docket, "h1")
    assert not voided(table.docket, "h2")
    table.reversed("h1-r1")
    assert not voided(table.docket, "h1")
