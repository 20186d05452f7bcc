"""For each verb of the contract a table at which it can be ordered, and one at which it cannot."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from config.models import Event, Settings
from config.models import Node as NodeSettings
from controller.table_rules import rules_of
from scoring.rules import AlertPolicy
from table.abilities import Abilities, LiftAt
from table.alert_commands import Confirm, Modify
from table.commands import Command, Pause, SetLift, StartHand
from table.events import (
    Call,
    ClaimPressed,
    Condition,
    CyclePaused,
    CycleStarted,
    DealEnded,
    DiscardPressed,
    DiscardReleased,
    HuDeclared,
    LinkUp,
    RefereeCalled,
    TableEvent,
    TileDrawn,
    WallReady,
)
from table.fouls import FoulKind
from table.sanctions import Measure, measure
from table.seat import Seat
from tests.mqtt.sample_orders import ARGUMENTS, PLAYERS

Happening: TypeAlias = TableEvent | Command
Scene: TypeAlias = tuple[tuple[float, Happening], ...]
"""What happens at a table, each so many seconds after what came before it."""

PERSON, ALERT = "Referee A", "t1-1-f1"
RULES = rules_of(
    Settings(
        node=NodeSettings(id="n1", venue="hall"),
        event=Event(
            ruleset="mcr-2014",
            chief_referees=("Chief",),
            alerts={FoulKind.DISCARD_OVER_LIMIT: AlertPolicy.ON_CLAIM},
        ),
    )
)
PLUGGED_IN = LinkUp(
    holds=True,
    draws=True,
    condition=Condition(cycling=False, wall_ready=False, wall_raised=False),
    abilities=Abilities(reopen=True, lift_toggles=True),
)

FRESH: Scene = ()
DEALT: Scene = ((0, StartHand()),)
PLAYING: Scene = ((0, DealEnded()), (5, DiscardPressed(Seat.ONE)), (3.5, TileDrawn(Seat.TWO)))
PAUSED: Scene = (*PLAYING, (1, Pause("tea")))
DECLARED: Scene = (*PLAYING, (2, HuDeclared(Seat.TWO)))
CALLED: Scene = (*PLAYING, (1, RefereeCalled(Seat.FOUR)))
ACCUSED: Scene = (
    (0, DealEnded()),
    (5, DiscardPressed(Seat.ONE)),
    (3.5, ClaimPressed(Seat.THREE, Call.PUNG)),
)
RECORDED: Scene = ((0, DealEnded()), (60, DiscardPressed(Seat.ONE)), (0, DiscardReleased(Seat.ONE)))
JUDGED: Scene = (*ACCUSED, (1, Confirm(ALERT, 1)))
SENT_OUT: Scene = (*ACCUSED, (1, Modify(ALERT, 1, measure(Measure.DISQUALIFIED), "rude")))
STACKED: Scene = ((0, WallReady()),)
LOWERED: Scene = (*STACKED, (1, SetLift(LiftAt.LOWERED)))
CYCLING: Scene = ((0, CycleStarted()),)
OPEN: Scene = (*CYCLING, (5, CyclePaused()))


@dataclass(frozen=True)
class Trial:
    """How one verb is tried."""

    fits: Scene
    arguments: dict[str, Any] = field(default_factory=dict)
    unfit: Scene | None = None
    """Where the table refuses it; None: it is taken at any time."""
    status: str = "done"


MOTORS = frozenset({"shuffle", "lift", "pause-cycle", "resume-cycle", "roll-dice", "stop"})


def _trial(verb: str, fits: Scene, unfit: Scene | None, **changes: Any) -> Trial:  # noqa: ANN401 - JSON
    known = ARGUMENTS.get(verb, {})
    arguments = {**known, **({"alert": ALERT} if "alert" in known else {}), **changes}
    moves = verb in MOTORS
    return Trial(fits, arguments, unfit, "accepted" if moves else "done")


TRIALS: dict[str, Trial] = {
    "shuffle": _trial("shuffle", FRESH, PLAYING),
    "lift": _trial("lift", LOWERED, STACKED),
    "set-lift": _trial("set-lift", FRESH, None),
    "pause-cycle": _trial("pause-cycle", CYCLING, FRESH),
    "resume-cycle": _trial("resume-cycle", OPEN, CYCLING),
    "roll-dice": _trial("roll-dice", FRESH, None),
    "enter-dice": _trial("enter-dice", DEALT, None, throw=1),
    "stop": _trial("stop", FRESH, None),
    "sound-buzzer": _trial("sound-buzzer", FRESH, None),
    "set-lamp": _trial("set-lamp", FRESH, None),
    "start-hand": _trial("start-hand", FRESH, PLAYING),
    "end-deal": _trial("end-deal", DEALT, PLAYING),
    "pause": _trial("pause", PLAYING, FRESH),
    "resume": _trial("resume", PAUSED, FRESH),
    "give-time": _trial("give-time", PLAYING, FRESH),
    "extra-time": _trial("extra-time", PLAYING, None),
    "set-turn": _trial("set-turn", PLAYING, FRESH),
    "confirm-hu": _trial("confirm-hu", DECLARED, PLAYING, seats=[2]),
    "withdraw-hu": _trial("withdraw-hu", DECLARED, PLAYING),
    "draw-hand": _trial("draw-hand", PLAYING, FRESH),
    "void-hand": _trial("void-hand", PLAYING, FRESH),
    "restart-hand": _trial("restart-hand", PLAYING, FRESH),
    "seat-players": _trial("seat-players", FRESH, PLAYING, players=PLAYERS),
    "seat-stand-in": _trial("seat-stand-in", SENT_OUT, ACCUSED, seat=3),
    "answer-call": _trial("answer-call", CALLED, PLAYING),
    "enter-foul": _trial("enter-foul", PLAYING, FRESH),
    "take-up": _trial("take-up", RECORDED, ACCUSED, objector=3),
    "acknowledge": _trial("acknowledge", ACCUSED, FRESH),
    "confirm": _trial("confirm", ACCUSED, FRESH),
    "modify": _trial("modify", ACCUSED, FRESH),
    "waive": _trial("waive", ACCUSED, FRESH),
    "reverse": _trial("reverse", JUDGED, ACCUSED),
    "undo": _trial("undo", JUDGED, ACCUSED),
    "escalate": _trial("escalate", ACCUSED, FRESH),
    "add-note": _trial("add-note", ACCUSED, FRESH),
}
"""Every verb of a table; a new one must be tried here too."""

NODE_TRIALS: dict[str, Trial] = {
    "pause": Trial(PLAYING, {"reason": "fire alarm"}, FRESH),
    "resume": Trial(PAUSED, {"remaining": True}, FRESH),
}
"""Every verb of a node."""

CERTIFICATE_TRIALS: dict[str, Trial] = {
    "certify": Trial(
        FRESH,
        {
            "number": "2026-8",
            "issuer": "Hall service",
            "model": "OTW-4",
            "serial": "TL-7",
            "seals": ["S-1"],
            "inspected": "2026-07-01",
            "valid_until": "2027-06-30",
            "note": "new lift belt",
        },
    ),
    "revoke-certificate": Trial(FRESH, {"number": "2026-7", "reason": "seal broken"}),
}
"""Every verb of a node about certificates; 2026-7 is entered before."""

VENUE_TRIALS: dict[str, Trial] = {"forget-node": Trial(PLAYING, {"node": "gone"})}
"""Every verb of the venue."""
