import pytest

from table.printable import printable


@pytest.mark.parametrize("text", ["", "Referee A", "庄 'x' \\ {}", "碰牌"])
def test_what_can_be_shown_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\nb", r"a\nb"), ("\x1b[2J", r"\x1b[2J"), ("\u202ecba", r"\u202ecba"), ("\x00", r"\x00")],
)
def test_what_moves_a_cursor_or_hides_a_word_is_written_as_its_code(text: str, shown: str) -> None:
    assert printable(text) == shown
