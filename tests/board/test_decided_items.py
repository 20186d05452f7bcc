"""What was decided can be found again and taken back, also by a board that just started."""

from board import referee_page
from board.decided_items import decided
from board.slots import Items
from board.viewer import Viewer
from mqtt.parts import ClosedLine, LedgerLine, RulingFields, SanctionFields
from scoring.alert import AlertStatus
from table.sanctions import Measure, SanctionKind
from tests.board import scenery
from tests.board.scenery import ROOT, told
from tests.board.test_page_items import a_hall_with, of_table, shown

EAST, WEST = Viewer("Referee East"), Viewer("Referee West")


def of_ledger(looks: Viewer, *lines: LedgerLine, closed: tuple[ClosedLine, ...] = ()) -> Items:
    return decided(a_hall_with(scenery.ledger("t1", *lines, closed=closed)), looks)


def test_what_stands_and_what_does_not_are_listed_in_the_order_decided() -> None:
    items = of_ledger(
        EAST,
        scenery.line("t1", 3, scenery.minus(5)),
        closed=(scenery.waived("t1", 2, "Referee East"),),
    )
    rulings = [key for key in items if key.startswith("ruling:")]
    assert rulings == ["ruling:t1-s1-h3-f2", "ruling:t1-s1-h3-f3"]
    waived, standing = (shown(items, key) for key in rulings)
    assert (waived["sanction"], waived["stands"], waived["back"]) == (
        "No sanction",
        "no",
        "Reopen…",
    )
    assert (waived["revision"], waived["by"]) == ("5", "Referee East: Seen")
    assert (standing["stands"], standing["back"]) == ("yes", "Reverse…")


def test_a_reversed_ruling_can_be_restored() -> None:
    reversed_one = scenery.waived(
        "t1",
        2,
        "Referee East",
        status=AlertStatus.REVERSED,
        rulings=(
            RulingFields(person="Referee West", sanction=scenery.minus(5), deed="confirmed"),
            RulingFields(person="Referee East", reason="Wrong player", deed="reversed"),
        ),
    )
    slots = shown(of_ledger(WEST, closed=(reversed_one,)), "ruling:t1-s1-h3-f2")
    assert (slots["sanction"], slots["back"]) == ("Reversed", "Restore…")
    assert slots["history"] == "Confirmed: \N{MINUS SIGN}5 points · Referee West"


def test_the_last_decision_of_a_person_can_be_undone_at_its_revision() -> None:
    lines = [scenery.line("t1", number, scenery.minus(5)) for number in (1, 2)]
    waived = scenery.waived("t1", 3, "Referee East")
    west = of_ledger(WEST, *lines, closed=(waived,))
    east = of_ledger(EAST, *lines, closed=(waived,))
    assert [key for key in west if key.startswith("mine:")] == ["mine:t1-s1-h3-f2"]
    assert shown(east, "mine:t1-s1-h3-f3")["revision"] == "5"
    assert not [key for key in of_ledger(Viewer(), *lines) if key.startswith("mine:")]


def test_what_somebody_else_ruled_since_is_not_undone() -> None:
    both = (
        RulingFields(person="Referee East", sanction=scenery.minus(5), deed="confirmed"),
        RulingFields(person="Referee West", sanction=scenery.minus(10), deed="modified"),
    )
    items = of_ledger(EAST, scenery.line("t1", 1, scenery.minus(10), rulings=both))
    assert "mine:t1-s1-h3-f1" not in items


def test_a_settled_alert_offers_undo_to_whoever_decided_it() -> None:
    alert = scenery.alert("t1", 1)
    hall = a_hall_with(alert, scenery.ledger("t1", scenery.line("t1", 1, scenery.minus(5))))
    told(hall, ROOT.alert("t1", alert.alert), None)
    own, other = (
        shown(referee_page.items(hall, looks), f"alert:{alert.alert}") for looks in (WEST, EAST)
    )
    assert (own["can_undo"], own["can_take"], own["revision"]) == ("main", "away", "3")
    assert (other["can_undo"], other["can_take"]) == ("away", "no")


def test_the_table_says_who_pays_whom() -> None:
    each = SanctionFields(
        kind=SanctionKind.PAY_EACH, points=10, measures=(Measure.MECHANICAL,), rule=scenery.LADDER
    )
    pays = [
        {"payer": "chen-3", "payee": payee, "points": 10, "alert": "t1-s1-h3-f1"}
        for payee in ("suzuki-1", "moreau-2", "novak-4")
    ]
    lost = {"payer": "novak-4", "payee": None, "points": 5, "alert": "t1-s1-h3-f2"}
    lines = [scenery.line("t1", 1, each), scenery.line("t1", 2, scenery.minus(5))]
    totals = {"chen-3": -30, "suzuki-1": 10, "moreau-2": 10, "novak-4": 5}
    items = of_table(
        a_hall_with(scenery.ledger("t1", *lines, payments=[*pays, lost], totals=totals))
    )
    paid = [shown(items, key)["text"] for key in items if key.startswith("payment:")]
    assert paid == [
        "chen-3 pays suzuki-1 10 points",
        "chen-3 pays moreau-2 10 points",
        "chen-3 pays novak-4 10 points",
        "novak-4 loses 5 points",
    ]
    assert shown(items, "payment:t1-s1-h3-f1-0")["why"] == "Late pung · Referee West"
    assert shown(items, "seat:1")["remarks"] == "rulings \N{MINUS SIGN}30"
    assert shown(items, "seat:2")["remarks"] == "rulings +10"
