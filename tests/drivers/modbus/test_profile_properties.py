"""Whatever becomes of a profile file: it is read, or one sentence at a line says why not."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.toml_lines import line_of, lines_of
from drivers.modbus.profile_file import profile_of, read_profile, shipped_profiles
from drivers.modbus.profile_layout import lay_out
from drivers.modbus.profile_report import report
from table.errors import SettingsError
from tests.drivers.modbus.profile_text import PROFILE

TEXTS = [PROFILE, *(file.read_text("utf-8") for file in shipped_profiles().values())]
SENTENCE = re.compile(r"sample\.toml:(\d+): \S.*\.", re.DOTALL)
VALUES = [
    "0", "1", "-1", "65536", "9" * 40, "0.1", "nan", "-inf", "true", '""', '"off"', '"{n}"',
    "[]", "[1, 8]", "[8, 1]", "[0, 255]", "{}", "{ off = 0 }", "{ a = { b = 1 } }",
    "1979-05-27", '"""\nx\n"""', "[[[[]]]]", '["in{n}", 3]',
]  # fmt: skip


def tried(text: str) -> None:
    """Read a text as a profile and tell it, or hold its complaints to their form."""
    try:
        profile = profile_of(text, "sample.toml")
    except SettingsError as error:
        for sentence in str(error).splitlines():
            found = SENTENCE.fullmatch(sentence)
            assert found, sentence
            assert 1 <= int(found[1]) <= len(text.splitlines()) + 1
    else:
        lay_out(profile)
        assert report(profile)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Return a profile of which a line is gone, doubled, moved or holds another value."""
    lines = draw(st.sampled_from(TEXTS)).splitlines()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["gone", "twice", "moved", "value", "word", "renamed"])):
            case "gone":
                del lines[at]
            case "twice":
                lines.insert(at, lines[at])
            case "moved":
                lines.insert(draw(st.integers(0, len(lines) - 1)), lines.pop(at))
            case "value":
                key = lines[at].partition(" = ")[0]
                lines[at] = f"{key} = {draw(st.sampled_from(VALUES))}"
            case "word":
                key, _, value = lines[at].partition(" = ")
                lines[at] = f"{key} = {draw(st.sampled_from(lines)).partition(' = ')[2] or value}"
            case _:
                lines[at] = lines[at].replace("{n}", "", 1) or lines[at].replace("n", "m", 1)
    return "\n".join(lines)


@given(damaged())
def test_a_damaged_profile_is_read_or_complained_of_at_a_line(text: str) -> None:
    tried(text)


@given(st.sampled_from(TEXTS), st.data())
def test_a_profile_cut_or_spattered_anywhere_is_no_traceback(
    text: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(text)))
    spatter = data.draw(st.text(max_size=8))
    tried(text[:at] + spatter + text[at + data.draw(st.integers(0, 3)) :])


@given(st.text(max_size=200))
def test_any_text_at_all_is_no_traceback(text: str) -> None:
    tried(text)


@given(content=st.binary(max_size=300))
def test_any_bytes_at_all_are_no_traceback(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = Path(tmp_path_factory.getbasetemp()) / "bytes.toml"
    file.write_bytes(content)

    with pytest.raises(SettingsError, match=r"bytes\.toml:\d+: "):
        read_profile(file)


def test_what_overwhelms_a_reader_of_toml_is_told_as_such() -> None:
    for text in ("x = " + "[" * 5000, "x = " + "9" * 5000, "x = " + "1." + "9" * 90_000):
        tried(text)


def test_lines_are_those_of_sections_keys_and_keys_within_braces() -> None:
    lines = lines_of(
        '# one\n[a."b{n}"]\nc = """\n[no]\n"""\nd = { e = [\n1,\n2 ] }\n\n[[f]]\ng.h = 1\n'
    )

    assert lines == {
        ("a", "b{n}"): 2,
        ("a", "b{n}", "c"): 3,
        ("a", "b{n}", "d"): 6,
        ("a", "b{n}", "d", "e"): 6,
        ("f",): 10,
        ("f", "g"): 11,
        ("f", "g", "h"): 11,
    }
    assert line_of(lines, ("a", "b{n}", "missing")) == 2
    assert line_of(lines, ("missing",)) == 1
