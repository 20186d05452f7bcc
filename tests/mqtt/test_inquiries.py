import json
from dataclasses import replace

import pytest

from mqtt.events import Audience
from mqtt.inbox import Rejection, read_request
from mqtt.inquiries import QUESTIONS, Inquiry
from mqtt.messages import Delivery
from mqtt.reply_codes import ReplyCode
from table.answers import Code
from tests.mqtt.sample_orders import REPLY, ROOT


def question(verb: str = "replay", **arguments: object) -> Delivery:
    content = {"id": "c1", "person": "li", "arguments": {"epoch": 3, "after": 7} | arguments}
    topic = ROOT.table_command("board", "t1", verb)
    return Delivery(topic, json.dumps(content).encode(), retained=False)


def rejected(message: Delivery) -> tuple[str, str]:
    heard = read_request(ROOT, message)
    assert isinstance(heard, Rejection), heard
    assert heard.reply_topic == REPLY
    return heard.code, heard.reason


@pytest.mark.parametrize(
    ("verb", "audience"),
    [("replay", Audience.EVERYONE), ("replay-official", Audience.OFFICIALS)],
)
def test_the_verb_says_whose_events_are_asked_for(verb: str, audience: Audience) -> None:
    asked = Inquiry("c1", "board", "li", "t1", verb, audience, 3, 7, None, REPLY)
    assert read_request(ROOT, question(verb)) == asked


def test_a_question_may_have_an_end_and_needs_no_precondition() -> None:
    heard = read_request(ROOT, question(before=9))
    assert isinstance(heard, Inquiry)
    assert (heard.after, heard.before) == (7, 9)


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        ({"after": -1}, Code.BAD_VALUE, "after -1: input should be greater than or equal to 0"),
        ({"epoch": -1}, Code.BAD_VALUE, "epoch -1: input should be greater than or equal to 0"),
        ({"before": 7}, Code.BAD_VALUE, "before 7: must be more than after, which is 7"),
        ({"before": 0}, Code.BAD_VALUE, "before 0: must be more than after, which is 7"),
        ({"after": "7"}, Code.BAD_VALUE, "after '7': input should be a valid integer"),
        ({"after": True}, Code.BAD_VALUE, "after True: input should be a valid integer"),
        (
            {"after": 2**63},
            Code.BAD_VALUE,
            f"after {2**63}: input should be less than or equal to {2**63 - 1}",
        ),
        ({"befor": 9}, ReplyCode.INVALID_PAYLOAD, "unknown key befor; nearest is before"),
    ],
)
def test_a_bound_that_cannot_be_is_named_with_what_is_allowed(
    arguments: dict[str, object], code: str, reason: str
) -> None:
    assert rejected(question("replay", **arguments)) == (code, reason)


def test_a_question_names_its_epoch_and_where_it_begins() -> None:
    content = {"id": "c1", "person": "li", "arguments": {"epoch": 3}}
    topic = ROOT.table_command("board", "t1", "replay")
    message = Delivery(topic, json.dumps(content).encode(), retained=False)
    assert rejected(message) == (ReplyCode.INVALID_PAYLOAD, "key after is missing")


def test_a_retained_question_is_refused_as_an_order_is() -> None:
    code, _ = rejected(replace(question(), retained=True))
    assert code == ReplyCode.RETAINED


def test_a_slip_of_the_pen_is_told_the_nearest_question() -> None:
    code, reason = rejected(question("replays"))
    assert (code, reason) == (ReplyCode.UNKNOWN_VERB, "no verb replays; nearest is replay")


def test_only_tables_are_asked() -> None:
    content = {"id": "c1", "person": "li", "arguments": {"epoch": 3, "after": 7}}
    topic = ROOT.node_command("board", "n1", "replay")
    code, _ = rejected(Delivery(topic, json.dumps(content).encode(), retained=False))
    assert code == ReplyCode.UNKNOWN_VERB
    assert set(QUESTIONS) == {"replay", "replay-official"}
