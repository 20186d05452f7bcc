"""The hall is what the topics say, one message after the other."""

from datetime import timedelta

from board.conditions import link
from board.hall_view import NOTHING
from table.seat import Seat
from tests.board import scenery
from tests.board.scenery import NODE, ROOT, START, a_hall, told
from timing.effects import Drawn, RefereeWanted


def test_a_message_changes_what_it_is_about() -> None:
    hall = a_hall()
    changes = told(hall, ROOT.state("t1"), scenery.snapshot("t1", hand_phase="paused"))
    assert changes == {"table:t1"}
    state = hall.tables["t1"].state
    assert state
    assert state.hand_phase == "paused"


def test_seats_are_read_from_their_numbers() -> None:
    timers = a_hall().tables["t1"].timers
    assert timers
    face = timers.seats[Seat.TWO]
    assert face
    assert face.remaining_ms == 9_000


def test_a_topic_of_another_venue_changes_nothing() -> None:
    hall = a_hall()
    topic = ROOT.state("t1").replace("hall-one", "hall-two")
    assert told(hall, topic, scenery.snapshot("t1", hand_phase="paused")) == NOTHING


def test_a_payload_nobody_can_read_is_counted_and_passed_over() -> None:
    hall = a_hall()
    assert hall.apply(ROOT.state("t1"), b'{"table": "t1"', START) == NOTHING
    assert hall.apply(ROOT.state("t9"), b'{"table": "t9"}', START) == NOTHING
    assert hall.unreadable == 2
    assert "t9" not in hall.tables


def test_fields_that_are_not_known_yet_do_not_matter() -> None:
    hall = a_hall()
    body = scenery.snapshot("t1", hand_phase="over").model_dump_json()
    newer = body[:-1] + ',"weather":"rain"}'
    assert hall.apply(ROOT.state("t1"), newer.encode(), START) == {"table:t1"}


def test_the_will_of_an_older_session_does_not_take_a_node_away() -> None:
    hall = a_hall()
    told(hall, ROOT.node_availability(NODE), scenery.node_availability("offline", session=2))
    assert link(hall, hall.tables["t1"]) == "online"


def test_a_node_that_is_offline_makes_its_tables_stale() -> None:
    hall = a_hall()
    changes = told(hall, ROOT.node_availability(NODE), scenery.node_availability("offline"))
    assert changes == {f"node:{NODE}", "table:t1"}
    assert link(hall, hall.tables["t1"]) == "stale"


def test_three_missing_heartbeats_make_a_node_and_its_tables_stale() -> None:
    hall = a_hall()
    assert hall.look(START + timedelta(seconds=6)) == NOTHING
    assert hall.look(START + timedelta(seconds=7)) == {f"node:{NODE}", "table:t1"}
    assert link(hall, hall.tables["t1"]) == "stale"
    heard = told(hall, ROOT.heartbeat(NODE), scenery.beat(69_000), START + timedelta(seconds=9))
    assert heard == {f"node:{NODE}", "table:t1"}
    assert link(hall, hall.tables["t1"]) == "online"


def test_a_heartbeat_in_time_leaves_the_tables_alone() -> None:
    hall = a_hall()
    heard = told(hall, ROOT.heartbeat(NODE), scenery.beat(62_000), START + timedelta(seconds=2))
    assert heard == {f"node:{NODE}"}


def test_an_emptied_alert_is_settled() -> None:
    hall, alert = a_hall(), scenery.alert("t1", 1)
    topic = ROOT.alert("t1", alert.alert)
    told(hall, topic, alert)
    assert list(hall.tables["t1"].alerts) == [alert.alert]
    assert told(hall, topic, None) == {"table:t1"}
    assert not hall.tables["t1"].alerts
    assert list(hall.tables["t1"].settled) == [alert.alert]


def test_an_alert_that_is_not_sent_again_after_a_lost_line_is_settled() -> None:
    hall = a_hall()
    kept, gone = scenery.alert("t1", 1), scenery.alert("t1", 2)
    for alert in (kept, gone):
        told(hall, ROOT.alert("t1", alert.alert), alert)
    hall.doubt()
    told(hall, ROOT.alert("t1", kept.alert), kept)
    assert hall.settle_doubted() == {"table:t1"}
    assert list(hall.tables["t1"].alerts) == [kept.alert]
    assert hall.settle_doubted() == NOTHING


def test_an_event_that_comes_twice_is_kept_once() -> None:
    hall, event = a_hall(), scenery.event("t1", 51, Drawn(Seat.TWO))
    topic = ROOT.event("t1", "drawn")
    assert told(hall, topic, event) == {"table:t1"}
    assert told(hall, topic, event) == NOTHING
    assert len(hall.tables["t1"].events) == 1


def test_who_waits_for_the_referee_is_what_the_snapshot_says_and_no_event() -> None:
    hall = a_hall()
    call = scenery.event("t1", 51, RefereeWanted(Seat.FOUR))
    told(hall, ROOT.event("t1", "referee-wanted"), call)
    assert list(hall.tables["t1"].calls) == []
    waits = scenery.waits(Seat.FOUR, 51)
    told(hall, ROOT.state("t1"), scenery.snapshot("t1", calls=(waits,)))
    assert hall.tables["t1"].calls == (waits,)


def test_a_table_whose_meta_is_emptied_is_gone() -> None:
    hall = a_hall()
    assert told(hall, ROOT.table_meta("t1"), None) == {"table:t1"}
    assert not hall.tables
