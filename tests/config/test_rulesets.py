from datetime import timedelta
from pathlib import Path

import pytest

from config.models import Event, Node, Settings
from config.rules_table import rules_in_force, rules_table
from config.rulesets import foul_rules, read_rule_set, time_rules
from config.shipped import shipped
from scoring.rules import AlertPolicy, Ladder
from table.errors import SettingsError
from table.fouls import FoulKind
from table.sanctions import WARNING, points
from tests.config.files import GOOD, loaded
from timing.rules import Limit, TurnStart

SECOND = timedelta(seconds=1)
FIFTH = """
name = "parlour-5"
title = "The rules on our wall"

[time]
first_discard = { seconds = 30, rule = "wall, line 1" }
turn = { seconds = 7.5, rule = "wall, line 2" }
turn_starts = { value = "upper-discard", rule = "wall, line 3" }
late_call_stands = { value = true, rule = "wall, line 4" }
kong_restarts = { value = false, rule = "wall, line 5" }
flower_restarts = { value = false, rule = "wall, line 5" }
kongs_at_most = { value = 4, rule = "decision: four kongs" }
flowers_at_most = { value = 0, rule = "wall, line 6" }

[fouls.discard-over-limit]
steps = [5]
rule = "wall, line 7"
policy = "record_only"
lapses = false
"""


def settings(**event: object) -> Settings:
    chosen = Event.model_validate({"ruleset": "mcr-2014", **event})
    return Settings(node=Node(id="hall-a", venue="riverside"), event=chosen)


def own_book(folder: Path, event: str = "", book: str = FIFTH) -> Settings:
    (folder / "own.toml").write_text(book, "utf-8")
    return loaded(folder, GOOD.replace('"mcr-2014"\n', f'"own.toml"\n{event}'))


def test_mcr_2014_gives_20_10_and_3_seconds() -> None:
    rules = time_rules(settings())
    assert rules.name == "mcr-2014"
    assert rules.first_discard == Limit(20 * SECOND, "mcr-2014 art. 5 (赛前 6)")
    assert rules.turn == Limit(10 * SECOND, "mcr-2014 art. 6 (出牌)")
    assert rules.call_window == Limit(3 * SECOND, "mcr-2014 art. 6 (碰牌)")


def test_mcr_2014_counts_from_the_draw_and_anew_after_a_kong_or_flower() -> None:
    rules = time_rules(settings())
    assert rules.turn_starts is TurnStart.DRAW
    assert (rules.kong_restarts, rules.flower_restarts) == (True, True)
    assert (rules.kongs_at_most, rules.flowers_at_most) == (4, 8)


def test_mcr_2014_refuses_a_late_pung() -> None:
    assert not time_rules(settings()).late_call_stands


def test_mcr_2014_warns_then_takes_5_to_60_for_a_late_pung_and_a_late_discard() -> None:
    steps = (WARNING, *map(points, (5, 10, 20, 30, 40, 50, 60)))
    rules = foul_rules(settings())
    late = Ladder(steps, "mcr-2014 art. 11 (违例 5, 罚分 2)")
    assert rules.ladders[FoulKind.LATE_PUNG] == late
    assert rules.ladders[FoulKind.DISCARD_OVER_LIMIT].steps == steps
    assert rules.lease == 60 * SECOND


def test_every_rule_of_a_shipped_book_names_its_book_or_a_decision() -> None:
    for name in shipped():
        book = read_rule_set(name)
        assert book.name == name
        limits = [getattr(book.time, one) for one in type(book.time).model_fields]
        for rule in (*filter(None, limits), *book.fouls.values()):
            assert rule.rule.startswith((f"{name} art. ", "decision: "))


def test_every_kind_of_foul_has_a_ladder_in_mcr_2014() -> None:
    assert set(foul_rules(settings()).ladders) == set(FoulKind)


def test_what_the_organiser_chooses_reaches_the_core() -> None:
    rules = time_rules(
        settings(
            presumed_margin_seconds=5,
            press_is_the_call=False,
            reach_seconds=2,
            lamp_before_seconds=4,
            beep_milliseconds=120,
            missed_press_notice=9,
            late_call_seconds=2,
            repeat_press_seconds=4,
            slow_cycle_seconds=90,
        )
    )
    assert rules.presumed_margin == 5 * SECOND
    assert (rules.press_is_the_call, rules.reach_time) == (False, 2 * SECOND)
    assert (rules.lamp_before, rules.beep) == (4 * SECOND, timedelta(milliseconds=120))
    assert (rules.missed_press_notice, rules.slow_cycle) == (9, 90 * SECOND)
    assert (rules.late_call_span, rules.repeat_press) == (2 * SECOND, 4 * SECOND)


def test_an_override_is_cited_together_with_what_the_book_says() -> None:
    rules = time_rules(settings(overrides={"turn_seconds": 15, "late_call_stands": True}))
    assert rules.turn == Limit(15 * SECOND, "this event, instead of 10 s by mcr-2014 art. 6 (出牌)")
    assert rules.late_call_stands
    assert rules.first_discard.span == 20 * SECOND


def test_steps_of_the_event_replace_those_of_the_book() -> None:
    rules = foul_rules(settings(overrides={"steps": {"late-pung": [10, 20]}}))
    assert rules.ladders[FoulKind.LATE_PUNG].steps == (points(10), points(20))
    assert rules.ladders[FoulKind.LATE_PUNG].rule == (
        "this event, instead of warning, -5, -10, -20, -30, -40, -50, -60"
        " by mcr-2014 art. 11 (违例 5, 罚分 2)"
    )
    assert rules.ladders[FoulKind.DISCARD_OVER_LIMIT].steps[0] == WARNING


def test_the_event_decides_which_fouls_are_put_before_a_referee() -> None:
    rules = foul_rules(settings(alerts={"discard-over-limit": "record_only"}))
    assert rules.ladders[FoulKind.DISCARD_OVER_LIMIT].policy is AlertPolicy.RECORD_ONLY
    assert rules.ladders[FoulKind.LATE_PUNG].policy is AlertPolicy.AUTO


def test_a_fifth_made_up_book_works(tmp_path: Path) -> None:
    event = own_book(tmp_path)
    rules, fouls = time_rules(event), foul_rules(event)
    assert (rules.name, rules.turn) == (
        "parlour-5", Limit(timedelta(milliseconds=7500), "wall, line 2"),
    )  # fmt: skip
    assert rules.call_window is None
    assert (rules.turn_starts, rules.late_call_stands) == (TurnStart.UPPER_DISCARD, True)
    assert fouls.ladders == {
        FoulKind.DISCARD_OVER_LIMIT: Ladder(
            (points(5),), "wall, line 7", AlertPolicy.RECORD_ONLY, lapses=False
        )
    }


def test_the_event_may_set_what_its_book_is_silent_on(tmp_path: Path) -> None:
    event = own_book(
        tmp_path,
        "[event.overrides]\ncall_window_seconds = 2.5\nsteps.late-pung = [5]\n"
        '[event.alerts]\nlate-pung = "record_only"\n',
    )
    said = "this event; the book says nothing"
    assert time_rules(event).call_window == Limit(timedelta(milliseconds=2500), said)
    assert foul_rules(event).ladders[FoulKind.LATE_PUNG] == Ladder(
        (points(5),), said, AlertPolicy.RECORD_ONLY
    )


def test_a_mistake_in_the_venues_own_book_is_told_with_its_file(tmp_path: Path) -> None:
    wrong = FIFTH.replace("seconds = 30", "second = 30").replace("steps = [5]", "steps = [5.5]")
    with pytest.raises(SettingsError) as caught:
        own_book(tmp_path, book=wrong)
    file = tmp_path / "own.toml"
    step = '"warning" or a whole number of points from 1 to 1000'
    assert str(caught.value).splitlines() == [
        f"{file}: time.first_discard.seconds is missing.",
        f"{file}: time.first_discard.second is not known; did you mean seconds.",
        f"{file}: fouls.discard-over-limit.steps[0] is 5.5, but must be {step}.",
    ]


def test_a_book_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: cannot be read"):
        loaded(tmp_path, GOOD.replace("mcr-2014", "none.toml"))


def test_the_table_of_rules_marks_what_the_event_changes(tmp_path: Path) -> None:
    text = rules_table(own_book(tmp_path, "lease_seconds = 90\noverrides.turn_seconds = 8\n"))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines[0] == "Rule set parlour-5: The rules on our wall"
    assert "first discard 30 s wall, line 1" in lines
    assert "* turn 8 s this event, instead of 7.5 s by wall, line 2" in lines
    assert "call window none the book sets none" in lines
    assert "steps, discard-over-limit -5 wall, line 7" in lines
    assert "alerts, discard-over-limit record_only the rule set's default" in lines
    assert "an alert is kept for one referee 90 s this event" in lines
    assert "beep at the limit 300 ms default; no book says" in lines
    assert lines[-1] == "* changed by this event: 1"


def test_the_rules_in_force_tell_apart_what_the_event_sets_itself() -> None:
    event = settings(overrides={"turn_seconds": 8}, alerts={"late-pung": "auto"})
    assert [rule.name for rule in rules_in_force(event) if rule.own] == [
        "turn",
        "alerts, late-pung",
    ]
