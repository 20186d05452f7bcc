"""What `discard` means while four presses end the deal.

As long as nothing has said that the deal is done, the first press of each seat says: I am ready.
The fourth such press ends the deal, at the latest of the four. So that no discard of the dealer is
lost, the dealer's second press is a discard whatever the others have said; a second press of
another seat only repeats that it is ready, as nobody discards before the dealer. A press that comes
certainly within a second of the same seat's first is the same press to people: it is passed over,
even where the deal has ended meanwhile.

Where inputs sense a release, a seat is ready as it lets go, so that a hold is never taken for it.
Players who never say that they are ready and only press for their discards are taken up one round
late; what they did in it is charged to nobody.
"""

from dataclasses import replace
from datetime import timedelta
from functools import reduce

from table.moment import Interval
from table.seat import BySeat
from timing.effects import SeatReady
from timing.intervals import later, since
from timing.judgement import Gesture
from timing.order_effects import PlayResumed
from timing.phases import Arranging, Hand, Unsynced
from timing.rules import DealEnd, TimeRules
from timing.session import deal_ended
from timing.steps import Step, ignored

REPEATED = timedelta(seconds=1)
"""Nobody says ready, lays a tile and presses again within this (house choice)."""


def ready(rules: TimeRules, hand: Hand, said: Gesture, *, released: bool) -> Step | None:
    """Answer a discard press, or its release, that says ready; None where it is a discard."""
    if rules.deal_end is not DealEnd.FOUR_READY:
        return None
    match hand.phase:
        case Arranging() as arranging:
            return _ready(rules, hand, arranging, said, waits=hand.inputs.holds and not released)
        case Unsynced(begun=False, declared=(), resumed=False):
            if hand.inputs.holds and not released:
                return Step(hand)
            back = Step(replace(hand, phase=Arranging(said.when)), (PlayResumed(),))
            return back.then(lambda h: _says(rules, h, Arranging(said.when), said))
        case _:
            return None


def ready_seats(hand: Hand) -> BySeat[bool]:
    """Return which seats have said that they are ready."""
    arranging = hand.phase if isinstance(hand.phase, Arranging) else None
    return BySeat.of(lambda seat: arranging is not None and arranging.ready[seat] is not None)


def _ready(
    rules: TimeRules, hand: Hand, arranging: Arranging, said: Gesture, *, waits: bool
) -> Step | None:
    first = arranging.ready[said.seat]
    if first is not None and since(first, said.when).most <= REPEATED:
        return ignored(hand, f"seat {said.seat} says again that it is ready")
    if arranging.clock is not None or (first is not None and said.seat is hand.dealer):
        return None
    if first is not None:
        return ignored(hand, f"seat {said.seat} is ready already and waits for others")
    return Step(hand) if waits else _says(rules, hand, arranging, said)


def _says(rules: TimeRules, hand: Hand, arranging: Arranging, said: Gesture) -> Step:
    known = replace(
        arranging,
        ready=arranging.ready.put(said.seat, said.when),
        replayed=arranging.replayed or said.replayed,
    )
    told = Step(replace(hand, phase=known), (SeatReady(said.seat),))
    presses = [when for when in known.ready if when is not None]
    if len(presses) < len(tuple(known.ready)):
        return told
    last: Interval = reduce(later, presses)
    return told.then(lambda h: deal_ended(rules, h, last, replayed=known.replayed))
