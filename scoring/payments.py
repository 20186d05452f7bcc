"""Who pays whom for one ruling that stands."""

from dataclasses import dataclass
from typing import assert_never

from scoring.alert import Alert
from table.sanctions import Sanction, SanctionKind


@dataclass(frozen=True, slots=True)
class Payment:
    """Points that go from one player to another, or to nobody."""

    payer: str
    payee: str | None
    """None where the points are taken and paid to nobody."""
    points: int
    alert: str
    """The alert it follows from."""


def payments(alert: Alert) -> tuple[Payment, ...]:
    """Return what follows from the ruling on an alert; nothing where none stands.

    Rule: taken from the offender only (mcr-2014 art. 11, 罚分 2), or so many points to each of the
    other three or to the player who was harmed (jingji-2012 ch. 4 art. 1, ch. 3 art. 1 §38).
    """
    sanction = alert.imposed
    if sanction is None:
        return ()
    return tuple(
        Payment(alert.player, payee, sanction.points, alert.id)
        for payee in _payees(alert, sanction)
    )


def cost(alert: Alert) -> int:
    """Return what the ruling that stands costs the offender."""
    return sum(one.points for one in payments(alert))


def _payees(alert: Alert, sanction: Sanction) -> tuple[str | None, ...]:
    match sanction.kind:
        case SanctionKind.POINTS:
            return (None,)
        case SanctionKind.PAY_EACH:
            return alert.others
        case SanctionKind.PAY_PLAYER:
            return (sanction.to,)
        case SanctionKind.WARNING | SanctionKind.MEASURE | SanctionKind.CHOICE:
            return ()
        case _:
            assert_never(sanction.kind)
