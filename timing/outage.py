"""Lost step: after a lost link, a rebooted table or a restart nobody knows who is on turn."""

from dataclasses import replace

from timing.effects import StepLost
from timing.phases import Arranging, Hand, Idle, Over, Paused, Turn, Unsynced, Verifying
from timing.standing import stand
from timing.steps import Step


def lose_step(hand: Hand, cause: str) -> Step:
    """Stop all clocks of a running hand without judging anybody; nothing changes between hands."""
    match hand.phase:
        case Idle() | Over():
            return Step(hand)
        case Unsynced() as before:
            return Step(replace(hand, phase=replace(before, cause=cause)))
        case Arranging() | Paused(before=Arranging()):
            lost = Unsynced(cause, begun=False)
        case Verifying(seats=declared, before=before):
            lost = Unsynced(cause, begun=_begun(before), declared=declared)
        case Turn() | Paused():
            lost = Unsynced(cause, begun=True)
    return stand(hand).then(lambda h: Step(replace(h, phase=lost), (StepLost(cause),)))


def _begun(before: Arranging | Turn | Unsynced) -> bool:
    match before:
        case Unsynced(begun=begun):
            return begun
        case Arranging():
            return False
        case Turn():
            return True
