"""What the docket says and answers over whole evenings, in every book."""

from dataclasses import replace

from hypothesis import given

from scoring import docket
from scoring.alert import Alert
from scoring.docket import Docket
from scoring.effects import (
    AlertChanged,
    AlertDropped,
    AlertLapsed,
    AlertMarked,
    AlertRaised,
    AlertRecorded,
    DocketEffect,
    RulingMade,
)
from scoring.rules import FoulRules
from table.alert_commands import Acknowledge, AddNote, Escalate, TakeUp
from table.answers import Ignored, Refused
from table.events import Woken
from tests.scoring.evenings import EVENINGS, RULES, Entry, Evening, Order, played

CARRYING = (
    AlertRecorded, AlertRaised, AlertChanged, RulingMade, AlertLapsed, AlertDropped, AlertMarked,
)  # fmt: skip
BIRTHS = (AlertRecorded, AlertRaised)


def outcome(
    rules: FoulRules, evening: Evening, *, waking: bool = False
) -> tuple[Docket, list[DocketEffect]]:
    effects: list[DocketEffect] = []
    last = docket.fresh()
    for table in played(rules, evening, waking=waking):
        effects += table.effects
        last = table.docket
    return replace(last, last=None), effects


@given(RULES, EVENINGS)
def test_every_change_of_an_alert_is_told_once_with_the_next_revision(
    rules: FoulRules, evening: Evening
) -> None:
    known: dict[str, Alert] = {}
    for table in played(rules, evening):
        for effect in table.effects:
            if isinstance(effect, CARRYING):
                alert, before = effect.alert, known.get(effect.alert.id)
                noted = before is not None and alert == replace(before, notes=alert.notes)
                assert before is not None or isinstance(effect, BIRTHS)
                expected = before.revision + (0 if noted else 1) if before else 1
                assert alert.revision == expected
                known[alert.id] = alert
        assert known == table.docket.alerts


@given(RULES, EVENINGS)
def test_no_ruling_and_no_note_is_ever_lost(rules: FoulRules, evening: Evening) -> None:
    made: dict[str, list[object]] = {}
    notes = 0
    for table in played(rules, evening):
        for effect in table.effects:
            if isinstance(effect, RulingMade):
                made.setdefault(effect.alert.id, []).append(effect.alert.rulings[-1])
        rulings = {name: list(one.rulings) for name, one in table.docket.alerts.items()}
        assert {name: ruled for name, ruled in rulings.items() if ruled} == made
        kept = sum(len(one.notes) for one in table.docket.alerts.values())
        assert kept >= notes
        notes = kept


@given(RULES, EVENINGS)
def test_every_order_is_answered_once_whatever_the_alert_has_become(
    rules: FoulRules, evening: Evening
) -> None:
    deeds = [deed for _, deed in evening]
    for deed, table in zip(deeds, played(rules, evening), strict=True):
        answers = [one for one in table.effects if isinstance(one, RulingMade | Refused | Ignored)]
        if isinstance(deed, Order):
            accepted = deed.verb in (Acknowledge, Escalate, AddNote, TakeUp) and not answers
            assert len(answers) + accepted == 1
        else:
            assert not answers or isinstance(deed, Entry)


@given(RULES, EVENINGS)
def test_what_is_refused_leaves_the_docket_as_it_was(rules: FoulRules, evening: Evening) -> None:
    before = docket.fresh()
    for table in played(rules, evening):
        if any(isinstance(one, Refused | Ignored) for one in table.effects):
            assert docket.step(rules, before, Woken(), table.now).docket == table.docket
        before = table.docket


@given(RULES, EVENINGS)
def test_a_step_that_changes_no_alert_keeps_the_very_alerts(
    rules: FoulRules, evening: Evening
) -> None:
    before = docket.fresh().alerts
    for table in played(rules, evening):
        if not any(isinstance(one, CARRYING) for one in table.effects):
            assert table.docket.alerts is before or not before
        before = table.docket.alerts


@given(RULES, EVENINGS)
def test_a_replay_gives_the_same_docket_and_effects(rules: FoulRules, evening: Evening) -> None:
    assert outcome(rules, evening) == outcome(rules, evening)


@given(RULES, EVENINGS)
def test_waking_more_often_changes_nothing(rules: FoulRules, evening: Evening) -> None:
    assert outcome(rules, evening, waking=True) == outcome(rules, evening)
