"""What a referee reads of an alert, in which order, and what is on offer."""

import pytest

from board import referee_page, table_page
from board.slots import Slots
from board.viewer import Viewer
from mqtt.parts import NoteFields, PaymentFields, SanctionFields
from mqtt.payloads_of_rulings import AlertPayload
from table.fouls import FoulKind
from table.sanctions import SanctionKind
from table.seat import Seat
from tests.board import scenery
from tests.board.scenery import ROOT, told
from tests.board.test_page_items import ANYBODY, a_hall_with, shown


def slots_of(alert: AlertPayload, looks: Viewer = ANYBODY) -> Slots:
    return shown(referee_page.items(a_hall_with(alert), looks), f"alert:{alert.alert}")


def words(slots: Slots, name: str) -> list[str]:
    offered = slots[name]
    assert isinstance(offered, list)
    return [one["words"] for one in offered]


def test_the_own_zone_comes_first_and_within_it_the_oldest_that_nobody_took() -> None:
    hall = a_hall_with(
        scenery.table_meta("t1", "Table 1", zone="a"),
        scenery.table_meta("t2", "Table 2", zone="b"),
        scenery.alert("t1", 1),
        scenery.alert("t2", 3),
        scenery.alert("t2", 2),
    )
    items = referee_page.items(hall, Viewer("Referee East", frozenset({"b"})))
    alerts = [key for key in items if key.startswith("alert:")]
    assert alerts == ["alert:t2-s1-h3-f2", "alert:t2-s1-h3-f3", "alert:t1-s1-h3-f1"]
    assert [shown(items, key)["own"] for key in alerts] == ["yes", "yes", "no"]
    assert shown(items, alerts[0])["zone"] == "Zone b"
    assert shown(items, "referee:")["zones"] == "b"


def test_without_zones_every_alert_is_the_referees_own() -> None:
    slots = slots_of(scenery.alert("t1", 1))
    assert (slots["own"], slots["zone"]) == ("yes", "")


def test_only_what_the_book_offers_can_be_chosen_instead() -> None:
    slots = slots_of(scenery.alert("t1", 1, choices=("warning", "10-each+mechanical", "choice")))
    assert words(slots, "choices") == [
        "Warning",
        "10 points to each of the other three, plays on mechanically",
    ]


def test_what_the_book_leaves_to_the_referee_cannot_be_confirmed() -> None:
    choice = SanctionFields(kind=SanctionKind.CHOICE)
    slots = slots_of(scenery.alert("t1", 1, proposal=choice))
    assert (slots["can_confirm"], slots["can_modify"]) == ("no", "main")
    assert slots["proposal"] == "The referee chooses"
    confirmable = slots_of(scenery.alert("t1", 1))
    assert (confirmable["can_confirm"], confirmable["can_modify"]) == ("main", "yes")


def test_neither_is_the_offender_paid_nor_does_the_offender_object() -> None:
    slots = slots_of(scenery.alert("t1", 1, seat=Seat.THREE))
    assert words(slots, "payees") == ["Seat 1 · chen-3", "Seat 2 · suzuki-1", "Seat 4 · novak-4"]
    assert words(slots, "objectors") == [
        *words(slots, "payees"),
        "The referee, without a player",
    ]


@pytest.mark.parametrize(
    ("changes", "name", "text"),
    [
        ({}, "start", "sensed by the table"),
        ({"presumed": True}, "start", "presumed: the latest start the rules allow"),
        ({"entered_by": "Referee West"}, "start", "entered by a referee"),
        ({}, "over", "at least 0.009 s"),
        ({}, "records", "118, 121"),
        ({"rests_on": ("t1-s1-h3-f1", "t1-s1-h3-f2")}, "rests_on", "t1-s1-h3-f1, t1-s1-h3-f2"),
        ({"objector": Seat.TWO}, "objector", "Seat 2 objected"),
        ({"remark": "Seven points"}, "remark", "Seven points"),
        (
            {"notes": (NoteFields(person="Referee West", text="Asked both"),)},
            "notes",
            "Referee West: Asked both",
        ),
        ({"escalated": "Disputed"}, "escalated", "Before the chief referee: Disputed"),
    ],
)
def test_everything_that_a_ruling_rests_on_is_told(
    changes: dict[str, object], name: str, text: str
) -> None:
    assert slots_of(scenery.alert("t1", 1, **changes))[name] == text


BEFORE_THE_CHIEF = {"escalated": "Disputed"}


@pytest.mark.parametrize(
    ("person", "offers"),
    [
        ("Ito", ("yes", "main", "yes", "yes", "no")),
        ("Referee East", ("away",) * 5),
        ("", ("away",) * 5),
    ],
)
def test_what_is_before_the_chief_referee_is_for_a_chief_alone(
    person: str, offers: tuple[str, ...]
) -> None:
    meta = scenery.table_meta("t1").model_copy(update={"chiefs": ("Abe", "Ito")})
    hall = a_hall_with(meta, scenery.alert("t1", 1, **BEFORE_THE_CHIEF))
    slots = shown(referee_page.items(hall, Viewer(person)), "alert:t1-s1-h3-f1")
    assert offers == tuple(
        slots[name]
        for name in ("can_take", "can_confirm", "can_rule", "can_modify", "can_escalate")
    )
    waits = "Open" if person == "Ito" else "Before the chief referee"
    assert slots["status_text"] == waits


def test_any_referee_may_rule_or_escalate_before_that() -> None:
    meta = scenery.table_meta("t1").model_copy(update={"chiefs": ("Ito",)})
    hall = a_hall_with(meta, scenery.alert("t1", 1))
    slots = shown(referee_page.items(hall, Viewer("Referee East")), "alert:t1-s1-h3-f1")
    assert (slots["can_confirm"], slots["can_escalate"]) == ("main", "yes")


def test_a_node_that_names_no_chief_decides_by_itself_who_may_rule() -> None:
    slots = slots_of(scenery.alert("t1", 1, **BEFORE_THE_CHIEF), Viewer("Referee East"))
    assert slots["can_confirm"] == "main"


def test_every_page_calls_a_foul_what_the_book_calls_it() -> None:
    titles = {
        FoulKind.DISCARD_OVER_LIMIT: "Slow discard",
        FoulKind.LATE_PUNG: "Slow pung",
        FoulKind.FALSE_HU: "Hu that was none",
    }
    meta = scenery.table_meta("t1").model_copy(update={"titles": titles})
    line = scenery.line("t1", 9, scenery.minus(5))
    paid = PaymentFields(payer="chen-3", points=5, alert=line.alert)
    hall = a_hall_with(meta, scenery.alert("t1", 1), scenery.ledger("t1", line, payments=(paid,)))
    items = referee_page.items(hall, ANYBODY)
    assert shown(items, "alert:t1-s1-h3-f1")["kind"] == "Slow discard"
    assert shown(items, f"ruling:{line.alert}")["kind"] == "Slow pung"
    assert words(shown(items, "book:t1"), "kinds") == [
        "Hu that was none",
        "Wrong chow or pung",  # the book has no name for it
        "Phone rang",
    ]
    paying = shown(table_page.items(hall, hall.tables["t1"]), f"payment:{line.alert}-0")
    assert paying["why"] == "Slow pung · Referee West"


def test_what_was_not_measured_shows_neither_time_nor_limit() -> None:
    bare = {
        "measured_least_us": None,
        "measured_most_us": None,
        "limit_us": None,
        "excess_us": 0,
        "kind": FoulKind.FALSE_HU,
        "entered_by": "Referee West",
    }
    slots = slots_of(scenery.alert("t1", 1, **bare))
    assert (slots["took"], slots["measured"]) == ("Entered by Referee West", "")
    assert (slots["limit"], slots["over"]) == ("", "")


def test_what_nobody_objected_to_is_listed_apart_and_waits_for_nobody() -> None:
    hall = a_hall_with(scenery.alert("t1", 1, status="unclaimed"))
    items = referee_page.items(hall, ANYBODY)
    assert (shown(items, "referee:")["count"], shown(items, "referee:")["unclaimed"]) == ("0", "1")
    assert shown(items, "unclaimed:t1-s1-h3-f1")["revision"] == "1"
    assert "alert:t1-s1-h3-f1" not in items


def test_what_nobody_objected_to_is_gone_when_it_lapses() -> None:
    hall = a_hall_with(scenery.alert("t1", 1, status="unclaimed"))
    told(hall, ROOT.alert("t1", "t1-s1-h3-f1"), None)
    items = referee_page.items(hall, ANYBODY)
    assert not {"unclaimed:t1-s1-h3-f1", "alert:t1-s1-h3-f1"} & items.keys()


def test_tables_of_one_book_share_its_list_and_what_tables_sense_comes_last() -> None:
    sensed = {FoulKind.LATE_PUNG: "art. 11", **scenery.FOULS}
    metas = [
        scenery.table_meta(table, table).model_copy(update={"fouls": sensed})
        for table in ("t1", "t2")
    ]
    items = referee_page.items(a_hall_with(*metas), ANYBODY)
    assert shown(items, "book:t2")["kinds_of"] == "book:t1"
    assert words(shown(items, "book:t2"), "kinds") == []
    kinds = shown(items, "book:t1")["kinds"]
    assert isinstance(kinds, list)
    assert [kind["value"] for kind in kinds] == [
        "false-hu",
        "wrong-meld",
        "phone-rang",
        "late-pung",
    ]
    assert kinds[0]["more"] == scenery.FOULS[FoulKind.FALSE_HU]
