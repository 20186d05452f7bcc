"""What the example scoreboards are made of."""

import ast

import pytest

from tests.interop.examples import EXAMPLES

MOST_LINES = 149
ROOMS = {
    "board",
    "config",
    "controller",
    "drivers",
    "mqtt",
    "scoring",
    "simulator",
    "table",
    "timing",
}


@pytest.mark.parametrize("name", ["scoreboard.py", "scoreboard.js", "scoreboard.html"])
def test_an_example_has_fewer_than_150_lines(name: str) -> None:
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()

    assert 0 < len(lines) <= MOST_LINES


def test_the_terminal_needs_nothing_of_ours_and_one_library() -> None:
    tree = ast.parse((EXAMPLES / "scoreboard.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {_module(node).partition(".")[0] for node in imports}

    assert "aiomqtt" in names
    assert names & ROOMS == set()


def _module(node: ast.Import | ast.ImportFrom) -> str:
    return (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name


def test_the_page_loads_two_scripts_from_beside_itself() -> None:
    page = (EXAMPLES / "scoreboard.html").read_text(encoding="utf-8")
    wanted = ("node_modules/mqtt/dist/mqtt.min.js", "scoreboard.js")

    assert [f'src="{path}"' in page for path in wanted] == [True, True]
    assert page.count("<script") == len(wanted)
