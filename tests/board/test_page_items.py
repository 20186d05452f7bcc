"""What the pages show of a hall, place by place."""

from datetime import timedelta

import pytest

from board import hall_page, referee_page, table_page
from board.hall_view import Hall, in_order
from board.slots import Items, Slots
from board.viewer import Viewer
from mqtt.parts import Payload
from scoring.alert import AlertStatus, Ruling
from scoring.effects import RulingMade
from table.seat import Seat
from tests.board import scenery
from tests.board.scenery import NODE, ROOT, START, a_hall, told
from tests.board.venue import place

ANYBODY = Viewer()


def a_hall_with(*payloads: Payload) -> Hall:
    hall = a_hall()
    for payload in payloads:
        told(hall, place(payload)[0], payload)
    return hall


def shown(items: Items, key: str) -> Slots:
    slots = items[key]
    assert slots is not None
    return slots


def of_table(hall: Hall) -> Items:
    return table_page.items(hall, hall.tables["t1"])


def test_a_tile_shows_who_is_on_turn_and_the_clock() -> None:
    tile = shown(hall_page.items(a_hall()), "tile:t1")
    assert (tile["name"], tile["hand_text"], tile["turn"]) == (
        "Table 1",
        "In play",
        "Seat 2 東 East",
    )
    assert tile["clock"] == {
        "node": "n1/3",
        "total": 10_000,
        "remaining": 9_000,
        "as_of": 60_000,
        "running": True,
        "over": False,
    }


def test_a_table_of_a_silent_node_shows_no_clock_and_says_so() -> None:
    hall = a_hall()
    hall.look(START + timedelta(seconds=7))
    items = hall_page.items(hall)
    tile = shown(items, "tile:t1")
    assert (tile["link_text"], tile["clock"]) == ("No news from its node", None)
    assert shown(items, f"node:{NODE}")["text"] == "no heartbeat for 7 s"
    assert shown(items, "need:t1")["text"] == "No news from its node"


def test_a_change_touches_its_own_tile_only() -> None:
    hall = a_hall_with(scenery.table_meta("t2"), scenery.snapshot("t2"))
    items = hall_page.items(hall, frozenset({"table:t2"}))
    assert set(items) == {"hall:", "tile:t2", "need:t2"}


def test_a_table_that_is_gone_leaves_the_hall() -> None:
    hall = a_hall()
    told(hall, ROOT.table_meta("t1"), None)
    items = hall_page.items(hall, frozenset({"table:t1"}))
    assert (items["tile:t1"], items["need:t1"]) == (None, None)


def test_table_2_comes_before_table_10() -> None:
    metas = [scenery.table_meta(table, f"Table {table[1:]}") for table in ("t10", "t2", "t1")]
    hall = a_hall_with(*metas)
    assert [table.id for table in in_order(hall)] == ["t1", "t2", "t10"]


def test_alerts_and_alarms_ask_for_somebody() -> None:
    hall = a_hall_with(scenery.alert("t1", 1), scenery.alert("t1", 2))
    told(hall, ROOT.heartbeat(NODE), scenery.beat(62_000, alarms=("The journal is full.",)))
    items = hall_page.items(hall)
    assert shown(items, "need:t1")["text"] == "2 open alerts"
    assert shown(items, "hall:")["alerts"] == "2"
    assert shown(items, f"node:{NODE}")["text"] == "online. The journal is full."


def test_a_seat_shows_wind_player_misses_and_penalties() -> None:
    hall = a_hall_with(
        scenery.snapshot("t1", missed_presses={1: 0, 2: 0, 3: 4, 4: 0}),
        scenery.ledger("t1", scenery.line("t1", 1, scenery.minus(5), player="moreau-2", seat=3)),
    )
    seat = shown(of_table(hall), "seat:3")
    assert (seat["glyph"], seat["wind"], seat["player"]) == ("南", "South", "moreau-2")
    assert seat["remarks"] == "presses missed: 4 · rulings \N{MINUS SIGN}5"


def test_the_seat_over_its_limit_is_marked_in_words() -> None:
    hall = a_hall_with(scenery.timers("t1", 70_000, seat_2=scenery.reached()))
    items = of_table(hall)
    seat = shown(items, "seat:2")
    assert (seat["state"], seat["clock_text"]) == ("over", "over the limit")
    assert shown(items, "notice:over-2")["text"] == "Seat 2 is over the limit (to discard)"


def test_the_window_says_whose_discard_it_is_about() -> None:
    hall = a_hall_with(
        scenery.snapshot("t1", window_open=True, discarder=1),
        scenery.timers("t1", 60_000, window=scenery.running(3_000, 3_000, "window")),
    )
    assert shown(of_table(hall), "table:")["window_text"] == "Pung or kong on the discard of seat 1"


@pytest.mark.parametrize(
    ("phase", "main"),
    [
        ("idle", "start-hand"),
        ("arranging", "end-deal"),
        ("turn", "pause"),
        ("verifying", "confirm-hu"),
        ("paused", "resume"),
        ("unsynced", "resume"),
        ("over", "start-hand"),
    ],
)
def test_each_phase_of_a_hand_has_one_main_order(phase: str, main: str) -> None:
    slots = shown(of_table(a_hall_with(scenery.snapshot("t1", hand_phase=phase))), "table:")
    hand_orders = {name for name, offer in slots.items() if offer == "main"}
    assert hand_orders - {"can_lift"} == {f"can_{main}"}


def test_motors_are_not_on_offer_while_a_hand_runs_but_stop_is() -> None:
    slots = shown(of_table(a_hall()), "table:")
    assert (slots["can_shuffle"], slots["can_lift"], slots["can_stop"]) == ("no", "no", "yes")


def test_an_order_carries_what_was_shown() -> None:
    slots = shown(of_table(a_hall()), "table:")
    assert (slots["hand_id"], slots["machine_seq"]) == ("t1-s1-h3", "7")


def test_the_oldest_alert_that_nobody_took_comes_first() -> None:
    taken = {
        "status": AlertStatus.ACKNOWLEDGED,
        "holder": "Referee West",
        "lease_ends_ms": 99_000,
    }
    hall = a_hall_with(
        scenery.alert("t1", 1, **taken), scenery.alert("t1", 3), scenery.alert("t1", 2)
    )
    items = referee_page.items(hall, ANYBODY)
    alerts = [key for key in items if key.startswith("alert:")]
    assert alerts == ["alert:t1-s1-h3-f2", "alert:t1-s1-h3-f3", "alert:t1-s1-h3-f1"]
    assert shown(items, "referee:")["count"] == "2"


def test_an_alert_says_what_a_referee_has_to_know() -> None:
    hall = a_hall_with(scenery.alert("t1", 1, presumed=True, step=2, proposal=scenery.minus(5)))
    slots = shown(referee_page.items(hall, ANYBODY), "alert:t1-s1-h3-f1")
    assert slots["took"] == scenery.TOOK
    assert (slots["table_name"], slots["seat"], slots["player"]) == (
        "Table 1",
        "Seat 3 南 South",
        "moreau-2",
    )
    assert (slots["limit"], slots["book"]) == ("10 s", scenery.RULE)
    assert slots["start"] == "presumed: the latest start the rules allow"
    assert (slots["proposal"], slots["rule"]) == ("\N{MINUS SIGN}5 points", scenery.LADDER)
    assert slots["step"] == "2nd of this kind for the player in this hand"


def test_an_alert_of_an_earlier_hand_is_not_given_the_winds_of_this_one() -> None:
    hall = a_hall_with(scenery.alert("t1", 1, hand="t1-s1-h2"))
    assert shown(referee_page.items(hall, ANYBODY), "alert:t1-s1-h3-f1")["seat"] == "Seat 3"


def test_a_taken_alert_shows_by_whom_and_for_how_long() -> None:
    taken = {
        "status": AlertStatus.ACKNOWLEDGED,
        "holder": "Referee West",
        "lease_ends_ms": 99_000,
    }
    slots = shown(
        referee_page.items(a_hall_with(scenery.alert("t1", 1, **taken)), ANYBODY),
        "alert:t1-s1-h3-f1",
    )
    assert slots["status_text"] == "Taken by Referee West"
    assert isinstance(slots["lease"], dict)
    assert slots["lease"]["remaining"] - slots["lease"]["as_of"] == 99_000


def test_a_settled_alert_stays_with_what_was_decided() -> None:
    alert = scenery.alert("t1", 1)
    ruled = scenery.ruled(alert, AlertStatus.WAIVED, Ruling("Referee West", None, "Seen"))
    hall = a_hall_with(alert, scenery.event("t1", 60, RulingMade(ruled)))
    told(hall, ROOT.alert("t1", alert.alert), None)
    slots = shown(referee_page.items(hall, ANYBODY), "alert:t1-s1-h3-f1")
    assert (slots["settled"], slots["can_rule"]) == ("yes", "no")
    assert slots["status_text"] == "No sanction by Referee West: Seen"


def test_a_decided_alert_that_is_marked_is_before_the_referee_again() -> None:
    marked = {"status": AlertStatus.CONFIRMED, "marked": True}
    slots = shown(
        referee_page.items(a_hall_with(scenery.alert("t1", 1, **marked)), ANYBODY),
        "alert:t1-s1-h3-f1",
    )
    assert (slots["can_take"], slots["can_rule"]) == ("no", "yes")
    assert (slots["status"], slots["status_text"]) == ("open", "Look again: Confirmed")
    assert slots["marked"] == "A ruling this one rested on was reversed. Please look again."


def test_rulings_that_stand_can_be_reversed_at_their_revision() -> None:
    hall = a_hall_with(scenery.ledger("t1", scenery.line("t1", 1, scenery.WARNING, revision=4)))
    slots = shown(referee_page.items(hall, ANYBODY), "ruling:t1-s1-h3-f1")
    assert (slots["table"], slots["revision"], slots["sanction"]) == ("t1", "4", "Warning")


def test_calls_and_overruns_are_shown_as_they_happen() -> None:
    hall = a_hall_with(
        scenery.snapshot("t1", calls=(scenery.waits(Seat.FOUR, 61),)),
        scenery.timers("t1", 70_000, seat_2=scenery.reached()),
    )
    items = referee_page.items(hall, ANYBODY)
    call = shown(items, "call:t1-4")
    assert (call["name"], call["text"], call["seat"]) == ("Table 1", "Seat 4 calls", "4")
    assert shown(items, "over:t1-2")["text"] == "Seat 2 is over the limit (to discard)"


def test_who_waits_longest_comes_first_and_other_zones_are_listed_apart() -> None:
    hall = a_hall_with(
        scenery.table_meta("t1", "Table 1", zone="a"),
        scenery.snapshot("t1", calls=(scenery.waits(Seat.TWO, 5), scenery.waits(Seat.ONE, 30))),
        scenery.table_meta("t2", "Table 2", zone="b"),
        scenery.snapshot("t2", calls=(scenery.waits(Seat.THREE, 10),)),
    )
    assert calls(hall, ANYBODY) == ["call:t1-2", "call:t2-3", "call:t1-1"]
    of_zone_b = Viewer("Referee East", frozenset({"b"}))
    assert calls(hall, of_zone_b) == ["far-call:t1-2", "call:t2-3", "far-call:t1-1"]


def calls(hall: Hall, looks: Viewer) -> list[str]:
    return [key for key in referee_page.items(hall, looks) if "call:" in key]


def test_a_call_is_a_notice_of_its_table_as_long_as_it_waits() -> None:
    hall = a_hall_with(scenery.snapshot("t1", calls=(scenery.waits(Seat.FOUR, 61),)))
    assert shown(of_table(hall), "notice:call-4")["text"] == "Seat 4 calls the referee"
    assert shown(hall_page.items(hall), "need:t1")["text"] == "Seat 4 calls the referee"
    told(hall, ROOT.state("t1"), scenery.snapshot("t1"))
    assert "notice:call-4" not in of_table(hall)
