"""What the rulings that stand do to the hand that is played; pure."""

from collections.abc import Iterator

from scoring.docket import Docket
from scoring.restrictions import restrictions, voided
from table.commands import Ordered, VoidHand
from table.restrictions import Restriction
from table.sanctions import Measure, Sanction
from table.seat import BySeat, Seat
from timing.hand import HandStimulus, Restricted, running
from timing.phases import Hand


def consequences(docket: Docket, hand: Hand) -> Iterator[HandStimulus]:
    """Yield what the hand must be told so that it is as the rulings say; nothing where it is."""
    if running(hand) and voided(docket, hand.hand):
        yield _void(docket, hand.hand)
    forbidden = _forbidden(docket, hand)
    if forbidden != hand.restrictions:
        yield Restricted(forbidden)


def _void(docket: Docket, hand: str) -> Ordered:
    """Return the order to void a hand, in the name of who ruled so."""
    voiding = next(one for one in docket.of_hand(hand) if _voids(one.imposed))
    last = voiding.rulings[-1]
    return Ordered(VoidHand(last.reason or f"ruling on {voiding.id}"), last.person)


def _voids(sanction: Sanction | None) -> bool:
    return sanction is not None and Measure.HAND_VOID in sanction.measures


def _forbidden(docket: Docket, hand: Hand) -> BySeat[Restriction]:
    """Return what each seat may not do: the player's rulings, and those of who plays for it."""
    players = restrictions(docket, hand.hand, hand.players)
    if not any(hand.stand_ins):
        return players
    sitting = restrictions(docket, hand.hand, BySeat.of(hand.sits))

    def both(seat: Seat) -> Restriction:
        return players[seat].also(sitting[seat])

    return BySeat.of(both)
