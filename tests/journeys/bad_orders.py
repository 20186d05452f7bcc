"""Messages on command topics that are no good, each with the answer it must get."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mqtt.messages import Message
from tests.journeys.scoreboard import ROOT

LOGIN, PERSON = "referee", "Referee A"
HAND, ALERT = "t1-1", "t1-1-f1"
"""Of the script that is played."""
WHY = {"alert": ALERT, "reason": "tile fell"}
HOSTILE = "\x00\u202e'\"</b>\n%s"
"""A name that whatever writes or shows it must not fall over."""


@dataclass(frozen=True)
class BadOrder:
    """A message, and the code and words of the reply it must get."""

    id: str
    message: Message
    code: str
    words: str
    """Stands in the reason."""

    @property
    def reply(self) -> str:
        """Where the answer is heard."""
        return ROOT.reply(LOGIN, self.id)


def order(id_: str, verb: str, **fields: object) -> Message:
    """Return an order for the table; what is not named is as it should be."""
    ruling = verb in {"confirm", "waive", "modify"}
    good: Mapping[str, Any] = {
        "id": id_,
        "person": PERSON,
        "precondition": {"revision": 1} if ruling else {},
        "arguments": {"alert": ALERT} if ruling else {},
    }
    topic = ROOT.table_command(LOGIN, "t1", verb)
    return Message(topic, json.dumps({**good, **fields}).encode(), expiry_seconds=5)


def raw(id_: str, payload: bytes) -> Message:
    """Return a message that is no order; only its response topic says where to answer."""
    topic = ROOT.table_command(LOGIN, "t1", "pause")
    return Message(topic, payload, expiry_seconds=5, response_topic=ROOT.reply(LOGIN, id_))


def _wrong_as_message() -> tuple[BadOrder, ...]:
    pause = order("retained", "pause")
    stranger = replace(order("stranger", "pause"), response_topic=ROOT.reply("board", "stranger"))
    elsewhere = replace(order("table", "pause"), topic=ROOT.table_command(LOGIN, "t9", "pause"))
    node = replace(order("node", "pause"), topic=ROOT.node_command(LOGIN, "node-1", "reload"))
    hour = replace(order("hour", "pause"), expiry_seconds=3600)
    large = raw("large", b"x" * 17_000)
    return (
        BadOrder("no-json", raw("no-json", b'{"id": "no-json",'), "invalid-payload", "not JSON"),
        BadOrder("no-text", raw("no-text", b"\xff\xfe\x00"), "invalid-payload", "not JSON"),
        BadOrder("deep", raw("deep", b"[" * 16_000), "invalid-payload", "not JSON"),
        BadOrder("list", raw("list", b"[]"), "invalid-payload", "must be a JSON object"),
        BadOrder("large", large, "too-large", "17000 bytes; 16384 at most"),
        BadOrder("retained", replace(pause, retain=True), "retained", "must not be retained"),
        BadOrder("hour", hour, "expiry-too-long", "3600 s; 5 s at most"),
        BadOrder("stranger", stranger, "reply-topic-refused", "below reply/referee/"),
        BadOrder("table", elsewhere, "unknown-table", "no table t9; its tables: t1"),
        BadOrder("node", node, "unknown-verb", "no verb reload; allowed: pause, resume"),
    )


def _wrong_as_order() -> tuple[BadOrder, ...]:
    nobody, typo = order("nobody", "pause", person=""), order("key", "pause", arguements={})
    both = order("both", "confirm", precondition={"revision": 1, "hand": HAND})
    seven = WHY | {"sanction": {"kind": "points", "points": 7}}
    return (
        BadOrder("verb", order("verb", "confrim"), "unknown-verb", "nearest is confirm"),
        BadOrder("key", typo, "invalid-payload", "arguements; nearest is arguments"),
        BadOrder("nobody", nobody, "invalid-payload", "person"),
        BadOrder("both", both, "invalid-payload", "hand is not checked"),
        BadOrder("why", order("why", "waive"), "reason-missing", "key reason is missing"),
        BadOrder("seven", order("seven", "modify", arguments=seven), "bad-value", "7"),
    )


def _wrong_at_this_table() -> tuple[BadOrder, ...]:
    late = order("late", "waive", precondition={"revision": 7}, arguments=WHY)
    huge = order("huge", "waive", precondition={"revision": 10**30}, arguments=WHY)
    passed = order("passed", "pause", precondition={"hand": "t1-9"})
    moved = order("moved", "shuffle", precondition={"machine_seq": 99})
    nowhere = WHY | {"alert": "t1-1-f9"}
    other = order("other", "waive", person=HOSTILE, arguments=nowhere)
    return (
        BadOrder("late", late, "stale", "revision 1, not 7"),
        BadOrder("huge", huge, "stale", "revision 1, not 1000"),
        BadOrder("passed", passed, "stale", "hand t1-9"),
        BadOrder("moved", moved, "stale", "machine state 99"),
        BadOrder("other", other, "unknown-alert", "t1-1-f9"),
        BadOrder("no-hu", order("no-hu", "confirm-hu"), "wrong-phase", "hu"),
        BadOrder("motors", order("motors", "lift"), "hand-running", "hand"),
    )


BAD_ORDERS = (*_wrong_as_message(), *_wrong_as_order(), *_wrong_at_this_table())
"""Everything that is refused and can be answered."""

OLD_CLIENT = BadOrder(
    "old", order("old", "pause"), "precondition-missing", "without a message expiry"
)
"""To be sent by a client of MQTT 3.1.1, which knows no expiry."""

EXPIRED = replace(order("expired", "pause", precondition={"hand": HAND}), expiry_seconds=1)
"""To be sent while no node is there to carry it out."""

UNANSWERABLE = (
    replace(raw("x", b""), response_topic=None),
    replace(raw("x", b"\x00" * 200_000), response_topic=None),
    replace(raw("x", b"\x00" * 300_000), response_topic=None),
    replace(raw("x", b'{"id": "../+/#", "person": "x"}'), response_topic=None),
    replace(raw("x", b'{"id": 17}'), response_topic=None),
)
"""Nobody can be told why these are refused; the largest is more than a node takes at all."""
