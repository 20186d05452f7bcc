import json

import pytest

from mqtt.inbox import Rejection, read_request
from mqtt.messages import Delivery
from mqtt.reply_codes import ReplyCode
from mqtt.venue_orders import VenueOrder
from table.answers import Code
from tests.mqtt.speaking import ROOT

FORGET = ROOT.venue_command("board", "forget-node")
REPLY = ROOT.reply("board", "c1")


def order(arguments: object, topic: str = FORGET, *, retained: bool = False) -> Delivery:
    payload = {"id": "c1", "person": "li", "arguments": arguments}
    return Delivery(topic, json.dumps(payload).encode(), retained, expiry_seconds=5)


def test_an_order_to_forget_a_node_is_understood() -> None:
    assert read_request(ROOT, order({"node": "n2"})) == VenueOrder(
        id="c1",
        login="board",
        person="li",
        verb="forget-node",
        node="n2",
        reply_topic=REPLY,
        expiry_seconds=5,
    )


@pytest.mark.parametrize(
    ("message", "code", "reason"),
    [
        (order({}), ReplyCode.INVALID_PAYLOAD, "key node is missing"),
        (order({"nodes": "n2"}), ReplyCode.INVALID_PAYLOAD, "key node is missing"),
        (order({"node": "n2", "more": 1}), ReplyCode.INVALID_PAYLOAD, "unknown key more"),
        (order({"node": "n2/#"}), Code.BAD_VALUE, "node 'n2/#': string should match pattern"),
        (order({"node": ""}), Code.BAD_VALUE, "node '': string should match pattern"),
        (order({"node": "N2"}), Code.BAD_VALUE, "node 'N2': string should match pattern"),
        (order({"node": 2}), Code.BAD_VALUE, "node 2: input should be a valid string"),
        (order({"node": "n2"}, retained=True), ReplyCode.RETAINED, "must not be retained"),
        (
            order({"node": "n2"}, ROOT.venue_command("board", "forget")),
            ReplyCode.UNKNOWN_VERB,
            "no verb forget; nearest is forget-node",
        ),
        (
            order({}, ROOT.venue_command("board", "stop")),
            ReplyCode.UNKNOWN_VERB,
            "no verb stop; allowed: forget-node",
        ),
    ],
)
def test_any_other_order_for_the_venue_is_refused(
    message: Delivery, code: str, reason: str
) -> None:
    rejection = read_request(ROOT, message)
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.reply_topic) == (code, REPLY)
    assert reason in rejection.reason
