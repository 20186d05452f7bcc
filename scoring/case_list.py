"""The alerts of one table, listed by what is asked of them.

A table may see thousands of fouls in an event; nothing here looks through all of them.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from scoring.alert import STANDING, UNDECIDED, Alert, AlertStatus
from scoring.effects import DocketEffect
from scoring.rules import Scope
from table.moment import Moment
from table.restrictions import SESSION_LONG


@dataclass(frozen=True, slots=True)
class Docket:
    """The alerts of one table."""

    alerts: dict[str, Alert]
    """By id, in the order they were raised; never changed in place."""
    undecided: tuple[str, ...] = ()
    """Those before the referee, in the order in which they came there."""
    unclaimed: tuple[str, ...] = ()
    """Those only recorded, which somebody may still object to."""
    standing: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By player, those whose ruling stands, in the order in which they were ruled on."""
    marked: tuple[str, ...] = ()
    """Those of the standing that are to be looked at again."""
    lasting: tuple[str, ...] = ()
    """Those of the standing that outlast their hand."""
    hands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By hand, every alert."""
    ruled: int = 0
    """How many rulings ever came to stand."""
    last: Moment | None = None
    """The last moment handled."""

    @property
    def before_the_referee(self) -> tuple[Alert, ...]:
        """What waits for a ruling: undecided alerts, and rulings to be looked at again."""
        return tuple(self.alerts[one] for one in (*self.undecided, *self.marked))

    @property
    def waiting_for_objection(self) -> tuple[Alert, ...]:
        """What was recorded and may still be taken up."""
        return tuple(self.alerts[one] for one in self.unclaimed)

    def of_hand(self, hand: str) -> Iterator[Alert]:
        """Iterate over every alert of a hand, in the order they were raised."""
        return (self.alerts[one] for one in self.hands.get(hand, ()))

    def alike(self, alert: Alert, scope: Scope) -> Iterator[Alert]:
        """Iterate over what stands or waits and counts together with an alert."""
        if scope is Scope.HAND:
            among: Iterable[Alert] = self.of_hand(alert.foul.hand)
        else:
            stand = self.standing.get(alert.player, ())
            among = (self.alerts[one] for one in (*stand, *self.undecided, *self.unclaimed))
        return (
            one for one in among if one.player == alert.player and one.foul.kind is alert.foul.kind
        )

    def with_alert(self, alert: Alert) -> "Docket":
        """Return the docket with one alert new or changed."""
        name, stands = alert.id, alert.status in STANDING
        lasts = stands and not SESSION_LONG.isdisjoint(_measures(alert))
        before = self.alerts.get(name)
        return Docket(
            alerts=self.alerts | {name: alert},
            undecided=_listed(self.undecided, name, listed=alert.status in UNDECIDED),
            unclaimed=_listed(self.unclaimed, name, listed=alert.status is AlertStatus.UNCLAIMED),
            standing=self._standing(alert, listed=stands),
            marked=_listed(self.marked, name, listed=stands and alert.marked),
            lasting=_listed(self.lasting, name, listed=lasts),
            hands=self.hands if before else self._with_hand(alert),
            ruled=max(self.ruled, alert.rulings[-1].order if alert.rulings else 0),
            last=self.last,
        )

    def _standing(self, alert: Alert, *, listed: bool) -> dict[str, tuple[str, ...]]:
        before = self.alerts.get(alert.id)
        if (before is not None and before.status in STANDING) is listed:
            return self.standing
        stand = self.standing.get(alert.player, ())
        if listed:
            place = bisect(stand, alert.rulings[-1].order, key=self._order)
            stand = (*stand[:place], alert.id, *stand[place:])
        else:
            stand = _listed(stand, alert.id, listed=False)
        return self.standing | {alert.player: stand}

    def _order(self, name: str) -> int:
        return self.alerts[name].rulings[-1].order

    def _with_hand(self, alert: Alert) -> dict[str, tuple[str, ...]]:
        hand = alert.foul.hand
        return self.hands | {hand: (*self.hands.get(hand, ()), alert.id)}


@dataclass(frozen=True, slots=True)
class Step:
    """A new docket and what follows, in order."""

    docket: Docket
    effects: tuple[DocketEffect, ...] = ()

    def then(self, alert: Alert, effect: DocketEffect) -> "Step":
        """Return the step with one more alert changed and one more effect."""
        return Step(self.docket.with_alert(alert), (*self.effects, effect))


def _measures(alert: Alert) -> Iterable[str]:
    return alert.imposed.measures if alert.imposed else ()


def _listed(ids: tuple[str, ...], one: str, *, listed: bool) -> tuple[str, ...]:
    """Return the list with or without one id; an id already listed keeps its place."""
    if listed is (one in ids):
        return ids
    return (*ids, one) if listed else tuple(other for other in ids if other != one)
