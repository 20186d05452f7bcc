"""What a disarmed table refuses; pure."""

from controller.table_routing import Stimulus
from table.answers import Code, Refused
from table.commands import EndDeal, MotorCommand, Ordered, RestartHand, StartHand, Stop
from timing.hand import running
from timing.phases import Hand


def refused(hand: Hand, stimulus: Stimulus) -> Refused | None:
    """Refuse an order for motors, or one that would begin a hand; the running one is left alone."""
    if not hand.disarmed or not isinstance(stimulus, Ordered):
        return None
    match stimulus.command:
        case StartHand() | RestartHand():
            what = "no hand begins"
        case EndDeal() if not running(hand):
            what = "no hand begins"
        case command if _moves(command) and not running(hand):
            what = "no motor runs"
        case _:
            return None
    return Refused(Code.DISARMED, f"{what}: {hand.disarmed}")


def _moves(command: object) -> bool:
    return isinstance(command, MotorCommand) and not isinstance(command, Stop)
