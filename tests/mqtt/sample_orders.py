"""Commands that are in order, one for each verb."""

import json
from typing import Any

from mqtt.messages import Delivery
from mqtt.topics import Root
from mqtt.verbs import VERBS, Need

ROOT = Root("mahjong", "hall")
REPLY = ROOT.reply("board", "c1")
PLAYERS = {"1": "an", "2": "bo", "3": "chen", "4": "ding"}
SEEN = {Need.HAND: {"hand": "t1-4"}, Need.MACHINE: {"machine_seq": 9}, Need.ALERT: {"revision": 2}}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "sound-buzzer": {"seat": 2, "length_ms": 200},
    "set-lamp": {"seat": 2, "lit": True},
    "set-lift": {"position": "raised"},
    "enter-dice": {"throw": 2, "values": [3, 5]},
    "give-time": {"seconds": 10, "reason": "phone rang"},
    "extra-time": {"minutes": 5, "reason": "power cut"},
    "set-turn": {"seat": 3, "reason": "pressed for another"},
    "confirm-hu": {"seats": [3, 1]},
    "draw-hand": {"reason": "wall at its end"},
    "void-hand": {"reason": "wall fell"},
    "restart-hand": {"reason": "wrong dealer"},
    "seat-stand-in": {"seat": 4, "player": "gu", "reason": "ding is out"},
    "answer-call": {"seat": 4},
    "enter-foul": {"kind": "false-hu", "seat": 2, "remark": "7 fan"},
    "take-up": {"alert": "t1-4-1", "objector": 3},
    "undo": {"alert": "t1-4-1"},
    "escalate": {"alert": "t1-4-1", "reason": "collusion?"},
    "add-note": {"alert": "t1-4-1", "text": "saw it too"},
    "seat-players": {"players": PLAYERS},
    "acknowledge": {"alert": "t1-4-1"},
    "confirm": {"alert": "t1-4-1"},
    "modify": {
        "alert": "t1-4-1",
        "reason": "second time",
        "sanction": {"kind": "points", "points": 10},
    },
    "waive": {"alert": "t1-4-1", "reason": "tile fell"},
    "reverse": {"alert": "t1-4-1", "reason": "wrong seat"},
    "pad-beat": {"seat": 2, "pad": "a7"},
    "press": {
        "seat": 2,
        "pad": "a7",
        "input": "discard",
        "change": "pressed",
        "session": 5,
        "node_ms": 61_000,
        "heard_us": 1_000_000,
        "first_us": 2_500_000,
        "changed_us": 2_500_000,
        "sent_us": 2_501_000,
    },
}


def order(verb: str = "pause", **changes: Any) -> Delivery:  # noqa: ANN401 - JSON
    """A message that is in order, unless something is changed."""
    content: dict[str, Any] = {
        "id": "c1",
        "person": "li",
        "precondition": SEEN.get(VERBS[verb].need, {}) if verb in VERBS else {},
        "arguments": ARGUMENTS.get(verb, {}),
    }
    payload = json.dumps(content | changes).encode()
    return Delivery(ROOT.table_command("board", "t1", verb), payload, retained=False)


def node_order(verb: str, **arguments: Any) -> Delivery:  # noqa: ANN401 - JSON
    """A message for every table of node n1 that is in order."""
    payload = json.dumps({"id": "c1", "person": "li", "arguments": arguments}).encode()
    return Delivery(ROOT.node_command("board", "n1", verb), payload, retained=False)
