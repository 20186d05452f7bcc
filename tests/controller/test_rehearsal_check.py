"""A hand file that says what it expects is a test by itself, and fails in clear sentences."""

from pathlib import Path

import pytest

from config.load import playing_by
from controller.command_line import FAILED, GOOD, USAGE, main
from controller.rehearsal_check import unmet
from controller.table_rules import rules_of
from table.errors import ScriptError
from table.script import read_hand_file

RULES = rules_of(playing_by("mcr-2014"))
LATE = """
0 referee start-hand
1 table deal-ended
3 seat 1 discard
6.4 seat 3 claim pung
"""


def sentences(text: str) -> list[str]:
    return [*unmet(RULES, read_hand_file(text))]


MET = [
    "6.3 expect window none",
    "4.5 expect window 1.5",
    "6.5 expect foul late-pung seat 3 after 3.4",
    "7 expect no foul",
    "7 expect alert last late-pung open seat 3 player t1-3 step 1 proposes warning imposed nothing",
    "7 expect no too-close",
    "7 expect turn 2",
    "7 expect phase turn",
    "7 expect clock seat 2 9.4",
    "7 expect clock seat 1 none",
    "7 expect total seat 2 none",
    "7 expect wall unknown",
    "7 expect thrower unknown",
    "7 expect winners nobody",
    "7 expect robbed nobody",
    "7 expect restriction seat 3 free",
    "7 expect stand-in seat 3 nobody",
    "7 expect extra-time 0",
    "7 expect no call",
    "7 expect ledger t1-3 0",
]
"""In order of time: each is true of the hand above, seat 2 being on turn from 6.0 on."""


def test_a_hand_that_went_as_expected_has_nothing_to_say() -> None:
    lines = sorted([*LATE.split("\n")[1:-1], *MET], key=lambda line: float(line.split()[0]))
    assert sentences("\n".join(lines)) == []


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("7 expect turn 3", "line 7: expected turn 3, but it is seat 2"),
        ("7 expect turn nobody", "line 7: expected turn nobody, but it is seat 2"),
        ("7 expect phase over", "line 7: expected phase over, but the phase is turn"),
        (
            "7 expect foul late-pung seat 4",
            ("line 7: expected foul late-pung seat 4, but no foul came that is not named"),
        ),
        (
            "7 expect alert last waived",
            "line 7: expected alert last waived, but it is open",
        ),
        (
            "7 expect alert last proposes 5",
            "line 7: expected alert last proposes 5, but it proposes warning",
        ),
        (
            "7 expect alert t1-9-f1 open",
            "line 7: expected alert t1-9-f1 open, but there is no such alert",
        ),
        ("7 expect no alert", "line 7: expected no alert, but undecided are t1-1-f1"),
        ("7 expect ledger t1-3 -5", "line 7: expected ledger t1-3 -5, but t1-3 has +0"),
        (
            "7 expect clock seat 2 8.5",
            "line 7: expected clock seat 2 8.5, but it runs at 9.400 s",
        ),
        (
            "7 expect clock seat 3 8.5",
            "line 7: expected clock seat 3 8.5, but there is no clock",
        ),
        (
            "7 expect result draw",
            "line 7: expected result draw, but the result is open: no hand has ended",
        ),
        ("7 expect winners 2", "line 7: expected winners 2, but it is nobody"),
        (
            "7 expect wall seat 1 stack 4",
            "line 7: expected wall seat 1 stack 4, but it is unknown",
        ),
        (
            "7 expect dealt seat 1 tile 1 at seat 1 stack 1 upper",
            (
                "line 7: expected dealt seat 1 tile 1 at seat 1 stack 1 upper,"
                " but nobody knows where the wall is broken"
            ),
        ),
    ],
)
def test_an_unmet_expectation_says_what_is_the_case_instead(line: str, sentence: str) -> None:
    assert sentences(f"{LATE}6.5 expect foul late-pung seat 3\n{line}") == [sentence]


def test_who_waits_for_the_referee_can_be_expected() -> None:
    said = "0 seat 2 hold claim\n1.5 expect {}\n2 referee answer-call 2\n2.5 expect {}"
    assert sentences(said.format("call seat 2", "no call")) == []
    assert sentences(said.format("no call", "call seat 2")) == [
        "line 2: expected no call, but seat 2 waits",
        "line 4: expected call seat 2, but waiting is nobody",
    ]


def test_a_foul_that_nothing_expects_is_told() -> None:
    assert sentences(LATE + "7 expect turn 2") == [
        "no line expects foul late-pung seat 3 at 6.480, 3.399 to 3.401 s"
    ]


def test_one_foul_meets_one_expectation_only() -> None:
    twice = LATE + "7 expect foul late-pung seat 3\n7 expect foul late-pung seat 3"
    assert sentences(twice) == [
        "line 7: expected foul late-pung seat 3, but no foul came that is not named"
    ]


def test_a_foul_is_not_expected_with_another_time_taken() -> None:
    assert sentences(LATE + "7 expect foul late-pung seat 3 after 3.5") == [
        (
            "line 6: expected foul late-pung seat 3 after 3.5,"
            " but only this came: foul late-pung seat 3 at 6.480, 3.399 to 3.401 s"
        ),
        "no line expects foul late-pung seat 3 at 6.480, 3.399 to 3.401 s",
    ]


def test_a_refusal_that_nothing_expects_is_told_with_its_reason() -> None:
    (sentence,) = sentences("0 referee withdraw-hu\n1 expect phase idle")
    assert sentence.startswith("no line expects refused wrong-phase at 0.000 (")
    assert sentences("0 referee withdraw-hu\n1 expect refused wrong-phase") == []


def test_an_expectation_sees_everything_of_its_own_second() -> None:
    assert sentences("0 expect phase arranging\n0 referee start-hand") == []


def test_a_hand_without_expectations_checks_nothing_and_says_so() -> None:
    assert sentences("0 referee start-hand") == ["no line says what is expected"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("expect fool late-pung seat 3", "line 3: 'fool' is not what is expected; allowed: foul,"),
        ("expect foul late-pong seat 3", "line 3: 'late-pong' is not a foul; allowed: "),
        ("expect turn 5", "line 3: '5' is not a seat; allowed: 1 to 4"),
        ("expect turn 2 now", "line 3: 'now' is one word too many"),
        ("expect alert last", "line 3: ends where what is said of the alert ("),
        ("expect clock seat 1 soon", "line 3: 'soon' is not what is left, or none; allowed: "),
        ("expect", "line 3: ends where what is expected ("),
    ],
)
def test_an_expectation_that_means_nothing_is_named_before_anything_is_played(
    line: str, sentence: str
) -> None:
    with pytest.raises(ScriptError) as told:
        sentences(f"0 referee start-hand\n# comment\n1 {line}")
    assert str(told.value).startswith(sentence)


def test_the_command_ends_with_one_where_an_expectation_is_unmet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.hand", tmp_path / "bad.hand"
    good.write_text("rules mcr-2014\n0 referee start-hand\n1 expect phase arranging")
    bad.write_text("0 referee start-hand\n1 expect phase over")
    assert main(["rehearse", "--check", str(good), str(bad)]) == FAILED
    assert capsys.readouterr().out.splitlines() == [
        f"{good}: all 1 expectations met",
        f"{bad}: line 2: expected phase over, but the phase is arranging",
    ]
    assert main(["rehearse", "--check", str(good)]) == GOOD


def test_a_hand_is_played_by_the_book_it_names_unless_the_command_names_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = tmp_path / "slow.hand"
    hand.write_text("rules wsom-2010\n0 table deal-ended\n24 seat 1 discard\n25 expect no foul")
    assert main(["rehearse", "--check", str(hand)]) == GOOD
    assert main(["rehearse", "--check", "--ruleset", "mcr-2014", str(hand)]) == FAILED
    assert "discard-over-limit seat 1" in capsys.readouterr().out


def test_what_is_expected_badly_is_a_mistake_of_usage(tmp_path: Path) -> None:
    hand = tmp_path / "bad.hand"
    hand.write_text("0 referee start-hand\n1 expect luck")
    assert main(["rehearse", "--check", str(hand)]) == USAGE
