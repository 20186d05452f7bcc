"""What rulings that stand forbid at the table, and whether one voids the hand."""

from collections.abc import Iterator
from functools import reduce

from scoring.alert import Alert
from scoring.case_list import Docket
from table.restrictions import FREE, Restriction, restricted_by
from table.sanctions import Measure
from table.seat import BySeat

_ALL_FREE = BySeat.all(FREE)


def restrictions(docket: Docket, hand: str, players: BySeat[str]) -> BySeat[Restriction]:
    """Return what each seat may not do in a hand; it follows the player, not the seat.

    A dead hand ends with its hand; who is out stays out (docs/adr/0019).
    """
    standing = tuple(_standing(docket, hand))
    if not standing:
        return _ALL_FREE
    return players.map(lambda player: _restriction(standing, player))


def voided(docket: Docket, hand: str) -> bool:
    """Say whether a ruling that stands says that the hand does not count."""
    return any(Measure.HAND_VOID in _measures(one) for one in docket.of_hand(hand))


def _standing(docket: Docket, hand: str) -> Iterator[Alert]:
    yield from docket.of_hand(hand)
    yield from (docket.alerts[one] for one in docket.lasting)


def _restriction(standing: tuple[Alert, ...], player: str) -> Restriction:
    """Return what is forbidden to a player; who is out has nothing left that a hand could end."""
    theirs = (restricted_by(_measures(one)) for one in standing if one.player == player)
    return reduce(Restriction.also, theirs, FREE)


def _measures(alert: Alert) -> tuple[Measure, ...]:
    return alert.imposed.measures if alert.imposed else ()
