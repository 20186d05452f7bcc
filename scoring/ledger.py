"""What rulings that stand cost each player; it follows the player, not the seat."""

from dataclasses import dataclass

from scoring.alert import Alert, Ruling
from scoring.case_list import Docket
from scoring.payments import Payment, payments
from table.fouls import FoulKind
from table.sanctions import Sanction
from table.seat import Seat


@dataclass(frozen=True, slots=True)
class Line:
    """One ruling that stands."""

    alert: str
    revision: int
    """Of the alert; who reverses the ruling must name it."""
    hand: str
    kind: FoulKind
    player: str
    seat: Seat
    """Where the player sat when the foul was seen."""
    step: int
    sanction: Sanction
    marked: bool
    """It rested on a ruling that was reversed; it stands until a referee rules again."""
    rulings: tuple[Ruling, ...]
    """Everything that was ruled on the alert; the last one stands."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The lines of a table in the order in which they were first ruled on."""

    lines: tuple[Line, ...]
    payments: tuple[Payment, ...]
    """Who pays whom, in the order of the lines; a warning or a dead hand costs nothing."""
    totals: dict[str, int]
    """Received minus paid, of every player with a line or a payment.

    Together they are minus what is paid to nobody.
    """

    def of(self, player: str) -> tuple[Line, ...]:
        """Return the lines of one player."""
        return tuple(line for line in self.lines if line.player == player)


def ledger(docket: Docket) -> Ledger:
    """Return the ledger that follows from the rulings on a docket."""
    names = (one for stand in docket.standing.values() for one in stand)
    alerts = sorted((docket.alerts[one] for one in names), key=lambda one: one.rulings[-1].order)
    lines = tuple(_line(alert, taken) for alert in alerts if (taken := alert.imposed))
    paid = tuple(one for alert in alerts for one in payments(alert))
    totals = dict.fromkeys((line.player for line in lines), 0)
    for one in paid:
        totals[one.payer] -= one.points
        if one.payee is not None:
            totals[one.payee] = totals.get(one.payee, 0) + one.points
    return Ledger(lines, paid, totals)


def _line(alert: Alert, sanction: Sanction) -> Line:
    foul = alert.foul
    return Line(
        alert=alert.id,
        revision=alert.revision,
        hand=foul.hand,
        kind=foul.kind,
        player=alert.player,
        seat=foul.seat,
        step=alert.step,
        sanction=sanction,
        marked=alert.marked,
        rulings=alert.rulings,
    )
