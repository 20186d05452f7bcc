"""What one order makes of one alert."""

from dataclasses import dataclass, replace
from typing import assert_never

from scoring.alert import STANDING, UNDECIDED, Alert, AlertStatus, Ruling
from table.answers import Code, Refused
from table.commands import Acknowledge, Confirm, Modify, Reverse, RulingCommand, Waive
from table.moment import Moment
from table.sanctions import Sanction


@dataclass(frozen=True, slots=True)
class Bench:
    """Who gives the order, until when it would keep an alert, and what may be imposed."""

    person: str
    lease_ends: Moment
    imposable: tuple[Sanction, ...]


def ruled(alert: Alert, command: RulingCommand, bench: Bench) -> Alert | Refused:
    """Return the alert after the order, or why the order is refused."""
    refusal = _refusal(alert, command, bench)
    if refusal is not None:
        return refusal
    match command:
        case Acknowledge():
            return _kept(alert, bench)
        case Confirm():
            return _decided(alert, AlertStatus.CONFIRMED, Ruling(bench.person, alert.proposal, ""))
        case Modify():
            ruling = Ruling(bench.person, command.sanction, command.reason)
            return _decided(alert, AlertStatus.MODIFIED, ruling)
        case Waive():
            return _decided(alert, AlertStatus.WAIVED, Ruling(bench.person, None, command.reason))
        case Reverse():
            return _decided(alert, AlertStatus.REVERSED, Ruling(bench.person, None, command.reason))
        case _:
            assert_never(command)


def released(alert: Alert) -> Alert:
    """Return an acknowledged alert open again, kept for nobody."""
    return _changed(alert, AlertStatus.OPEN)


def lapsed(alert: Alert) -> Alert:
    """Return an open alert that nobody took in time."""
    return _changed(alert, AlertStatus.LAPSED)


def account(alert: Alert) -> str:
    """Say how the alert stands and who brought it there."""
    match alert.status:
        case AlertStatus.OPEN:
            return f"it is open with {alert.proposal} proposed"
        case AlertStatus.ACKNOWLEDGED:
            return f"{alert.holder} has acknowledged it with {alert.proposal} proposed"
        case AlertStatus.LAPSED:
            return "it lapsed when the next hand began"
        case _:
            return f"it was {alert.status} by {_last_word(alert)}"


def _last_word(alert: Alert) -> str:
    last = alert.rulings[-1]
    sanction = f" with {last.sanction}" if last.sanction else ""
    reason = f" ({last.reason})" if last.reason else ""
    again = f" and waits for another ruling, {alert.proposal} proposed" if alert.marked else ""
    return f"{last.person}{sanction}{reason}{again}"


def _refusal(alert: Alert, command: RulingCommand, bench: Bench) -> Refused | None:
    verb = type(command).__name__.lower()
    if alert.status is AlertStatus.ACKNOWLEDGED and alert.holder != bench.person:
        return Refused(Code.HELD, f"alert {alert.id}: {account(alert)}")
    if command.revision != alert.revision:
        stale = f"alert {alert.id} is at revision {alert.revision}, not {command.revision}"
        return Refused(Code.STALE, f"{stale}: {account(alert)}")
    if not _fits(alert, command):
        return Refused(Code.WRONG_PHASE, f"alert {alert.id}: nothing to {verb}, {account(alert)}")
    if isinstance(command, Modify | Waive | Reverse) and not command.reason.strip():
        return Refused(Code.REASON_MISSING, f"alert {alert.id}: to {verb} needs a reason")
    if isinstance(command, Modify) and command.sanction not in bench.imposable:
        allowed = ", ".join(str(sanction) for sanction in bench.imposable)
        return Refused(Code.BAD_VALUE, f"sanction is {command.sanction}, but must be of {allowed}")
    return None


def _fits(alert: Alert, command: RulingCommand) -> bool:
    match command:
        case Acknowledge():
            return alert.status in UNDECIDED
        case Reverse():
            return alert.status in STANDING
        case Confirm() | Modify() | Waive():
            return alert.status in UNDECIDED or alert.marked
        case _:
            assert_never(command)


def _kept(alert: Alert, bench: Bench) -> Alert:
    kept = _changed(alert, AlertStatus.ACKNOWLEDGED)
    return replace(kept, holder=bench.person, lease_ends=bench.lease_ends)


def _decided(alert: Alert, status: AlertStatus, ruling: Ruling) -> Alert:
    return replace(_changed(alert, status), rulings=(*alert.rulings, ruling), marked=False)


def _changed(alert: Alert, status: AlertStatus) -> Alert:
    revision = alert.revision + 1
    return replace(alert, revision=revision, status=status, holder="", lease_ends=None)
