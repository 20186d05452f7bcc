"""What rulings that stand forbid at the table, and whether one voids the hand."""

from collections.abc import Iterator
from functools import reduce

from scoring.alert import STANDING, Alert
from scoring.case_list import Docket
from table.restrictions import FREE, SESSION_LONG, Restriction, restricted_by
from table.sanctions import Measure
from table.seat import BySeat


def restrictions(docket: Docket, hand: str, players: BySeat[str]) -> BySeat[Restriction]:
    """Return what each seat may not do in a hand; it follows the player, not the seat.

    A dead hand ends with its hand; who is out stays out (docs/adr/0019).
    """
    standing = tuple(_standing(docket, hand))
    return players.map(lambda player: _restriction(standing, hand, player))


def voided(docket: Docket, hand: str) -> bool:
    """Say whether a ruling that stands says that the hand does not count."""
    return any(Measure.HAND_VOID in _measures(one) for one in docket.of_hand(hand))


def _standing(docket: Docket, hand: str) -> Iterator[Alert]:
    yield from (one for one in docket.of_hand(hand) if one.status in STANDING)
    lasting = (docket.alerts[one] for one in docket.lasting)
    yield from (one for one in lasting if one.foul.hand != hand)


def _restriction(standing: tuple[Alert, ...], hand: str, player: str) -> Restriction:
    theirs = (_forbidden(one, hand) for one in standing if one.player == player)
    return reduce(Restriction.also, theirs, FREE)


def _forbidden(alert: Alert, hand: str) -> Restriction:
    measures = _measures(alert)
    return restricted_by(one for one in measures if one in SESSION_LONG or alert.foul.hand == hand)


def _measures(alert: Alert) -> tuple[Measure, ...]:
    return alert.imposed.measures if alert.imposed else ()
