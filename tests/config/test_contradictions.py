import re
from pathlib import Path

import pytest

from config.rulesets import read_rule_set
from table.errors import SettingsError
from tests.config.fifth import FIFTH, saved_book


def refused(folder: Path, book: str) -> list[str]:
    """Return what is said about a book, without its file."""
    file = saved_book(folder, book)
    with pytest.raises(SettingsError) as caught:
        read_rule_set(file)
    return [line.removeprefix(f"{file}: ") for line in str(caught.value).splitlines()]


def without(section: str) -> str:
    """Return the fifth book without a section, or without a line that begins so."""
    start = FIFTH.index(section)
    end = FIFTH.find("\n\n" if section.startswith("[") else "\n", start)
    return FIFTH[:start] + FIFTH[end:]


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("[fouls.discard-over-limit]", "time.turn sets a limit, but fouls.discard-over-limit is"),
        ("[fouls.hand-total-over]", "time.hand_total is given, but fouls.hand-total-over is miss"),
        ("hand_total", "fouls.hand-total-over is given, but time.hand_total is missing."),
        ("[fouls.late-pung]", "time.call_window is given, but fouls.late-pung is missing."),
        ("call_window", "time.late_call_stands is given, but without time.call_window no call is"),
        ("late_call_stands", "time.call_window is given, but time.late_call_stands is missing."),
        ("[fouls.discard-before-draw]", "sensed.discard_before_draw is to be seen, but fouls.di"),
        ("discard_before_draw", "fouls.discard-before-draw is given, but sensed.discard_before_d"),
        ("early_draw", "fouls.early-draw is given, but sensed.early_draw is missing, which says"),
        ("[fouls.empty-call]", "sensed.empty_calls is to be seen, but fouls.empty-call is missing"),
        ("empty_calls", "fouls.empty-call is given, but sensed.empty_calls is missing, which says"),
        ("[overtime_sum]", "fouls.overtime-sum is given, but overtime_sum is missing."),
        ('policy_rule = "wall, line 20"', "fouls.late-pung.policy_rule is missing, the source of"),
        ("each = [7]", "powers.each is missing."),
    ],
)
def test_what_belongs_together_comes_together(tmp_path: Path, missing: str, said: str) -> None:
    told = refused(tmp_path, without(missing))
    assert any(line.startswith(said) for line in told), told


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        (
            "opening_flowers = { value = true",
            "opening_flowers = { value = false",
            (
                "time.first_starts is last-flower, but by time.opening_flowers no flower is"
                " replaced before the first discard."
            ),
        ),
        (
            "flowers_at_most = { value = 4",
            "flowers_at_most = { value = 0",
            (
                "time.opening_flowers is true, but time.flowers_at_most is 0.\n"
                "time.flower_restarts is true, but time.flowers_at_most is 0."
            ),
        ),
        (
            "kong_restarts = { value = false",
            "kong_restarts = { value = true",
            "time.kong_restarts is true, but time.kongs_at_most is 0.",
        ),
        (
            "hand_total = { seconds = 90",
            "hand_total = { seconds = 29.999",
            (
                "time.hand_total is 29.999 s, less than the 30 s of time.first_discard, so one"
                " discard in time would break it."
            ),
        ),
        (
            "dead_tiles = { value = 8",
            "dead_tiles = { value = 83",
            "wall.dead_tiles is 83, but of 136 tiles only 83 are left after the deal.",
        ),
        (
            "seconds = 12.5",
            "seconds = 0",
            (
                "time.untimed_opening.seconds is 0, but must be a number of seconds, from 1 ms to"
                " 600 s, in whole microseconds."
            ),
        ),
        (
            'kinds = ["late-pung"',
            'kinds = ["phone-rang"',
            "overtime_sum.kinds names phone-rang, but fouls.phone-rang is missing.",
        ),
        (
            'kinds = ["late-pung"',
            'kinds = ["overtime-sum"',
            "overtime_sum.kinds names overtime-sum itself.",
        ),
        (
            'kinds = ["late-pung", "hand-total-over"]',
            "kinds = []",
            "overtime_sum.kinds is [], but must be a list of at least one.",
        ),
        (
            "started = { points = 15, seconds = 20 }",
            "started = { points = 10, seconds = 20 }",
            "fouls.hand-total-over.started.points is 10, not among powers.points.",
        ),
        (
            "started = { points = 15, seconds = 20 }",
            "started = { seconds = 20 }",
            "fouls.hand-total-over.started.points is missing.",
        ),
        (
            "started = { points = 15, seconds = 20 }",
            "steps = [5]\nstarted = { points = 15, seconds = 20 }",
            "fouls.hand-total-over must have either steps or started.",
        ),
        (
            "started = { points = 15, seconds = 20 }",
            "",
            "fouls.hand-total-over must have either steps or started.",
        ),
        (
            'title = "Empty chow"\nsteps = ["warning"]',
            'title = "Empty chow"\nstarted = { points = 5, seconds = 20 }',
            "fouls.empty-call.started is given, but nothing is measured for this kind.",
        ),
        (
            'policy = "on_claim"',
            'policy = "on_claim"\nmargin_seconds = 1',
            "fouls.empty-call.margin_seconds is given, but nothing is measured for this kind.",
        ),
        (
            '"3-player+no-hu", "choice"]',
            '"choice", "choice"]',
            "fouls.late-pung.steps: choice is only the last step, as the referee then decides.",
        ),
        (
            '"20-each", "disqualified"]',
            '"20-each", "choice"]',
            "fouls.late-pung.choices: choice itself is nothing to choose.",
        ),
        (
            '"20-each", "disqualified"]',
            '"20-each", "20-each"]',
            (
                'fouls.late-pung.choices is ["20-each", "20-each"], but must be a list in which'
                " nothing stands twice."
            ),
        ),
        (
            '"3-player+no-hu"',
            '"3-player+mechanical"',
            (
                "fouls.late-pung.steps: 3-player+mechanical is neither within [powers] nor among"
                " its choices."
            ),
        ),
        (
            '"7-each"',
            '"8-each"',
            ("fouls.late-pung.steps: 8-each is neither within [powers] nor among its choices."),
        ),
        (
            "warning = true",
            "warning = false",
            (
                "fouls.late-pung.steps: warning is neither within [powers] nor among its choices.\n"
                "fouls.empty-call.steps: warning is neither within [powers] nor among its choices."
            ),
        ),
    ],
)
def test_what_contradicts_itself_is_refused(
    tmp_path: Path, right: str, wrong: str, said: str
) -> None:
    assert right in FIFTH
    assert refused(tmp_path, FIFTH.replace(right, wrong)) == said.split("\n")


def test_a_sum_needs_its_foul(tmp_path: Path) -> None:
    book = re.sub(r"\[fouls.overtime-sum\].*", "", FIFTH, flags=re.DOTALL)
    assert refused(tmp_path, book) == ["overtime_sum is given, but fouls.overtime-sum is missing."]
