"""What one order makes of one alert."""

from dataclasses import replace
from typing import assert_never

from scoring.alert import STANDING, Alert, AlertStatus, Deed, Note, Ruling
from scoring.bench import Bench
from scoring.history import going_back, outcome
from scoring.refusals import refusal
from table.alert_commands import (
    Acknowledge,
    AddNote,
    AlertCommand,
    Confirm,
    Escalate,
    Modify,
    Reverse,
    TakeUp,
    Undo,
    Waive,
)
from table.answers import Refused
from table.sanctions import Sanction


def ruled(alert: Alert, command: AlertCommand, bench: Bench) -> Alert | Refused:
    """Return the alert after the order, or why the order is refused."""
    refused = refusal(alert, command, bench)
    if refused is not None:
        return refused
    match command:
        case Acknowledge():
            return kept(_changed(alert, AlertStatus.ACKNOWLEDGED), bench)
        case TakeUp():
            return replace(_changed(alert, AlertStatus.OPEN), objector=command.objector)
        case Escalate():
            status = alert.status if alert.status in STANDING else AlertStatus.OPEN
            return replace(_changed(alert, status), escalated=command.reason)
        case AddNote():
            return replace(alert, notes=(*alert.notes, Note(bench.person, command.text)))
        case Confirm() | Modify() | Waive() | Reverse() | Undo():
            return _with_ruling(alert, _ruling(alert, command, bench), bench)
        case _:
            assert_never(command)


def kept(alert: Alert, bench: Bench) -> Alert:
    """Return the alert kept for the person for the time of a lease."""
    return replace(alert, holder=bench.person, lease_ends=bench.lease_ends)


def released(alert: Alert) -> Alert:
    """Return an acknowledged alert open again, kept for nobody."""
    return _changed(alert, AlertStatus.OPEN)


def lapsed(alert: Alert) -> Alert:
    """Return an alert that nobody took in time."""
    return _changed(alert, AlertStatus.LAPSED)


def dropped(alert: Alert) -> Alert:
    """Return an undecided alert that follows from nothing any more."""
    return _changed(alert, AlertStatus.DROPPED)


def _ruling(
    alert: Alert, command: Confirm | Modify | Waive | Reverse | Undo, bench: Bench
) -> Ruling:
    match command:
        case Confirm():
            return _imposing(alert, bench, alert.proposal, "", Deed.CONFIRMED)
        case Modify():
            return _imposing(alert, bench, command.sanction, command.reason, Deed.MODIFIED)
        case Waive():
            return Ruling(bench.person, None, command.reason, Deed.WAIVED)
        case Reverse():
            again = alert.status is AlertStatus.REVERSED
            deed = Deed.RESTORED if again else Deed.REVERSED
            return going_back(alert, bench.person, command.reason, deed)
        case Undo():
            return going_back(alert, bench.person, "", Deed.UNDONE)
        case _:
            assert_never(command)


def _imposing(alert: Alert, bench: Bench, sanction: Sanction, reason: str, deed: Deed) -> Ruling:
    order = alert.rulings[-1].order if alert.status in STANDING else bench.order
    return Ruling(bench.person, sanction, reason, deed, alert.step, order)


def _with_ruling(alert: Alert, ruling: Ruling, bench: Bench) -> Alert:
    """Return the alert after a ruling; what is undecided again was undone, or a waiver reversed."""
    rulings = (*alert.rulings, ruling)
    status = outcome(rulings)
    after = replace(alert, rulings=rulings, marked=False)
    if status is not None:
        return _changed(after, status)
    if ruling.deed == Deed.UNDONE:
        return kept(_changed(after, AlertStatus.ACKNOWLEDGED), bench)
    return _changed(after, AlertStatus.OPEN)


def _changed(alert: Alert, status: AlertStatus) -> Alert:
    revision = alert.revision + 1
    return replace(alert, revision=revision, status=status, holder="", lease_ends=None)
