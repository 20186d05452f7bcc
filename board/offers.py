"""Which orders fit a table now, and which one is the main thing to do; pure.

The table's node decides; this only keeps people from pressing what it would refuse.
"""

from board.conditions import seats_without_player
from board.slots import Slots
from board.table_view import TableView
from mqtt.payloads import TableSnapshot

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
_VARIANTS = ("resume-rest", "confirm-which", "start-despite")
"""Other ways to give one of these orders."""
_ALWAYS = {"extra-time": "yes", "enter-dice": "yes"}
MACHINE_VERBS = ("shuffle", "lift", "pause-cycle", "resume-cycle", "roll-dice", "stop")
_LIFT_IS = ("lift-is-up", "lift-is-down")
"""Two ways to order `set-lift`."""
_MACHINE: dict[str, dict[str, str]] = {
    "empty": {"shuffle": "main", "roll-dice": "yes"},
    "cycling": {},
    "ready": {"lift": "main", "roll-dice": "yes"},
    "raised": {"roll-dice": "main", "shuffle": "yes"},
    "fault": {},
}
_PARTS = {
    "shuffle": "shuffle",
    "lift": "lift",
    "pause-cycle": "reopen",
    "resume-cycle": "reopen",
    "roll-dice": "dice-roll",
}
"""The capability that an order needs."""
_HAND_RUNS = frozenset({"arranging", "turn", "verifying", "paused", "unsynced"})


def hand_offers(table: TableView) -> Slots:
    """Return for every order about the hand: main, yes, no, or away where another is meant."""
    state = table.state
    if state is None:
        return {f"can_{offer}": "no" for offer in (*HAND_VERBS, *_VARIANTS)}
    fitting = _ALWAYS | _HAND.get(state.hand_phase, {})
    offers = {offer: fitting.get(offer, "no") for offer in (*HAND_VERBS, *_VARIANTS)}
    several = len(state.declared) > 1
    unfair = any(fault.unfair for fault in state.machine_faults)
    if unfair:
        offers["start-despite"] = offers["start-hand"]
    offers["start-hand" if unfair else "start-despite"] = "away"
    if state.throws and state.throws[-1] is None:
        offers["enter-dice"] = "main"
    offers["confirm-hu" if several else "confirm-which"] = "away"
    if any(one.out for one in state.restrictions.values()):
        offers["seat-stand-in"] = "main" if seats_without_player(state) else "yes"
    return {f"can_{offer}": answer for offer, answer in offers.items()}


def machine_offers(table: TableView) -> Slots:
    """Return for every order to the machine: main, yes, no, or away where it has no such part."""
    state = table.state
    offers = dict.fromkeys((*MACHINE_VERBS, *_LIFT_IS), "no")
    if state is not None:
        offers |= _MACHINE.get(state.machine_phase, {}) | _of_cycle(state)
        if state.hand_phase in _HAND_RUNS:
            offers |= dict.fromkeys(("shuffle", "lift"), "no")
    offers |= _of_lift(state)
    offers |= {verb: "away" for verb, part in _PARTS.items() if not _has(table, part)}
    return {f"can_{verb}": offer for verb, offer in (offers | {"stop": "yes"}).items()}


def _of_cycle(state: TableSnapshot) -> dict[str, str]:
    """Offer to open the table in mid-cycle while nobody plays, and to close it again."""
    if state.cycle is None or state.machine_phase != "cycling":
        return {}
    paused = state.hand_phase not in _HAND_RUNS or state.hand_phase == "paused"
    if not state.cycle.reopened:
        return {"pause-cycle": "yes" if paused else "no"}
    return {"resume-cycle": "main" if paused else "no"}


def _of_lift(state: TableSnapshot | None) -> dict[str, str]:
    """Offer to say where the lift is, and to raise it only where it is known to be down."""
    if state is None or state.lift is None:
        return dict.fromkeys(_LIFT_IS, "away")
    said = dict.fromkeys(_LIFT_IS, "main" if state.lift == "unknown" else "yes")
    return said if state.lift == "lowered" else said | {"lift": "no"}


def _has(table: TableView, part: str) -> bool:
    """Say whether a table has a part; before it was ever connected only what every table has."""
    known = table.meta.capabilities if table.meta else {}
    return known.get(part, "absent" if part == "reopen" or known else "native") != "absent"
