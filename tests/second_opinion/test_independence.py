"""The second opinion is a second one: it shares nothing with the core but the words."""

import ast
from pathlib import Path

FOLDER = Path(__file__).parent
ROOMS = {"board", "config", "controller", "drivers", "mqtt", "scoring", "simulator", "timing"}


def imported(module: str) -> set[str]:
    """Return every module that a module of the second opinion imports."""
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    named = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {*plain, *named}


def test_checker_and_amounts_reach_no_room_but_table() -> None:
    waiting, read = ["checker", "amounts"], set[str]()
    rooms: set[str] = set()
    while waiting:
        module = waiting.pop()
        read.add(module)
        for name in imported(module):
            first, _, last = name.partition(".second_opinion.")
            rooms.add(first.split(".")[0])
            waiting += [last] if last and last not in read else []

    assert len(read) > 5
    assert "table" in rooms
    assert not rooms & ROOMS
