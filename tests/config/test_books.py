"""Every shipped book, and the made-up fifth one, through the same tests."""

import re
from pathlib import Path

import pytest

from config.columns import width
from config.load import playing_by
from config.models import Settings
from config.rules_table import rules_in_force, rules_table
from config.rulesets import foul_rules, read_rule_set, time_rules
from config.shipped import shipped
from table.errors import SettingsError
from table.fouls import FoulKind
from table.restrictions import restricted_by
from table.sanctions import Measure, SanctionKind, read_sanction
from tests.config.fifth import FIFTH, saved_book

BOOKS = (*shipped(), "the fifth")


def named(book: str, folder: Path) -> str:
    """Return how a configuration names a book."""
    return saved_book(folder) if book == "the fifth" else book


def text_of(book: str) -> str:
    return FIFTH if book == "the fifth" else shipped()[book].read_text("utf-8")


@pytest.fixture(params=BOOKS)
def book(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def settings(book: str, tmp_path: Path) -> Settings:
    return playing_by(named(book, tmp_path))


def test_the_four_books_are_shipped() -> None:
    assert list(shipped()) == ["gb-1998", "jingji-2012", "mcr-2014", "wsom-2010"]


def test_a_value_without_its_source_is_refused(book: str, tmp_path: Path) -> None:
    text = text_of(book)
    sources = list(re.finditer(r'(?<!policy_)rule = "[^"]*"', text))
    assert len(sources) > 20
    for source in sources:
        before = text[: source.start()].rstrip().removesuffix(",")
        with pytest.raises(SettingsError, match=r"rule is missing\.$"):
            read_rule_set(saved_book(tmp_path, before + text[source.end() :]))


def test_a_source_is_an_article_of_the_book_or_a_decision(book: str, settings: Settings) -> None:
    mine = "wall, " if book == "the fifth" else f"{book} "
    allowed = (mine, "decision: ", "the book sets none", "default", "as above")
    for rule in rules_in_force(settings):
        assert rule.source.startswith(allowed), rule


def test_what_a_book_times_or_senses_has_a_ladder(settings: Settings) -> None:
    time, ladders = time_rules(settings), foul_rules(settings).ladders
    given = {
        FoulKind.DISCARD_OVER_LIMIT: True,
        FoulKind.LATE_PUNG: time.call_window is not None,
        FoulKind.HAND_TOTAL_OVER: time.hand_total is not None,
        FoulKind.DISCARD_BEFORE_DRAW: bool(time.sensed.discard_before_draw),
        FoulKind.EMPTY_CALL: bool(time.sensed.empty_call),
    }
    assert {kind: kind in ladders for kind in given} == given
    assert not time.sensed.early_draw or FoulKind.EARLY_DRAW in ladders


def test_every_step_is_within_the_powers_or_the_choices(settings: Settings) -> None:
    fouls = foul_rules(settings)
    amounts = {
        SanctionKind.POINTS: fouls.powers.points,
        SanctionKind.PAY_EACH: fouls.powers.each,
        SanctionKind.PAY_PLAYER: fouls.powers.player,
    }
    for ladder in fouls.ladders.values():
        for step in set(ladder.steps) - set(ladder.choices):
            assert step.points in amounts.get(step.kind, (0,))
            assert set(step.measures) <= fouls.powers.measures


def test_a_sanction_is_read_back_as_it_is_written(settings: Settings) -> None:
    for ladder in foul_rules(settings).ladders.values():
        for step in (*ladder.steps, *ladder.choices):
            assert read_sanction(str(step)) == step


def test_a_foul_has_a_short_title_of_its_own(settings: Settings) -> None:
    titles = [ladder.title for ladder in foul_rules(settings).ladders.values()]
    assert len(set(titles)) == len(titles)
    assert all(title[0].isupper() and len(title) <= 65 for title in titles)
    assert all(title.isascii() and not title.endswith(".") for title in titles)


def test_a_referee_who_must_choose_is_offered_something(settings: Settings) -> None:
    for kind, ladder in foul_rules(settings).ladders.items():
        if "choice" in map(str, ladder.steps):
            assert ladder.choices, kind


def test_the_rules_are_printed_with_all_their_sources(settings: Settings) -> None:
    text = rules_table(settings)
    assert max(map(width, text.splitlines())) <= 140
    words = text.split()
    for rule in rules_in_force(settings):
        assert set(rule.source.split()) <= set(words)
        assert set(rule.value.split()) <= set(words)
    assert text.endswith("* changed by this event: 0")


def test_a_player_who_is_out_plays_no_more_in_any_book(settings: Settings) -> None:
    for ladder in foul_rules(settings).ladders.values():
        for step in ladder.steps:
            if Measure.OUT_FOR_SESSION in step.measures or Measure.WITHDRAWN in step.measures:
                assert restricted_by(step.measures).out
