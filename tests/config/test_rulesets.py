from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from config.models import Event, Node, Settings
from config.rules_table import rules_in_force, rules_table
from config.rulesets import foul_rules, time_rules, wall_rules
from scoring.rules import AlertPolicy, Started
from table.errors import SettingsError
from table.fouls import FoulKind
from table.moment import ZERO
from table.sanctions import WARNING, WRITTEN, points
from tests.config.fifth import FIFTH, saved_book
from tests.config.files import GOOD, complaint, loaded
from timing.rules import FirstStart, Limit, SeveralHu, TakenFrom, WallNamedBy

SECOND = timedelta(seconds=1)


def settings(**event: object) -> Settings:
    chosen = Event.model_validate({"ruleset": "mcr-2014", **event})
    return Settings(node=Node(id="hall-a", venue="riverside"), event=chosen)


def own_book(folder: Path, event: str = "", book: str = FIFTH) -> Settings:
    saved_book(folder, book)
    return loaded(folder, GOOD.replace('"mcr-2014"\n', f'"own.toml"\n{event}'))


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
        )
    )
    assert rules.presumed_margin == 5 * SECOND
    assert (rules.press_is_the_call, rules.reach_time) == (False, 2 * SECOND)
    assert (rules.lamp_before, rules.beep) == (4 * SECOND, timedelta(milliseconds=120))
    assert rules.missed_press_notice == 9
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
        "this event, instead of warning, 5, 10, 20, 30, 40, 50, 60"
        " by mcr-2014 art. 11 (违例 5, 罚分 2)"
    )
    assert rules.ladders[FoulKind.DISCARD_OVER_LIMIT].steps[0] == WARNING


def test_the_event_decides_which_fouls_are_put_before_a_referee() -> None:
    rules = foul_rules(settings(alerts={"discard-over-limit": "record_only"}))
    assert rules.ladders[FoulKind.DISCARD_OVER_LIMIT].policy is AlertPolicy.RECORD_ONLY
    assert rules.ladders[FoulKind.LATE_PUNG].policy is AlertPolicy.AUTO


def test_every_value_of_time_and_wall_can_be_the_events_own() -> None:
    own = settings(
        overrides={
            "first_starts": "last-flower",
            "untimed_opening_seconds": 6,
            "hand_total_seconds": 120,
            "several_hu": "all",
            "stacks": 17,
            "named_by": "one-throw",
            "taken_from": "at",
            "dead_tiles": 14,
            "early_draw": False,
            "empty_calls": ["pung"],
            "steps": {"hand-total-over": [5]},
        }
    )
    time, wall = time_rules(own), wall_rules(own)
    silent = "this event; the book says nothing"
    assert time.first_starts is FirstStart.LAST_FLOWER
    assert time.untimed_opening == Limit(6 * SECOND, silent)
    assert time.hand_total == Limit(120 * SECOND, silent)
    assert time.several_hu is SeveralHu.ALL
    assert time.sensed.early_draw == ""
    assert time.sensed.empty_call == (
        "this event, instead of chow, pung, kong by mcr-2014 art. 11 (违例 3)"
    )
    assert (wall.stacks, wall.dead_tiles) == (17, 14)
    assert (wall.named_by, wall.taken_from) == (WallNamedBy.ONE_THROW, TakenFrom.AT)
    assert wall.rule.startswith("this event, instead of second-thrower by mcr-2014 art. 5 (赛前 5)")


def test_steps_of_the_event_take_the_place_of_points_for_time() -> None:
    own = settings(ruleset="wsom-2010", overrides={"steps": {"discard-over-limit": [5, 10]}})
    ladder = foul_rules(own).ladders[FoulKind.DISCARD_OVER_LIMIT]
    assert (ladder.steps, ladder.started) == ((points(5), points(10)), None)
    assert ladder.rule == ("this event, instead of 5 for each 15 s begun by wsom-2010 打牌时限 §2")


def test_the_event_sets_the_margin_under_auto() -> None:
    def margin(**event: object) -> timedelta:
        return foul_rules(settings(**event)).ladders[FoulKind.EARLY_DRAW].margin

    assert margin() == 3 * SECOND
    assert margin(margins={"early-draw": 2}) == 2 * SECOND
    assert margin(margins={"early-draw": 0}) == ZERO
    assert margin(alerts={"early-draw": "on_claim"}) == ZERO
    assert margin(ruleset="wsom-2010") == ZERO
    assert margin(ruleset="wsom-2010", alerts={"early-draw": "auto"}) == 3 * SECOND


def test_the_chief_referees_reach_the_docket() -> None:
    assert foul_rules(settings()).chiefs == frozenset()
    assert foul_rules(settings(chief_referees=["Lin"])).chiefs == {"Lin"}


def test_the_event_may_add_a_foul_that_its_book_does_not_know(tmp_path: Path) -> None:
    text = GOOD.replace("[tables.t1]", "overrides.steps.phone-rang = [5]\n[tables.t1]")
    ladder = foul_rules(loaded(tmp_path, text)).ladders[FoulKind.PHONE_RANG]
    assert (ladder.steps, ladder.title) == ((points(5),), "Phone rang")
    assert ladder.rule == "this event; the book says nothing"


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("steps.late-pung = [15]", "fouls.late-pung.steps: 15 is neither within [powers] nor"),
        ("hand_total_seconds = 100", "time.hand_total is given, but fouls.hand-total-over is miss"),
        ("dead_tiles = 91", "wall.dead_tiles is 91, but of 144 tiles only 91 are left after the"),
        ("discard_before_draw = true", "sensed.discard_before_draw is to be seen, but fouls.disc"),
        ("steps.phone-rang = ['choice', 5]", "fouls.phone-rang.steps: choice is only the last"),
    ],
)
def test_what_the_event_sets_must_fit_its_book(tmp_path: Path, own: str, said: str) -> None:
    text = GOOD.replace("[tables.t1]", f"[event.overrides]\n{own}\n[tables.t1]")
    told = complaint(tmp_path, text)
    assert told.startswith(f"tablewarden.toml: with the event's own values, {said}")
    assert told.count("\n") == 0


def test_a_margin_for_what_is_not_measured_is_refused(tmp_path: Path) -> None:
    text = GOOD.replace("[tables.t1]", "margins.false-hu = 1\n[tables.t1]")
    assert complaint(tmp_path, text) == (
        "tablewarden.toml: with the event's own values, fouls.false-hu.margin_seconds is given, but"
        " nothing is measured for this kind."
    )


def test_the_fifth_book_reaches_the_core_value_by_value(tmp_path: Path) -> None:
    event = own_book(tmp_path)
    time, wall, fouls = time_rules(event), wall_rules(event), foul_rules(event)
    assert (time.name, time.turn) == ("parlour-5", Limit(7.5 * SECOND, "wall, line 3"))
    assert time.untimed_opening == Limit(12.5 * SECOND, "wall, line 2")
    assert time.call_window == Limit(2.5 * SECOND, "wall, line 6")
    assert time.late_call_stands
    assert (time.sensed.early_draw, time.sensed.discard_before_draw) == ("", "wall, line 9")
    assert (wall.dead_tiles, wall.rule) == (8, "wall, line 11; wall, line 12")
    slow = fouls.ladders[FoulKind.DISCARD_OVER_LIMIT]
    assert (slow.policy, slow.lapses) == (AlertPolicy.RECORD_ONLY, False)
    assert fouls.ladders[FoulKind.HAND_TOTAL_OVER].started == Started(15, 20 * SECOND)
    late = fouls.ladders[FoulKind.LATE_PUNG]
    assert [str(one) for one in late.steps] == ["warning", "7-each", "3-player+no-hu", "choice"]
    assert [str(one) for one in late.choices] == ["20-each", "disqualified"]
    assert late.margin == SECOND / 2
    assert (fouls.overtime_sum and fouls.overtime_sum.above) == 40


def test_a_policy_of_the_event_leaves_the_rest_of_the_ladder_alone(tmp_path: Path) -> None:
    before = foul_rules(own_book(tmp_path)).ladders[FoulKind.EMPTY_CALL]
    after = foul_rules(own_book(tmp_path, 'alerts.empty-call = "auto"\n'))
    assert after.ladders[FoulKind.EMPTY_CALL] == replace(before, policy=AlertPolicy.AUTO)


def test_a_mistake_in_the_venues_own_book_is_told_with_its_file(tmp_path: Path) -> None:
    wrong = (
        FIFTH.replace("seconds = 30", "second = 30")
        .replace("steps = [5]", "steps = [5.5]")
        .replace('"no-hu", "withdrawn"]', '"no-huh"]')
        .replace("[fouls.early-draw]", "[fouls.early-drow]")
        .replace('rule = "wall, line 25"', 'rule = "decision:"')
    )
    with pytest.raises(SettingsError) as caught:
        own_book(tmp_path, book=wrong)
    source = "the book and article, or `decision:` and what was decided"
    told = [one.removeprefix(f"{tmp_path}/own.toml: ") for one in str(caught.value).splitlines()]
    assert told == [
        "time.first_discard.seconds is missing.",
        "time.first_discard.second is not known; did you mean seconds.",
        'powers.measures[0] is "no-huh", but must be one of those known; did you mean no-hu.',
        f"fouls.discard-over-limit.steps[0] is 5.5, but must be a sanction: {WRITTEN}.",
        "fouls.early-drow is not known; did you mean early-draw.",
        f'fouls.overtime-sum.rule is "decision:", but must be {source}.',
    ]


def test_a_book_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: cannot be read"):
        loaded(tmp_path, GOOD.replace("mcr-2014", "none.toml"))


def test_the_table_of_rules_marks_what_the_event_changes(tmp_path: Path) -> None:
    text = rules_table(
        own_book(
            tmp_path,
            "lease_seconds = 90\noverrides.turn_seconds = 8\nmargins.late-pung = 2\n"
            "overrides.steps.early-draw = [5]\noverrides.taken_from = 'at'\n",
        )
    )
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines[0] == "Rule set parlour-5: The rules on our wall"
    assert "first discard 30 s wall, line 1" in lines
    assert "* turn 8 s this event, instead of 7.5 s by wall, line 3" in lines
    assert "* taken from at this event, instead of after by wall, line 12" in lines
    assert "* early-draw 5 this event, instead of no-hu by wall, line 21" in lines
    assert "hand-total-over 15 for each 20 s begun; counted in the wall, line 18" in lines
    assert "alerts, discard-over-limit record_only wall, line 17" in lines
    assert "* alerts, late-pung auto, beyond 2 s this event" in lines
    assert "points, paid to nobody 5, 15 as above" in lines
    assert "an alert is kept for one 90 s this event" in lines
    assert "beep at the limit 300 ms default; no book says" in lines
    assert lines[-1] == "* changed by this event: 4"


def test_the_headings_of_the_table_come_in_the_order_of_play() -> None:
    groups = dict.fromkeys(rule.group for rule in rules_in_force(settings()))
    assert list(groups) == [
        "Limits",
        "Wall",
        "Calls and draws",
        "Fouls",
        "Alerts of what a table senses",
        "What a referee may impose",
        "What this event chooses",
    ]


def test_the_rules_in_force_tell_apart_what_the_event_sets_itself() -> None:
    event = settings(overrides={"turn_seconds": 8}, alerts={"late-pung": "auto"})
    assert [rule.name for rule in rules_in_force(event) if rule.own] == [
        "turn",
        "alerts, late-pung",
    ]
