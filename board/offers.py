"""Which orders fit a table now, and which one is the main thing to do; pure.

The table's node decides; this only keeps people from pressing what it would refuse.
"""

from board.conditions import seats_without_player
from board.slots import Slots
from board.table_view import TableView

_RUNNING = {"draw-hand": "yes", "void-hand": "yes", "restart-hand": "yes"}
_HAND: dict[str, dict[str, str]] = {
    "idle": {"start-hand": "main"},
    "over": {"start-hand": "main"},
    "arranging": {
        "end-deal": "main",
        "pause": "yes",
        "give-time": "yes",
        "set-turn": "yes",
        **_RUNNING,
    },
    "turn": {"pause": "main", "give-time": "yes", "set-turn": "yes", **_RUNNING},
    "verifying": {
        "confirm-hu": "main",
        "confirm-which": "main",
        "withdraw-hu": "yes",
        "pause": "yes",
        **_RUNNING,
        "draw-hand": "no",
    },
    "paused": {"resume": "main", "resume-rest": "yes", **_RUNNING},
    "unsynced": {
        "resume": "main",
        "start-hand": "yes",
        "pause": "yes",
        "set-turn": "yes",
        **_RUNNING,
    },
}
HAND_VERBS = (
    "start-hand",
    "end-deal",
    "pause",
    "resume",
    "give-time",
    "extra-time",
    "set-turn",
    "confirm-hu",
    "withdraw-hu",
    "draw-hand",
    "void-hand",
    "restart-hand",
    "seat-stand-in",
    "enter-dice",
)
_VARIANTS = ("resume-rest", "confirm-which")
"""Other ways to give one of these orders."""
_ALWAYS = {"extra-time": "yes", "enter-dice": "yes"}
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
    """Return for every order about the hand: main, yes, no, or away where another is meant."""
    state = table.state
    if state is None:
        return {f"can_{offer}": "no" for offer in (*HAND_VERBS, *_VARIANTS)}
    fitting = _ALWAYS | _HAND.get(state.hand_phase, {})
    offers = {offer: fitting.get(offer, "no") for offer in (*HAND_VERBS, *_VARIANTS)}
    several = len(state.declared) > 1
    offers["confirm-hu" if several else "confirm-which"] = "away"
    if any(one.out for one in state.restrictions.values()):
        offers["seat-stand-in"] = "main" if seats_without_player(state) else "yes"
    return {f"can_{offer}": answer for offer, answer in offers.items()}


def machine_offers(table: TableView) -> Slots:
    """Return for every order to the machine: main, yes or no; stop always fits."""
    fitting = _MACHINE.get(table.state.machine_phase, {}) if table.state else {}
    runs = table.state is not None and table.state.hand_phase in _HAND_RUNS
    refused = {"shuffle", "lift"} if runs else set()
    offers = {verb: "no" if verb in refused else fitting.get(verb, "no") for verb in MACHINE_VERBS}
    return {f"can_{verb}": offer for verb, offer in (offers | {"stop": "yes"}).items()}
