"""The words of the page that takes the place of a seat's buttons."""

from collections.abc import Mapping
from typing import Final

PADS: Final[Mapping[str, str]] = {
    "pad.title": "Pad of seat {seat}",
    "pad.wrong": "A pad is at /pad/ and the table, then / and its seat, 1 to 4.",
    "pad.unknown": "The board has not heard of table {table} yet.",
    "pad.own-inputs": "{table} has inputs of its own and is not played with pads.",
    "pad.no-node": "The node of {table} is not heard.",
    "pad.away": "{table} is only just being connected.",
    "pad.connected": "Connected",
    "pad.round-trip": "round trip {ms} ms",
    "pad.not-connected": "Not connected",
    "pad.no-count": "What you press does not count. Say it aloud.",
    "pad.no-board": "No contact with the board.",
    "pad.no-broker": "The board has lost the broker.",
    "pad.no-answer": "The table's node does not answer.",
    "pad.coarse": "This browser's clock is too coarse for a pad; use another browser.",
    "pad.discard": "Discard",
    "pad.discard-held": "hold 1 s: hu",
    "pad.claim": "Claim",
    "pad.claim-held": "hold 1 s: referee",
    "pad.your-turn": "Your turn",
    "pad.their-turn": "Seat {seat} is on turn",
    "pad.window": "Pung or kong on seat {seat}:",
    "pad.sent": "Sending…",
    "pad.counts-discard": "Discard counted",
    "pad.counts-claim": "Claim counted",
    "pad.counts-hu": "Hu declared",
    "pad.counts-referee": "Referee called",
    "pad.lost": "Nobody answered. It may not count: say it aloud.",
    "pad.alarm-off": "Sound at the limit: off",
    "pad.alarm-on": "Sound at the limit: on",
}
