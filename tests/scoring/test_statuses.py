"""Every order in every status: accepted as the contract says, or one clear error and no change."""

from collections.abc import Callable

import pytest

from scoring.account import account
from scoring.alert import Alert, AlertStatus
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
from table.answers import Code
from table.sanctions import points
from table.seat import Seat
from tests.scoring.cases import CLAIMING, SECOND, SLOW, WITH_CHIEF, WSOM, Table, with_ladder

S = AlertStatus
RULES = with_ladder(SLOW, CLAIMING.ladders[SLOW], WITH_CHIEF)
ORDERS: dict[str, Callable[[Alert], AlertCommand]] = {
    "acknowledge": lambda alert: Acknowledge(alert.id, alert.revision),
    "confirm": lambda alert: Confirm(alert.id, alert.revision),
    "modify": lambda alert: Modify(alert.id, alert.revision, points(5), "reason"),
    "waive": lambda alert: Waive(alert.id, alert.revision, "reason"),
    "reverse": lambda alert: Reverse(alert.id, alert.revision, "reason"),
    "undo": lambda alert: Undo(alert.id, alert.revision),
    "take up": lambda alert: TakeUp(alert.id, alert.revision, Seat.ONE),
    "escalate": lambda alert: Escalate(alert.id, alert.revision, "reason"),
    "add note": lambda alert: AddNote(alert.id, "seen by two"),
}
BECOMES = {
    S.UNCLAIMED: {"take up": S.OPEN},
    S.OPEN: {
        "acknowledge": S.ACKNOWLEDGED, "confirm": S.CONFIRMED, "modify": S.MODIFIED,
        "waive": S.WAIVED, "escalate": S.OPEN,
    },
    S.ACKNOWLEDGED: {
        "acknowledge": S.ACKNOWLEDGED, "confirm": S.CONFIRMED, "modify": S.MODIFIED,
        "waive": S.WAIVED, "escalate": S.OPEN,
    },
    S.CONFIRMED: {"reverse": S.REVERSED, "undo": S.ACKNOWLEDGED},
    S.MODIFIED: {"reverse": S.REVERSED, "undo": S.ACKNOWLEDGED},
    S.WAIVED: {"reverse": S.OPEN, "undo": S.ACKNOWLEDGED},
    S.REVERSED: {"reverse": S.CONFIRMED, "undo": S.CONFIRMED},
    S.LAPSED: {},
    S.DROPPED: {},
}  # fmt: skip
"""What each order makes of an alert; a note changes no status, the rest is refused."""


def brought_to(status: AlertStatus) -> tuple[Table, str]:
    """Return a table with an alert of this status, and the alert's id."""
    if status is S.DROPPED:
        table = Table(WSOM)
        for name in ("f1", "f2"):
            table.overran(name, 121 * SECOND)
            table.taken_up(name)
            table.confirmed(name)
        table.reversed("f2")
        return table, "h1-s1"
    table = Table(RULES)
    table.charged("f1", kind=SLOW)
    if status is S.UNCLAIMED:
        return table, "f1"
    table.taken_up("f1", Seat.ONE)
    match status:
        case S.ACKNOWLEDGED:
            table.acknowledged("f1")
        case S.CONFIRMED:
            table.confirmed("f1")
        case S.MODIFIED:
            table.modified("f1", points(10))
        case S.WAIVED:
            table.waived("f1")
        case S.LAPSED:
            table.hand_began("h2")
        case S.REVERSED:
            table.confirmed("f1")
            table.reversed("f1")
        case _:
            pass
    return table, "f1"


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("status", S)
def test_an_order_is_carried_out_or_refused_with_one_clear_error_and_nothing_changed(
    status: AlertStatus, order: str
) -> None:
    table, name = brought_to(status)
    before = table.docket
    assert before.alerts[name].status is status
    after = table.ordered(ORDERS[order](before.alerts[name]))
    if order == "add note":
        assert (after.status, after.revision) == (status, before.alerts[name].revision)
    elif order in BECOMES[status]:
        assert after.status is BECOMES[status][order]
        assert after.revision == before.alerts[name].revision + 1
    else:
        assert table.refusal().code is Code.WRONG_PHASE
        said = account(before.alerts[name])
        assert table.refusal().reason == f"alert {name}: nothing to {order}, {said}"
        assert table.docket == before


@pytest.mark.parametrize("order", [order for order in ORDERS if order != "add note"])
@pytest.mark.parametrize("status", S)
def test_an_order_on_an_older_revision_is_refused_and_nothing_changed(
    status: AlertStatus, order: str
) -> None:
    table, name = brought_to(status)
    before = table.docket
    alert = before.alerts[name]
    outdated = ORDERS[order](Alert(alert.foul, "", 1, points(5), "", revision=0))
    table.ordered(outdated)
    assert table.refusal().code is Code.STALE
    stale = f"alert {name} is at revision {alert.revision}, not 0"
    assert table.refusal().reason == f"{stale}: {account(alert)}"
    assert table.docket == before


@pytest.mark.parametrize("order", [order for order in ORDERS if order != "add note"])
def test_nobody_else_gives_an_order_while_the_lease_runs(order: str) -> None:
    table, name = brought_to(S.ACKNOWLEDGED)
    before = table.docket
    table.ordered(ORDERS[order](before.alerts[name]), "referee-2")
    assert table.refusal().code is Code.HELD
    assert table.docket == before


@pytest.mark.parametrize("order", ["modify", "waive", "reverse", "escalate"])
@pytest.mark.parametrize("reason", ["", "  \n"])
def test_what_needs_a_reason_is_refused_without_one(order: str, reason: str) -> None:
    table, name = brought_to(S.CONFIRMED if order == "reverse" else S.OPEN)
    before, alert = table.docket, table[name]
    orders: dict[str, AlertCommand] = {
        "modify": Modify(name, alert.revision, points(5), reason),
        "waive": Waive(name, alert.revision, reason),
        "reverse": Reverse(name, alert.revision, reason),
        "escalate": Escalate(name, alert.revision, reason),
    }
    table.ordered(orders[order])
    assert table.refusal().code is Code.REASON_MISSING
    assert table.refusal().reason == f"alert f1: to {order} needs a reason"
    assert table.docket == before


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_about_an_alert_of_another_table_is_refused(order: str) -> None:
    table, name = brought_to(S.OPEN)
    before = table.docket
    foreign = brought_to(S.OPEN)[0].charged("t9-h1-f1", hand="t9-h1")
    with pytest.raises(KeyError):
        table.ordered(ORDERS[order](foreign))
    assert table.refusal().code is Code.UNKNOWN_ALERT
    assert table.refusal().reason == "there is no alert t9-h1-f1"
    assert table.docket == before
    assert name in table.docket.alerts
