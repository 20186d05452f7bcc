import pytest

from scoring.alert import Alert, AlertStatus, Ruling
from scoring.effects import AlertChanged, RulingMade
from table.alert_commands import Acknowledge, AlertCommand, Confirm, Modify, Reverse, Waive
from table.answers import Code, Refused
from table.commands import Ordered
from table.sanctions import WARNING, points
from tests.scoring.cases import LEASE, Table


def with_open_alert() -> Table:
    table = Table()
    table.charged("f1")
    return table


def decided(status: AlertStatus) -> Table:
    table = with_open_alert()
    match status:
        case AlertStatus.CONFIRMED:
            table.confirmed("f1")
        case AlertStatus.MODIFIED:
            table.modified("f1", points(10), "shouted")
        case AlertStatus.WAIVED:
            table.waived("f1", "bumped")
        case AlertStatus.LAPSED:
            table.hand_began("h2")
        case _:
            table.confirmed("f1")
            table.reversed("f1", "wrong seat")
    assert table["f1"].status is status
    return table


def orders(alert: Alert) -> list[AlertCommand]:
    name, revision = alert.id, alert.revision
    return [
        Acknowledge(name, revision),
        Confirm(name, revision),
        Modify(name, revision, points(5), "reason"),
        Waive(name, revision, "reason"),
        Reverse(name, revision, "reason"),
    ]


def test_to_confirm_imposes_what_was_proposed() -> None:
    table = with_open_alert()
    alert = table.confirmed("f1")
    assert table.effects == (RulingMade(alert),)
    assert (alert.status, alert.revision) == (AlertStatus.CONFIRMED, 2)
    assert alert.rulings == (Ruling("referee-1", WARNING, "", "confirmed", 1, 1),)
    assert alert.imposed == WARNING


def test_to_modify_imposes_another_sanction_for_a_reason() -> None:
    alert = with_open_alert().modified("f1", points(20), "third time today")
    assert alert.status is AlertStatus.MODIFIED
    assert alert.rulings == (Ruling("referee-1", points(20), "third time today", "modified", 1, 1),)
    assert alert.imposed == points(20)


def test_a_waiver_imposes_nothing_and_is_no_step() -> None:
    table = with_open_alert()
    alert = table.waived("f1", "the button was bumped")
    assert alert.status is AlertStatus.WAIVED
    assert alert.rulings == (Ruling("referee-1", None, "the button was bumped", "waived"),)
    assert alert.imposed is None
    assert table.charged("f2").proposal == WARNING


def test_what_was_ruled_may_be_reversed_and_keeps_its_history() -> None:
    table = with_open_alert()
    table.confirmed("f1")
    alert = table.reversed("f1", "it was seat 2")
    assert alert.status is AlertStatus.REVERSED
    assert alert.rulings == (
        Ruling("referee-1", WARNING, "", "confirmed", 1, 1),
        Ruling("referee-1", None, "it was seat 2", "reversed"),
    )
    assert table.charged("f2").proposal == WARNING


def test_who_acknowledged_may_rule_and_the_alert_is_kept_for_nobody_afterwards() -> None:
    table = with_open_alert()
    table.acknowledged("f1")
    alert = table.confirmed("f1")
    assert (alert.holder, alert.lease_ends, alert.revision) == ("", None, 3)


@pytest.mark.parametrize("number", range(4))
def test_nobody_else_acts_on_an_alert_while_its_lease_runs(number: int) -> None:
    table = with_open_alert()
    held = table.acknowledged("f1", "referee-1")
    assert table.ordered(orders(held)[number], "referee-2") == held
    assert table.refusal() == Refused(
        Code.HELD, "alert f1: referee-1 has acknowledged it with warning proposed"
    )


def test_another_referee_may_take_the_alert_once_the_lease_has_ended() -> None:
    table = with_open_alert()
    table.acknowledged("f1", "referee-1")
    table.waited(LEASE)
    assert table.acknowledged("f1", "referee-2").holder == "referee-2"


def test_a_ruling_on_an_unknown_alert_is_refused() -> None:
    table = with_open_alert()
    table.happens(Ordered(Confirm("f9", 1), "referee-1"))
    assert table.refusal() == Refused(Code.UNKNOWN_ALERT, "there is no alert f9")


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (AlertStatus.CONFIRMED, "it was confirmed by referee-1 with warning"),
        (AlertStatus.MODIFIED, "it was modified by referee-1 with 10 (shouted)"),
        (AlertStatus.WAIVED, "it was waived by referee-1 (bumped)"),
        (AlertStatus.LAPSED, "it lapsed when the next hand began"),
        (AlertStatus.REVERSED, "it was reversed by referee-1 (wrong seat)"),
    ],
)
def test_who_comes_second_is_told_what_was_decided_and_by_whom(
    status: AlertStatus, said: str
) -> None:
    table = decided(status)
    now = table["f1"].revision
    table.ordered(Confirm("f1", 1), "referee-2")
    assert table.refusal() == Refused(Code.STALE, f"alert f1 is at revision {now}, not 1: {said}")


def test_who_rules_on_an_outdated_proposal_is_told_the_new_one() -> None:
    table = with_open_alert()
    table.charged("f2")
    table.confirmed("f1")
    table.ordered(Confirm("f2", 1))
    assert table.refusal() == Refused(
        Code.STALE, "alert f2 is at revision 2, not 1: it is open with 5 proposed"
    )


def test_there_is_nothing_to_reverse_before_anything_is_decided() -> None:
    table = with_open_alert()
    table.reversed("f1")
    assert table.refusal() == Refused(
        Code.WRONG_PHASE, "alert f1: nothing to reverse, it is open with warning proposed"
    )


@pytest.mark.parametrize("reason", ["", "  \n"])
@pytest.mark.parametrize("verb", ["modify", "waive", "reverse"])
def test_to_modify_waive_or_reverse_needs_a_reason(verb: str, reason: str) -> None:
    table = with_open_alert()
    if verb == "reverse":
        table.confirmed("f1")
    revision = table["f1"].revision
    order: dict[str, AlertCommand] = {
        "modify": Modify("f1", revision, points(5), reason),
        "waive": Waive("f1", revision, reason),
        "reverse": Reverse("f1", revision, reason),
    }
    assert table.ordered(order[verb]).revision == revision
    assert table.refusal() == Refused(Code.REASON_MISSING, f"alert f1: to {verb} needs a reason")


def test_a_proposal_follows_the_number_of_standing_fouls() -> None:
    table = Table()
    table.charged("f1")
    table.charged("f2")
    ruled = table.confirmed("f1")
    assert table.effects == (RulingMade(ruled), AlertChanged(table["f2"]))
    assert (table["f2"].proposal, table["f2"].revision) == (points(5), 2)
    table.reversed("f1")
    assert (table["f2"].proposal, table["f2"].revision) == (WARNING, 3)


def test_a_proposal_changes_under_the_referee_who_looks_at_it_and_stays_theirs() -> None:
    table = Table()
    table.charged("f1")
    table.charged("f2")
    table.acknowledged("f2", "referee-2")
    table.confirmed("f1", "referee-1")
    alert = table["f2"]
    assert (alert.holder, alert.proposal) == ("referee-2", points(5))
    assert alert.lease_ends is not None
    assert table.confirmed("f2", "referee-2").imposed == points(5)


def test_a_waiver_leaves_the_other_proposals_as_they_are() -> None:
    table = Table()
    table.charged("f1")
    other = table.charged("f2")
    waived = table.waived("f1")
    assert table.effects == (RulingMade(waived),)
    assert table["f2"] == other
