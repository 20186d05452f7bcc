"""A rehearsal as lines for people and as JSON for programs, and what the manual shows of it."""

import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from config.load import playing_by
from controller.rehearsal import Rehearsal
from controller.rehearsal_report import report
from controller.script_file import script_of
from controller.table_rules import rules_of
from controller.wording import line, seconds
from mqtt.events import told as event_of
from table.moment import MICROSECOND
from table.script import read_script

DOCS = Path(__file__).parents[2] / "docs"
RULES = rules_of(playing_by("mcr-2014"))
HANDS = sorted((DOCS / "examples").glob("*.hand"), key=lambda file: file.stem)


def printed(file: Path) -> list[str]:
    return list(report(RULES, script_of(file), as_json=False))


def objects(file: Path) -> list[dict[str, Any]]:
    return [json.loads(one) for one in report(RULES, script_of(file), as_json=True)]


@pytest.mark.parametrize("file", HANDS, ids=lambda file: file.stem)
def test_json_says_the_same_as_the_lines(file: Path) -> None:
    *events, last = objects(file)
    told = [f"{seconds(one['at_us']):>10}  {line(one['kind'], one['data'])}" for one in events]
    totals = [f"    ledger  {who} {points:+}" for who, points in last["ledger"].items()]
    assert [*told, *totals] == printed(file)


@pytest.mark.parametrize("file", HANDS, ids=lambda file: file.stem)
def test_json_carries_every_event_of_the_contract(file: Path) -> None:
    wanted: list[dict[str, Any]] = []
    for happened in Rehearsal(RULES).play(script_of(file)):
        if (event := event_of(happened.effect)) is not None:
            at_us = happened.at // MICROSECOND
            wanted.append({"at_us": at_us, "kind": event.kind, "data": event.data})
    assert objects(file)[:-1] == wanted


def test_json_is_one_object_a_line_and_readable() -> None:
    lines = list(report(RULES, script_of(DOCS / "examples" / "late-pung.hand"), as_json=True))
    assert not any("\n" in one for one in lines)
    assert any("碰牌" in one for one in lines)


def test_a_warning_costs_nothing_and_is_in_the_ledger_all_the_same() -> None:
    script = read_script(
        "0 table deal-ended\n4 seat 1 discard\n8 seat 3 claim pung\n9 referee confirm last"
    )
    assert list(report(RULES, script, as_json=False))[-1] == "    ledger  t1-3 +0"


def test_lights_and_buzzers_are_for_the_table_alone() -> None:
    script = read_script("0 table deal-ended\n21 seat 1 discard")
    lines = [json.loads(one) for one in report(RULES, script, as_json=True)]
    kinds = {one["kind"] for one in lines if "kind" in one}
    assert "over-limit" in kinds
    assert not kinds & {"sound-buzzer", "set-lamp"}


def _shown() -> Iterator[list[str]]:
    """Find the blocks of the manual that follow the command, a block for each run of lines."""
    text = (DOCS / "rehearsal.md").read_text("utf-8")
    part = text.split("## Reading what comes out\n")[1].split("\n## ")[0]
    for is_block, lines in groupby(part.splitlines(), key=lambda one: one.startswith("    ")):
        if is_block:
            yield [one.removeprefix("    ") for one in lines]


def test_what_the_manual_shows_is_what_the_command_prints() -> None:
    (command,), output, (ledger,) = _shown()
    name = re.fullmatch(r"tablewarden rehearse docs/examples/(\S+)", command)
    assert name
    file = DOCS / "examples" / name[1]
    whole = "\n".join(printed(file))
    for run in "\n".join(output).split("\n…\n"):
        assert run in whole
    assert json.loads(ledger) == objects(file)[-1]
