"""What a page asks for is a command that a node understands."""

import pytest
from pydantic import ValidationError

from board.offers import HAND_VERBS, MACHINE_VERBS
from board.orders import SANCTIONS, Asked, answered, command, not_sent, unconfirmed
from mqtt.inbox import Request, read_request
from mqtt.messages import Delivery
from mqtt.orders import ReplyPayload
from table.commands import Acknowledge, Command, Confirm, Modify, Pause, Reverse, Waive
from table.commands import Precondition as Holds
from table.sanctions import Sanction, points
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


@pytest.mark.parametrize("verb", [*HAND_VERBS, *MACHINE_VERBS])
def test_every_order_of_the_table_page_is_understood(verb: str) -> None:
    request = understood(asked(verb, reason="The wall or the deal was wrong"))
    assert (request.verb, request.person, request.id) == (verb, "Referee East", ID)


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
        (
            asked("modify", sanction="20", reason="Repeated"),
            Modify("t1-s1-h3-f1", 2, points(20), "Repeated"),
        ),
    ],
)
def test_a_ruling_rests_on_the_revision_that_was_seen(order: Asked, ruling: Command) -> None:
    assert understood(order).command == ruling


@pytest.mark.parametrize("sanction", SANCTIONS)
def test_every_sanction_on_offer_is_understood(sanction: Sanction) -> None:
    ruling = understood(asked("modify", sanction=str(sanction.points), reason="Repeated")).command
    assert isinstance(ruling, Modify)
    assert ruling.sanction == sanction


@pytest.mark.parametrize(
    "wrong",
    [
        {"verb": "explode"},
        {"table": "t1/#"},
        {"id": "NO SUCH ID"},
        {"sanction": "-5"},
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
    assert (told.mood, told.title) == ("warn", "Waive: no answer within 3 s")
    assert not_sent("pause").title == "Pause: not sent"
    assert unconfirmed("pause", "no answer in 3 s").title == "Pause: not confirmed by the broker"
