"""What is put before the chief referee, and what anybody may write down."""

from dataclasses import replace

import pytest

from scoring.alert import AlertStatus, Note
from scoring.effects import AlertChanged
from table.alert_commands import Escalate
from table.answers import Code
from tests.scoring.cases import WITH_CHIEF, Table


def before_the_chief() -> Table:
    table = Table(WITH_CHIEF)
    table.charged("f1")
    table.acknowledged("f1")
    table.escalated("f1")
    return table


def test_an_escalated_alert_is_open_for_the_chief() -> None:
    table = before_the_chief()
    alert = table["f1"]
    assert table.effects == (AlertChanged(alert),)
    assert (alert.status, alert.holder) == (AlertStatus.OPEN, "")
    assert alert.escalated == "the rule is unclear"


def test_nobody_but_a_chief_rules_on_it_then() -> None:
    table = before_the_chief()
    before = table.docket
    for order in (table.acknowledged, table.confirmed, table.waived):
        order("f1")
        assert table.refusal().code is Code.NOT_CHIEF
        assert table.refusal().reason == (
            "alert f1: it is before the chief referee (the rule is unclear),"
            " only chief, second chief may rule on it"
        )
        assert table.docket == before


@pytest.mark.parametrize("chief", ["chief", "second chief"])
def test_a_chief_decides_and_only_a_chief_takes_it_back(chief: str) -> None:
    table = before_the_chief()
    table.acknowledged("f1", chief)
    assert table.confirmed("f1", chief).status is AlertStatus.CONFIRMED
    table.reversed("f1")
    assert table.refusal().code is Code.NOT_CHIEF
    assert table.reversed("f1", person="chief").status is AlertStatus.REVERSED


def test_without_a_named_chief_nothing_is_escalated() -> None:
    table = Table()
    table.charged("f1")
    before = table.docket
    table.escalated("f1")
    assert table.refusal().reason == (
        "alert f1: nobody would decide it: the event names no chief referee (event.chief_referees)"
    )
    assert table.docket == before


def test_an_alert_is_not_escalated_twice() -> None:
    table = before_the_chief()
    table.ordered(Escalate("f1", table["f1"].revision, "again"), "chief")
    assert table.refusal().code is Code.WRONG_PHASE
    assert table["f1"].escalated == "the rule is unclear"


def test_what_is_before_the_chief_waits_when_the_next_hand_begins() -> None:
    table = before_the_chief()
    table.hand_began("h2")
    assert table.quiet()
    assert table["f1"].status is AlertStatus.OPEN


def test_nothing_is_stuck_when_the_event_names_no_chief_any_more() -> None:
    table = before_the_chief()
    table.rules = replace(WITH_CHIEF, chiefs=frozenset())
    assert table.confirmed("f1").status is AlertStatus.CONFIRMED


def test_a_marked_ruling_can_be_put_before_the_chief() -> None:
    table = Table(WITH_CHIEF)
    for name in ("f1", "f2"):
        table.charged(name)
        table.confirmed(name)
    table.reversed("f1")
    alert = table.escalated("f2")
    assert (alert.status, alert.marked) == (AlertStatus.CONFIRMED, True)
    table.confirmed("f2")
    assert table.refusal().code is Code.NOT_CHIEF


def test_a_note_is_written_by_anybody_and_outdates_no_order() -> None:
    table = before_the_chief()
    table.acknowledged("f1", "chief")
    known = table["f1"].revision
    alert = table.noted("f1", "the camera shows seat 2", "referee-2")
    assert table.effects == (AlertChanged(alert),)
    assert alert.notes == (Note("referee-2", "the camera shows seat 2"),)
    assert (alert.revision, alert.holder) == (known, "chief")
    assert table.noted("f1", "agreed", "chief").notes[1:] == (Note("chief", "agreed"),)


def test_an_empty_note_is_refused() -> None:
    table = before_the_chief()
    before = table.docket
    table.noted("f1", " ")
    assert (table.refusal().code, table.refusal().reason) == (
        Code.BAD_VALUE, "alert f1: note is empty",
    )  # fmt: skip
    assert table.docket == before
