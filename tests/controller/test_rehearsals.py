"""The shipped rehearsals of every rule book: each goes exactly as it expects."""

from pathlib import Path

import pytest

from config.load import playing_by
from config.rulesets import foul_rules
from controller.rehearsal_check import unmet
from controller.script_file import hand_file_of
from controller.table_rules import rules_of

REHEARSALS = Path(__file__).parents[2] / "docs" / "examples" / "rehearsals"
FILES = sorted(REHEARSALS.glob("*/*.hand"))
BOOKS = sorted(folder.name for folder in REHEARSALS.iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_rehearsal_goes_exactly_as_it_expects(path: Path) -> None:
    file = hand_file_of(path)

    assert file.ruleset == path.parent.name
    assert file.expectations
    assert list(unmet(rules_of(playing_by(file.ruleset)), file)) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_rehearsal_says_first_where_its_rule_is_written(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]

    assert first.startswith((f"# {path.parent.name}", "# Decision"))


def test_every_shipped_book_is_rehearsed() -> None:
    shipped = Path(__file__).parents[2] / "config" / "rulesets"

    assert sorted(book.stem for book in shipped.glob("*.toml")) == BOOKS


@pytest.mark.parametrize("book", BOOKS)
def test_every_foul_of_a_book_is_rehearsed(book: str) -> None:
    fouls = set(map(str, foul_rules(playing_by(book)).ladders))
    said = {
        word
        for path in (REHEARSALS / book).glob("*.hand")
        for expectation in hand_file_of(path).expectations
        for word in expectation.words
    }

    assert fouls - said == set()
