"""What a referee of a written hand says, as an order of the contract."""

from dataclasses import asdict
from datetime import timedelta
from typing import Any

from mqtt.orders import PreconditionFields
from mqtt.verbs import VERBS, Need
from table.alert_commands import AlertCommand
from table.commands import ExtraTime, GiveTime, SeatPlayers
from table.happening import Official, OfficialCommand

PERSONS = {Official.REFEREE: "Referee A", Official.CHIEF: "Referee B"}
"""Who says it in a demonstration."""
_VERB_OF = {verb.command: name for name, verb in VERBS.items()}


def verb_of(command: OfficialCommand | AlertCommand) -> str:
    """Return the verb that orders a command."""
    return _VERB_OF[type(command)]


def arguments(command: OfficialCommand | AlertCommand) -> dict[str, Any]:
    """Return what the verb needs to know beside its precondition."""
    match command:
        case GiveTime(span=span, reason=reason):
            return {"seconds": span // timedelta(seconds=1), "reason": reason}
        case ExtraTime(span=span, reason=reason):
            return {"minutes": span // timedelta(minutes=1), "reason": reason}
        case SeatPlayers(players=players):
            return {"players": {str(seat.value): name for seat, name in players.items()}}
        case _:
            return {name: value for name, value in asdict(command).items() if name != "revision"}


def precondition(command: OfficialCommand | AlertCommand, hand: str) -> PreconditionFields:
    """Return what the order rests on: the hand that is played, or the revision that was seen."""
    needs_hand = VERBS[verb_of(command)].need is Need.HAND
    revision = getattr(command, "revision", None)
    return PreconditionFields(revision=revision, hand=hand if needs_hand else None)
