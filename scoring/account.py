"""How an alert stands, in words for the referee who came second."""

from scoring.alert import Alert, AlertStatus, Deed


def account(alert: Alert) -> str:
    """Say how the alert stands and who brought it there."""
    match alert.status:
        case AlertStatus.UNCLAIMED:
            return f"it is recorded with {alert.proposal} proposed, and nobody has objected"
        case AlertStatus.OPEN:
            return f"it is open with {alert.proposal} proposed"
        case AlertStatus.ACKNOWLEDGED:
            return f"{alert.holder} has acknowledged it with {alert.proposal} proposed"
        case AlertStatus.LAPSED:
            return "it lapsed when the next hand began"
        case AlertStatus.DROPPED:
            return "it was dropped as the rulings it followed from stand no more"
        case _:
            return _last_word(alert)


def _last_word(alert: Alert) -> str:
    last = alert.rulings[-1]
    sanction = f" with {last.sanction}" if last.sanction else ""
    reason = f" ({last.reason})" if last.reason else ""
    again = f" and waits for another ruling, {alert.proposal} proposed" if alert.marked else ""
    if last.deed == Deed.UNDONE:
        return f"it is {alert.status}{sanction} again, {last.person} having undone a slip{again}"
    return f"it was {last.deed or alert.status} by {last.person}{sanction}{reason}{again}"
