"""Why an order about an alert is refused."""

from typing import assert_never

from scoring.account import account
from scoring.alert import STANDING, UNDECIDED, Alert, AlertStatus
from scoring.bench import Bench
from scoring.history import not_undone
from scoring.powers import not_allowed, wrong_payee
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
from table.answers import Code, Refused
from table.sanctions import CHOICE

_REVERSIBLE = STANDING | {AlertStatus.WAIVED, AlertStatus.REVERSED}
_VERBS = {TakeUp: "take up", AddNote: "add"}


def refusal(alert: Alert, command: AlertCommand, bench: Bench) -> Refused | None:
    """Return why the order is refused, or None; the first thing wrong is named."""
    if isinstance(command, AddNote):
        return None if command.text.strip() else _refused(Code.BAD_VALUE, alert, "note is empty")
    return (
        _not_theirs(alert, bench)
        or _outdated(alert, command.revision)
        or _misplaced(alert, command, bench)
        or _reason_missing(alert, command)
        or _wrong_value(alert, command, bench)
    )


def _refused(code: Code, alert: Alert, said: str) -> Refused:
    return Refused(code, f"alert {alert.id}: {said}")


def _not_theirs(alert: Alert, bench: Bench) -> Refused | None:
    if alert.status is AlertStatus.ACKNOWLEDGED and alert.holder != bench.person:
        return _refused(Code.HELD, alert, account(alert))
    if bench.shut_out_of(alert):
        chiefs = ", ".join(sorted(bench.rules.chiefs))
        said = f"it is before the chief referee ({alert.escalated}), only {chiefs} may rule on it"
        return _refused(Code.NOT_CHIEF, alert, said)
    return None


def _outdated(alert: Alert, revision: int) -> Refused | None:
    if revision == alert.revision:
        return None
    stale = f"alert {alert.id} is at revision {alert.revision}, not {revision}"
    return Refused(Code.STALE, f"{stale}: {account(alert)}")


def _misplaced(alert: Alert, command: AlertCommand, bench: Bench) -> Refused | None:
    if not _fits(alert, command):
        verb = _VERBS.get(type(command), type(command).__name__.lower())
        return _refused(Code.WRONG_PHASE, alert, f"nothing to {verb}, {account(alert)}")
    if isinstance(command, Undo) and (last := not_undone(alert.rulings)[-1]).person != bench.person:
        said = f"only {last.person} may undo it, {account(alert)}: reverse it with a reason"
        return _refused(Code.WRONG_PHASE, alert, said)
    if isinstance(command, Escalate) and not bench.rules.chiefs:
        said = "nobody would decide it: the event names no chief referee (event.chief_referees)"
        return _refused(Code.WRONG_PHASE, alert, said)
    return None


def _fits(alert: Alert, command: AlertCommand) -> bool:
    undecided = alert.status in UNDECIDED
    match command:
        case AddNote():
            fits = True
        case TakeUp():
            fits = alert.status is AlertStatus.UNCLAIMED
        case Acknowledge():
            fits = undecided
        case Confirm() | Modify() | Waive():
            fits = undecided or alert.marked
        case Escalate():
            fits = not alert.escalated and (undecided or alert.marked)
        case Reverse():
            fits = alert.status in _REVERSIBLE
        case Undo():
            fits = alert.status in UNDECIDED | _REVERSIBLE and bool(not_undone(alert.rulings))
        case _:
            assert_never(command)
    return fits


def _reason_missing(alert: Alert, command: AlertCommand) -> Refused | None:
    if isinstance(command, Modify | Waive | Reverse | Escalate) and not command.reason.strip():
        verb = type(command).__name__.lower()
        return _refused(Code.REASON_MISSING, alert, f"to {verb} needs a reason")
    return None


def _wrong_value(alert: Alert, command: AlertCommand, bench: Bench) -> Refused | None:
    said: str | None = None
    match command:
        case Confirm() if alert.proposal == CHOICE:
            said = f"alert {alert.id}: the book leaves it to the referee, choose with modify"
        case Confirm():
            said = wrong_payee(alert, alert.proposal)
        case Modify():
            said = not_allowed(bench.rules, alert, command.sanction)
        case TakeUp() if command.objector is alert.foul.seat:
            seat = alert.foul.seat
            said = f"alert {alert.id}: objector is seat {seat}, but must be one of the others"
        case _:
            return None
    return Refused(Code.BAD_VALUE, said) if said else None
