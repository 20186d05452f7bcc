"""What a referee reads of an alert, in which order, and what is on offer."""

import pytest

from board import referee_page
from board.slots import Slots
from board.viewer import Viewer
from mqtt.parts import NoteFields, SanctionFields
from mqtt.payloads import AlertPayload
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
