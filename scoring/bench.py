"""Who gives an order, and under which rules."""

from dataclasses import dataclass

from scoring.alert import Alert
from scoring.rules import FoulRules
from table.moment import Moment


@dataclass(frozen=True, slots=True)
class Bench:
    """Who gives the order, and what a ruling made now would be given."""

    rules: FoulRules
    person: str
    lease_ends: Moment
    """Until when an alert would be kept for the person."""
    order: int
    """The place of a ruling among all that ever came to stand."""

    def shut_out_of(self, alert: Alert) -> bool:
        """Say whether the alert is before the chief referee, and the person is none.

        Where the event names no chief any more, everybody may rule again: nothing is stuck.
        """
        chiefs = self.rules.chiefs
        return bool(alert.escalated) and bool(chiefs) and self.person not in chiefs
