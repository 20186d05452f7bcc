"""Whether a hand is fair to play while the machine has faults; pure.

A hand that a person would begin waits for the fault to be seen to. What a table reports is always
believed: a hand that it shows to be played is timed, and the referee is told of the doubt.
"""

from controller.table_routing import Stimulus
from table.answers import Code, Refused
from table.commands import EndDeal, Ordered, RestartHand, StartHand
from timing import hand
from timing.machine import Machine
from timing.machine_effects import PlayInDoubt
from timing.phases import Hand


def unfair_start(played: Hand, machine: Machine, stimulus: Stimulus) -> Refused | None:
    """Refuse to begin a hand while a fault makes it unfair and nobody answers for it."""
    if not machine.unfair or not _begins(played, stimulus):
        return None
    why = "; ".join(f"{one.fault}, as {one.unfair}" for one in machine.unfair)
    return Refused(
        Code.FAULT,
        f"a hand would be unfair: {why}. See to it, or start the hand with the reason why it may"
        " be played",
    )


def in_doubt(played: Hand, machine: Machine) -> tuple[PlayInDoubt, ...]:
    """Return what makes the running hand unfair."""
    if not hand.running(played):
        return ()
    kinds = dict.fromkeys((one.fault, one.unfair) for one in machine.unfair)
    return tuple(PlayInDoubt(played.hand, fault, reason) for fault, reason in kinds)


def _begins(played: Hand, stimulus: Stimulus) -> bool:
    """Say whether an order would begin a hand; a reason is what lets `start-hand` pass."""
    match stimulus:
        case Ordered(command=StartHand(reason=reason)):
            return not reason.strip() and not hand.running(played)
        case Ordered(command=EndDeal()):
            return not hand.running(played)
        case Ordered(command=RestartHand()):
            return hand.running(played)
        case _:
            return False
