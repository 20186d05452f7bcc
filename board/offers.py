"""Which orders fit a table now, and which one is the main thing to do; pure.

The table's node decides; this only keeps people from pressing what it would refuse.
"""

from board.slots import Slots
from board.table_view import TableView

_HAND: dict[str, dict[str, str]] = {
    "idle": {"start-hand": "main"},
    "over": {"start-hand": "main"},
    "arranging": {"end-deal": "main", "pause": "yes", "draw-hand": "yes", "void-hand": "yes"},
    "turn": {"pause": "main", "draw-hand": "yes", "void-hand": "yes"},
    "verifying": {"confirm-hu": "main", "withdraw-hu": "yes", "void-hand": "yes", "pause": "yes"},
    "paused": {"resume": "main", "draw-hand": "yes", "void-hand": "yes"},
    "unsynced": {
        "resume": "main",
        "start-hand": "yes",
        "draw-hand": "yes",
        "void-hand": "yes",
        "pause": "yes",
    },
}
HAND_VERBS = (
    "start-hand",
    "end-deal",
    "pause",
    "resume",
    "confirm-hu",
    "withdraw-hu",
    "draw-hand",
    "void-hand",
)
MACHINE_VERBS = ("shuffle", "lift", "roll-dice", "stop")
_MACHINE: dict[str, dict[str, str]] = {
    "empty": {"shuffle": "main", "roll-dice": "yes"},
    "cycling": {},
    "ready": {"lift": "main", "roll-dice": "yes"},
    "raised": {"roll-dice": "main", "shuffle": "yes"},
    "fault": {},
}
_HAND_RUNS = frozenset({"arranging", "turn", "verifying", "paused", "unsynced"})


def hand_offers(table: TableView) -> Slots:
    """Return for every order about the hand: main, yes or no."""
    fitting = _HAND.get(table.state.hand_phase, {}) if table.state else {}
    return {f"can_{verb}": fitting.get(verb, "no") for verb in HAND_VERBS}


def machine_offers(table: TableView) -> Slots:
    """Return for every order to the machine: main, yes or no; stop always fits."""
    fitting = _MACHINE.get(table.state.machine_phase, {}) if table.state else {}
    runs = table.state is not None and table.state.hand_phase in _HAND_RUNS
    refused = {"shuffle", "lift"} if runs else set()
    offers = {verb: "no" if verb in refused else fitting.get(verb, "no") for verb in MACHINE_VERBS}
    return {f"can_{verb}": offer for verb, offer in (offers | {"stop": "yes"}).items()}
