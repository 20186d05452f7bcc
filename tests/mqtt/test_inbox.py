import json
from dataclasses import replace
from datetime import timedelta
from typing import Any, get_args

import pytest

from mqtt.inbox import LARGEST_PAYLOAD, Heard, Rejection, Request, read_request
from mqtt.messages import Delivery
from mqtt.verbs import NODE_VERBS, VERBS
from table.alert_commands import Acknowledge, AddNote, EnterFoul, Modify, TakeUp, Waive
from table.answers import Code
from table.commands import (
    ALWAYS,
    AnswerCall,
    Command,
    ConfirmHu,
    EnterDice,
    ExtraTime,
    GiveTime,
    Pause,
    Precondition,
    SeatPlayers,
    SeatStandIn,
    SetLamp,
    Shuffle,
    SoundBuzzer,
    Stop,
    VoidHand,
)
from table.fouls import FoulKind
from table.sanctions import Measure, Sanction, SanctionKind, points
from table.seat import BySeat, Seat
from tests.mqtt.sample_orders import PLAYERS, REPLY, ROOT, SEEN, node_order, order


def read(message: Delivery) -> Heard:
    heard = read_request(ROOT, message)
    assert heard is not None
    return heard


def accepted(message: Delivery) -> Request:
    heard = read(message)
    assert isinstance(heard, Request), heard
    return heard


def rejected(message: Delivery) -> tuple[str, str, str | None]:
    heard = read(message)
    assert isinstance(heard, Rejection), heard
    return heard.code, heard.reason, heard.reply_topic


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_gives_its_command(verb: str) -> None:
    request = accepted(order(verb))
    assert type(request.command) is VERBS[verb].command
    assert (request.id, request.login, request.person) == ("c1", "board", "li")
    assert (request.table, request.verb, request.reply_topic) == ("t1", verb, REPLY)


def test_every_command_of_the_core_has_one_verb() -> None:
    assert sorted(map(str, get_args(Command))) == sorted(str(v.command) for v in VERBS.values())


def test_arguments_arrive_as_the_core_knows_them() -> None:
    assert accepted(order("modify")).command == Modify("t1-4-1", 2, points(10), "second time")
    assert accepted(order("waive")).command == Waive("t1-4-1", 2, "tile fell")
    assert accepted(order("acknowledge")).command == Acknowledge("t1-4-1", 2)
    assert accepted(order("void-hand")).command == VoidHand("wall fell")
    assert accepted(order("pause", arguments={"reason": "tea"})).command == Pause("tea")
    seated = SeatPlayers(BySeat("an", "bo", "chen", "ding"))
    assert accepted(order("seat-players")).command == seated
    given = GiveTime(timedelta(seconds=10), "phone rang")
    assert accepted(order("give-time")).command == given
    longer = ExtraTime(timedelta(minutes=5), "power cut")
    assert accepted(order("extra-time")).command == longer
    assert accepted(order("confirm-hu")).command == ConfirmHu((Seat.THREE, Seat.ONE))
    assert accepted(order("confirm-hu", arguments={})).command == ConfirmHu()
    assert accepted(order("enter-dice")).command == EnterDice(2, (3, 5))
    foul = EnterFoul(FoulKind.FALSE_HU, Seat.TWO, "7 fan")
    assert accepted(order("enter-foul")).command == foul
    stand_in = SeatStandIn(Seat.FOUR, "gu", "ding is out")
    assert accepted(order("seat-stand-in")).command == stand_in
    assert accepted(order("take-up")).command == TakeUp("t1-4-1", 2, Seat.THREE)
    assert accepted(order("answer-call")).command == AnswerCall(Seat.FOUR)
    assert accepted(order("add-note")).command == AddNote("t1-4-1", "saw it too")
    tone = SoundBuzzer(Seat.TWO, timedelta(milliseconds=200))
    assert accepted(order("sound-buzzer")).command == tone
    assert accepted(order("set-lamp")).command == SetLamp(Seat.TWO, lit=True)


def test_a_sanction_arrives_with_its_measures_and_whom_it_is_paid_to() -> None:
    asked = {"kind": "pay-player", "points": 8, "measures": ["mechanical"], "to": "an"}
    arguments = {"alert": "t1-4-1", "reason": "kept the tile", "sanction": asked}
    sanction = Sanction(SanctionKind.PAY_PLAYER, 8, (Measure.MECHANICAL,), "an")
    modified = accepted(order("modify", arguments=arguments)).command
    assert modified == Modify("t1-4-1", 2, sanction, "kept the tile")


def test_nobody_sounds_a_buzzer_longer_than_at_the_limit() -> None:
    too_long = {"seat": 2, "length_ms": 301}
    code, reason, _ = rejected(order("sound-buzzer", arguments=too_long))
    assert code == Code.BAD_VALUE
    assert "length_ms" in reason
    assert "300" in reason


def test_preconditions_arrive_with_the_command() -> None:
    assert accepted(order("pause")).precondition == Precondition(hand="t1-4")
    assert accepted(order("shuffle")).precondition == Precondition(machine_seq=9)
    assert accepted(order("waive")).precondition == ALWAYS


def test_a_command_about_the_hand_before_the_first_names_none() -> None:
    request = accepted(order("start-hand", precondition={"hand": ""}))
    assert request.precondition == Precondition(hand="")


def test_stop_is_taken_without_and_with_any_precondition() -> None:
    assert accepted(order("stop")).command == Stop()
    assert accepted(order("stop", precondition={"hand": "t1-4"})).precondition == ALWAYS


def test_with_an_expiry_a_hand_or_motor_command_needs_no_precondition() -> None:
    for verb, command in (("pause", Pause()), ("shuffle", Shuffle())):
        message = replace(order(verb, precondition={}), expiry_seconds=5)
        request = accepted(message)
        assert (request.command, request.precondition) == (command, ALWAYS)
        assert request.expiry_seconds == 5


@pytest.mark.parametrize("verb", [verb for verb, row in VERBS.items() if row.need in SEEN])
def test_without_expiry_and_precondition_a_command_is_refused(verb: str) -> None:
    code, reason, reply = rejected(order(verb, precondition={}))
    assert (code, reply) == ("precondition-missing", REPLY)
    assert VERBS[verb].need in reason


def test_a_ruling_needs_its_revision_even_with_an_expiry() -> None:
    message = replace(order("waive", precondition={}), expiry_seconds=5)
    assert rejected(message)[:2] == (
        "precondition-missing",
        "a ruling needs precondition revision",
    )


def test_a_precondition_that_nobody_would_check_is_refused() -> None:
    code, reason, _ = rejected(order("pause", precondition={"hand": "t1-4", "machine_seq": 9}))
    assert code == "invalid-payload"
    assert reason == "precondition machine_seq is not checked for this verb, only hand is"


def test_a_retained_command_is_refused() -> None:
    assert rejected(replace(order(), retained=True))[::2] == ("retained", REPLY)


def test_who_takes_a_retained_command_away_asks_for_nothing() -> None:
    message = replace(order(), retained=True, payload=b"", response_topic=REPLY)
    assert read_request(ROOT, message) is None


def test_an_expiry_above_five_seconds_is_refused() -> None:
    assert rejected(replace(order(), expiry_seconds=6)) == (
        "expiry-too-long",
        "message expiry is 6 s; 5 s at most",
        REPLY,
    )


def test_an_unknown_verb_is_refused_with_the_nearest() -> None:
    code, reason, reply = rejected(order("waives"))
    assert (code, reason, reply) == ("unknown-verb", "no verb waives; nearest is waive", REPLY)


@pytest.mark.parametrize("verb", sorted(NODE_VERBS))
def test_an_order_for_a_node_is_for_every_table_of_it(verb: str) -> None:
    request = accepted(node_order(verb))
    assert (request.node, request.table, request.verb) == ("n1", "", verb)
    assert type(request.command) is NODE_VERBS[verb].command
    assert request.precondition == ALWAYS


def test_nodes_take_no_other_verbs_and_the_venue_none() -> None:
    for topic in (ROOT.node_command("board", "n1", "stop"), ROOT.venue_command("board", "stop")):
        assert rejected(replace(order(), topic=topic))[::2] == ("unknown-verb", REPLY)


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"", "the payload is not JSON: EOF"),
        (b"pause!", "the payload is not JSON: expected value"),
        (b"\xff\xfe", "the payload is not JSON"),
        (b"[" * 9000, "the payload is not JSON: recursion limit exceeded"),
        (b"[]", "the payload must be a JSON object"),
        (b'{"person":"li"}', "key id is missing"),
        (b'{"id":"c1"}', "key person is missing"),
        (b'{"id":"C 1","person":"li"}', "id 'C 1': string should match pattern"),
        (b'{"id":"c1","person":""}', "person '': string should have at least 1 character"),
        (b'{"id":"c1","person":7}', "person 7: input should be a valid string"),
        (b'{"id":"c1","person":"li","persons":1}', "unknown key persons; nearest is person"),
        (
            b'{"id":"c1","person":"li","precondition":{"revison":1}}',
            "unknown key precondition.revison; nearest is revision",
        ),
        (
            b'{"id":"c1","person":"li","precondition":{"machine_seq":"9"}}',
            "precondition.machine_seq '9': input should be a valid integer",
        ),
        (
            b'{"id":"c1","person":"li","precondition":7}',
            "precondition must be a JSON object",
        ),
        (
            b'{"id":"c1","person":"li","arguments":{"because":"tea"}}',
            "unknown key because",
        ),
    ],
)
def test_a_payload_out_of_order_is_refused_with_the_place(payload: bytes, reason: str) -> None:
    code, said, reply = rejected(replace(order(), payload=payload))
    assert code == "invalid-payload"
    assert said.startswith(reason)
    assert reply == (REPLY if b'"id":"c1"' in payload else None)


@pytest.mark.parametrize(
    ("verb", "arguments", "code", "reason"),
    [
        ("waive", {"alert": "a"}, "reason-missing", "key reason is missing"),
        ("waive", {"alert": "a", "reason": ""}, "reason-missing", "reason '': "),
        ("waive", {"alert": "a", "reason": "  "}, "reason-missing", "reason '  ': "),
        ("waive", {"reason": "tile fell"}, "invalid-payload", "key alert is missing"),
        ("waive", {"alert": "a", "reason": "x" * 501}, "bad-value", "reason "),
        (
            "modify",
            {"alert": "a", "reason": "r", "sanction": {"kind": "points", "points": -1}},
            "bad-value",
            "sanction.points -1: input should be greater than or equal to 0",
        ),
        (
            "modify",
            {"alert": "a", "reason": "r", "sanction": {"kind": "points", "point": 1}},
            "invalid-payload",
            "unknown key sanction.point; nearest is points",
        ),
        (
            "modify",
            {"alert": "a", "reason": "r", "sanction": {"kind": "measure", "measures": ["no-hoo"]}},
            "bad-value",
            f"sanction.measures.0 'no-hoo' is none of {len(Measure)} allowed; nearest is no-hu",
        ),
        (
            "enter-foul",
            {"kind": "late-pong", "seat": 1},
            "bad-value",
            f"kind 'late-pong' is none of {len(FoulKind)} allowed; nearest is late-pung",
        ),
        ("enter-dice", {"throw": 3, "values": [1, 1]}, "bad-value", "throw 3: "),
        ("enter-dice", {"throw": 1, "values": [1, 7]}, "bad-value", "values.1 7: "),
        ("give-time", {"seconds": 0, "reason": "r"}, "bad-value", "seconds 0: "),
        ("extra-time", {"minutes": 5}, "reason-missing", "key reason is missing"),
        ("confirm-hu", {"seats": [5]}, "bad-value", "seats.0 5: "),
        ("seat-players", {"players": {"1": "an"}}, "bad-value", "players {'1': 'an'}: "),
        (
            "seat-players",
            {"players": PLAYERS | {"5": "gu"}},
            "bad-value",
            "players.5.[key] '5': input should be '1', '2', '3' or '4'",
        ),
    ],
)
def test_arguments_out_of_order_are_refused_with_the_place(
    verb: str, arguments: dict[str, Any], code: str, reason: str
) -> None:
    found, said, reply = rejected(order(verb, arguments=arguments))
    assert (found, reply) == (code, REPLY)
    assert said.startswith(reason)


def test_a_payload_that_is_too_long_is_refused_unread() -> None:
    message = replace(order(), payload=b'{"id":"c1"' + b" " * LARGEST_PAYLOAD)
    assert rejected(message) == ("too-large", "the payload has 16394 bytes; 16384 at most", None)


def test_the_answer_goes_where_the_sender_asks_below_its_own_name() -> None:
    own = ROOT.reply("board", "desk-4")
    assert accepted(replace(order(), response_topic=own)).reply_topic == own
    assert rejected(replace(order(), payload=b"?", response_topic=own))[2] == own


@pytest.mark.parametrize(
    "foreign", [ROOT.reply("other", "c1"), ROOT.state("t1"), "mahjong", "", "reply/board/c1"]
)
def test_an_answer_to_another_place_is_refused(foreign: str) -> None:
    heard = read(replace(order(), response_topic=foreign or "x/y"))
    assert isinstance(heard, Rejection)
    assert (heard.code, heard.reply_topic) == ("reply-topic-refused", REPLY)
    assert heard.reason.endswith("only topics below reply/board/ are allowed")


@pytest.mark.parametrize("topic", [ROOT.state("t1"), REPLY, "cmd/board/table/t1/pause", "", "$SYS"])
def test_what_is_no_command_topic_is_nobodys_request(topic: str) -> None:
    assert read_request(ROOT, replace(order(), topic=topic)) is None


def test_a_rejection_names_who_sent_it_as_far_as_the_message_says() -> None:
    assert _rejection(order(more=1)).person == "li"
    assert _rejection(order(person=7)).person == ""
    assert _rejection(order(person="x" * 200)).person == "x" * 100
    assert _rejection(replace(order(), payload=b"?")).person == ""


def test_a_reason_is_one_line_of_bounded_length_whatever_the_message_holds() -> None:
    for key in ("a\nb", "\u202e\x1b[2J", "k" * 9000):
        payload = json.dumps({"id": "c1", "person": "li", key: 1}).encode()
        reason = _rejection(replace(order(), payload=payload)).reason
        assert reason.isprintable()
        assert len(reason) <= 300


def _rejection(message: Delivery) -> Rejection:
    heard = read(message)
    assert isinstance(heard, Rejection), heard
    return heard
