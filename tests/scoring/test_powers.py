import pytest

from scoring.powers import on_offer
from scoring.rules import FoulRules
from table.answers import Code
from table.sanctions import (
    CHOICE,
    WARNING,
    Measure,
    Sanction,
    SanctionKind,
    measure,
    pay_each,
    points,
    read_sanction,
)
from tests.scoring.cases import (
    EXPOSED,
    FIFTH,
    JINGJI,
    MCR,
    SECOND,
    SLOW,
    WSOM,
    Table,
    seat_of,
    to_player,
)


def with_a_foul(rules: FoulRules = MCR) -> Table:
    table = Table(rules)
    table.charged("f1")
    return table


@pytest.mark.parametrize(
    ("rules", "written"),
    [
        (MCR, "warning"),
        (MCR, "60"),
        (MCR, "5+no-hu"),
        (MCR, "warning+disqualified"),
        (MCR, "out-for-session"),
        (JINGJI, "10-each"),
        (JINGJI, "50-each+mechanical"),
        (JINGJI, "20-player:bob"),
        (FIFTH, "2-each"),
        (FIFTH, "7+no-calls"),
    ],
)
def test_what_the_book_gives_can_be_imposed(rules: FoulRules, written: str) -> None:
    table = with_a_foul(rules)
    sanction = read_sanction(written)
    assert table.modified("f1", sanction).imposed == sanction


@pytest.mark.parametrize(
    ("rules", "written", "part"),
    [
        (MCR, "7", "7"),
        (MCR, "70", "70"),
        (MCR, "10-each", "10-each"),
        (MCR, "10-player:bob", "10-player"),
        (MCR, "5+mechanical", "mechanical"),
        (MCR, "65+hand-void", "65, hand-void"),
        (JINGJI, "5", "5"),
        (JINGJI, "15-each", "15-each"),
        (JINGJI, "60-player:bob", "60-player"),
        (FIFTH, "5", "5"),
        (FIFTH, "warning", "warning"),
        (FIFTH, "7+no-hu", "no-hu"),
    ],
)
def test_what_is_outside_the_book_is_refused_part_by_part(
    rules: FoulRules, written: str, part: str
) -> None:
    table = with_a_foul(rules)
    before = table.docket
    table.modified("f1", read_sanction(written))
    assert table.refusal().code is Code.BAD_VALUE
    allowed = ", ".join(map(str, on_offer(rules, before.alerts["f1"])))
    assert table.refusal().reason == (
        f"alert f1: sanction is {written}, but nobody may impose {part};"
        f" allowed are {allowed} ({rules.powers.rule})"
    )
    assert table.docket == before


@pytest.mark.parametrize(
    ("sanction", "said"),
    [
        (points(0), "it needs points above 0"),
        (points(-5), "it needs points above 0"),
        (pay_each(0), "it needs points above 0"),
        (Sanction(SanctionKind.WARNING, 5), "it has points all the same"),
        (Sanction(SanctionKind.POINTS, 5, (), "bob"), "it pays nobody in particular"),
        (measure(), "it is empty"),
        (measure(Measure.NO_HU, Measure.NO_HU), "a measure stands twice"),
        (CHOICE, "a choice must be made"),
    ],
)
def test_a_sanction_that_makes_no_sense_is_refused(sanction: Sanction, said: str) -> None:
    table = with_a_foul()
    before = table.docket
    table.modified("f1", sanction)
    assert table.refusal().code is Code.BAD_VALUE
    assert f"sanction is {sanction}, but {said}; allowed are" in table.refusal().reason
    assert table.docket == before


def test_what_is_on_offer_is_the_ladder_then_the_powers_each_part_once() -> None:
    table = with_a_foul()
    assert [str(part) for part in on_offer(MCR, table["f1"])] == [
        "warning", "5", "10", "20", "30", "40", "50", "60",
        "disqualified", "no-hu", "out-for-session",
    ]  # fmt: skip


def test_fewer_started_spans_than_measured_can_be_imposed_and_not_more() -> None:
    table = Table(WSOM)
    table.overran("f1", 46 * SECOND)
    table.taken_up("f1")
    assert table["f1"].proposal == points(20)
    assert table.modified("f1", points(15)).imposed == points(15)
    table.undone("f1")
    table.modified("f1", points(25))
    assert table.refusal().code is Code.BAD_VALUE


def test_a_choice_is_made_with_modify_and_never_confirmed() -> None:
    table = Table(JINGJI)
    table.entered(EXPOSED)
    before = table.docket
    assert table["h1-r1"].proposal == CHOICE
    table.confirmed("h1-r1")
    assert table.refusal().code is Code.BAD_VALUE
    assert table.refusal().reason == (
        "alert h1-r1: the book leaves it to the referee, choose with modify"
    )
    assert table.docket == before
    assert table.modified("h1-r1", to_player(10, "dan")).imposed == to_player(10, "dan")


@pytest.mark.parametrize(
    ("to", "named"), [("", "it does not name"), ("zoe", "zoe is not"), ("ann", "ann is not")]
)
def test_a_payment_goes_to_one_of_the_others(to: str, named: str) -> None:
    table = Table(JINGJI)
    table.entered(EXPOSED)
    before = table.docket
    table.modified("h1-r1", to_player(10, to))
    assert table.refusal().code is Code.BAD_VALUE
    assert table.refusal().reason == (
        f"alert h1-r1: sanction is {to_player(10, to)},"
        f" but {named} one of the others: bob, cid, dan"
    )
    assert table.docket == before


def test_a_choice_of_the_kind_is_allowed_beside_the_powers() -> None:
    table = Table()
    table.entered(EXPOSED)
    assert table.modified("h1-r1", to_player(60, "cid")).imposed == to_player(60, "cid")
    table.charged("f1")
    table.modified("f1", to_player(60, "cid"))
    assert table.refusal().code is Code.BAD_VALUE


def test_whoever_sat_there_then_is_paid_even_if_seats_were_exchanged_since() -> None:
    table = Table(JINGJI)
    alert = table.entered(EXPOSED, "dan")
    assert alert.foul.seat is seat_of("dan")
    assert table.modified(alert.id, to_player(20, "ann")).imposed == to_player(20, "ann")


@pytest.mark.parametrize("rules", [MCR, JINGJI, WSOM], ids=lambda rules: rules.name)
def test_a_warning_is_always_possible_where_the_book_has_it(rules: FoulRules) -> None:
    assert WARNING in on_offer(rules, Table(rules).entered(SLOW))
