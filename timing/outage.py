"""Lost step: after a lost link, a rebooted table or a restart nobody knows who is on turn."""

from dataclasses import replace

from table.moment import ZERO, Interval, Moment
from table.seat import BySeat
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


def rebased(hand: Hand, now: Moment) -> Hand:
    """Carry what still counts over to moments that start anew.

    The untimed opening has what was left of it at the last moment handled.
    """
    ends = hand.opening_ends
    if ends is not None and hand.last is not None:
        left = max(ends.latest - hand.last, ZERO)
        ends = Interval.exactly(now + left)
    return replace(hand, last=now, opening_ends=ends, dealt=None, pressed=BySeat.all(None))


def _begun(before: Arranging | Turn | Unsynced) -> bool:
    match before:
        case Unsynced(begun=begun):
            return begun
        case Arranging():
            return False
        case Turn():
            return True
