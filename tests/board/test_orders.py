"""What a page asks for is a command that a node understands."""

from datetime import timedelta

import pytest
from pydantic import ValidationError

from board.offers import HAND_VERBS, MACHINE_VERBS
from board.orders import (
    Asked,
    AskedOfAll,
    answered,
    answered_by_all,
    command,
    command_for_all,
    not_sent,
    unconfirmed,
)
from mqtt.inbox import Request, read_request
from mqtt.messages import Delivery
from mqtt.orders import ReplyPayload
from table.alert_commands import (
    Acknowledge,
    AddNote,
    Confirm,
    EnterFoul,
    Escalate,
    Modify,
    Reverse,
    TakeUp,
    Undo,
    Waive,
)
from table.commands import (
    AnswerCall,
    Command,
    ConfirmHu,
    DrawHand,
    EnterDice,
    ExtraTime,
    GiveTime,
    Pause,
    Resume,
    SeatStandIn,
    SetTurn,
)
from table.commands import Precondition as Holds
from table.fouls import FoulKind
from table.sanctions import Measure, Sanction, SanctionKind, measure, pay_each, points
from table.seat import Seat
from tests.board.scenery import NOON, ROOT

ID = "2f1c0a9e-6d0b-4b0e-9a57-0a4c7c0f8d11"
SEEN = {"hand": "t1-s1-h3", "machine_seq": "7", "revision": "2", "alert": "t1-s1-h3-f1"}


def asked(verb: str, **more: object) -> Asked:
    return Asked.model_validate({"id": ID, "table": "t1", "verb": verb, "seen": SEEN, **more})


def understood(order: Asked) -> Request:
    """Return what a node makes of an order; a refusal fails the test."""
    payload = command(order, "Referee East").encode()
    topic = ROOT.table_command("board", order.table, order.verb)
    heard = read_request(ROOT, Delivery(topic, payload, retained=False))
    assert isinstance(heard, Request), heard
    return heard


FILLED: dict[str, object] = {
    "reason": "Seen",
    "seconds": 10,
    "minutes": 5,
    "seat": 3,
    "player": "stand-in-1",
    "throw": 2,
    "values": [3, 5],
}


@pytest.mark.parametrize("verb", [*HAND_VERBS, *MACHINE_VERBS])
def test_every_order_of_the_table_page_is_understood(verb: str) -> None:
    request = understood(asked(verb, **FILLED))
    assert (request.verb, request.person, request.id) == (verb, "Referee East", ID)


@pytest.mark.parametrize(
    ("verb", "order"),
    [
        ("give-time", GiveTime(timedelta(seconds=10), "Seen")),
        ("extra-time", ExtraTime(timedelta(minutes=5), "Seen")),
        ("set-turn", SetTurn(Seat.THREE, "Seen")),
        ("answer-call", AnswerCall(Seat.THREE)),
        ("seat-stand-in", SeatStandIn(Seat.THREE, "stand-in-1", "Seen")),
        ("enter-dice", EnterDice(2, (3, 5))),
        ("draw-hand", DrawHand("Seen")),
    ],
)
def test_an_order_says_what_was_filled_in(verb: str, order: Command) -> None:
    assert understood(asked(verb, **FILLED)).command == order


def test_resume_gives_a_fresh_limit_unless_what_was_left_is_asked_for() -> None:
    assert understood(asked("resume")).command == Resume()
    assert understood(asked("resume", remaining=True)).command == Resume(remaining=True)


def test_hu_is_confirmed_for_those_who_were_ticked_in_their_order() -> None:
    assert understood(asked("confirm-hu")).command == ConfirmHu()
    assert understood(asked("confirm-hu", seats=[4, 1])).command == ConfirmHu((Seat.FOUR, Seat.ONE))


def test_an_entered_foul_rests_on_the_hand_that_was_seen() -> None:
    request = understood(asked("enter-foul", kind="false-hu", seat=2, remark=" seven points "))
    assert request.command == EnterFoul(FoulKind.FALSE_HU, Seat.TWO, "seven points")
    assert request.precondition == Holds(hand="t1-s1-h3")


def test_every_node_is_ordered_under_an_id_of_its_own() -> None:
    wanted = AskedOfAll.model_validate({"id": ID, "verb": "pause", "reason": "Fire alarm"})
    heard = []
    for node in ("n1", "n" * 64):
        payload = command_for_all(wanted, "Referee East", node).encode()
        topic = ROOT.node_command("board", node, "pause")
        heard.append(read_request(ROOT, Delivery(topic, payload, retained=False)))
    requests = [one for one in heard if isinstance(one, Request)]
    assert [one.command for one in requests] == [Pause("Fire alarm")] * 2
    assert len({one.id for one in requests}) == 2


def test_an_order_about_the_hand_rests_on_the_hand_that_was_seen() -> None:
    assert understood(asked("pause")).precondition == Holds(hand="t1-s1-h3")
    assert understood(asked("pause")).command == Pause("")


def test_an_order_to_the_motors_rests_on_the_machine_that_was_seen() -> None:
    assert understood(asked("shuffle")).precondition == Holds(machine_seq=7)


def test_stop_rests_on_nothing() -> None:
    assert understood(asked("stop")).precondition == Holds()


@pytest.mark.parametrize(
    ("order", "ruling"),
    [
        (asked("acknowledge"), Acknowledge("t1-s1-h3-f1", 2)),
        (asked("confirm"), Confirm("t1-s1-h3-f1", 2)),
        (asked("waive", reason=" Seen "), Waive("t1-s1-h3-f1", 2, "Seen")),
        (asked("reverse", reason="Mistake"), Reverse("t1-s1-h3-f1", 2, "Mistake")),
        (asked("undo"), Undo("t1-s1-h3-f1", 2)),
        (asked("take-up", objector=4), TakeUp("t1-s1-h3-f1", 2, Seat.FOUR)),
        (asked("take-up", objector=""), TakeUp("t1-s1-h3-f1", 2)),
        (asked("escalate", reason="Too much"), Escalate("t1-s1-h3-f1", 2, "Too much")),
        (asked("add-note", text="Look at hand 2"), AddNote("t1-s1-h3-f1", "Look at hand 2")),
    ],
)
def test_a_ruling_rests_on_the_revision_that_was_seen(order: Asked, ruling: Command) -> None:
    assert understood(order).command == ruling


@pytest.mark.parametrize(
    ("written", "to", "imposed"),
    [
        ("warning", "", Sanction(SanctionKind.WARNING)),
        ("20", "", points(20)),
        ("10-each+mechanical", "", pay_each(10, Measure.MECHANICAL)),
        ("no-hu", "", measure(Measure.NO_HU)),
        ("10-player", "novak-4", Sanction(SanctionKind.PAY_PLAYER, 10, (), "novak-4")),
    ],
)
def test_a_sanction_is_ordered_as_the_book_writes_it(
    written: str, to: str, imposed: Sanction
) -> None:
    ruling = understood(asked("modify", sanction=written, to=to, reason="Repeated")).command
    assert ruling == Modify("t1-s1-h3-f1", 2, imposed, "Repeated")


@pytest.mark.parametrize(
    "wrong",
    [
        {"verb": "explode"},
        {"table": "t1/#"},
        {"id": "NO SUCH ID"},
        {"sanction": "-5"},
        {"sanction": "10-each+no-such-measure"},
        {"seat": 5},
        {"kind": "no-such-foul"},
        {"seen": {"revision": "many"}},
        {"surprise": 1},
        {"reason": "x" * 501},
    ],
)
def test_what_is_no_order_is_refused(wrong: dict[str, object]) -> None:
    whole = {"id": ID, "table": "t1", "verb": "pause", "seen": SEEN}
    with pytest.raises(ValidationError):
        Asked.model_validate(whole | wrong)


def reply(status: str, code: str = "", reason: str = "") -> ReplyPayload:
    fields = {"id": ID, "status": status, "code": code, "reason": reason, "time": NOON}
    return ReplyPayload.model_validate(fields)


def test_an_answer_says_what_became_of_the_order() -> None:
    assert answered("pause", reply("done"), 3).title == "Pause: done"
    assert answered("shuffle", reply("accepted"), 3).title == "Shuffle: accepted, not finished yet"
    failed = answered("lift", reply("failed", "uncertain", "The table did not answer."), 3)
    assert (failed.mood, failed.detail) == ("bad", "The table did not answer.")


def test_a_stale_ruling_shows_what_was_decided() -> None:
    told = answered("confirm", reply("rejected", "stale", "it was waived by Referee West"), 3)
    assert told.title == "Confirm: too late, it has changed"
    assert told.detail == "it was waived by Referee West"


def test_no_answer_is_told_as_such() -> None:
    told = answered("waive", None, 3)
    assert (told.mood, told.title) == ("warn", "No sanction: no answer within 3 s")
    assert not_sent("pause").title == "Pause: not sent"
    assert unconfirmed("pause", "no answer in 3 s").title == "Pause: not confirmed by the broker"


def test_an_order_for_all_tables_is_answered_node_by_node() -> None:
    done = reply("done", reason="7 of 8 tables; no hand is running")
    told = answered_by_all("pause", {"n1": done, "n2": None})
    assert (told.mood, told.title) == ("warn", "Pause all tables: 1 of 2 nodes did it")
    assert told.detail == "n1: 7 of 8 tables; no hand is running. n2: no answer."
    assert answered_by_all("resume", {"n1": done}).title == "Resume all: done"
    assert answered_by_all("pause", {}).title == "Pause all tables: no node is online"
