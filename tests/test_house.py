"""The papers of the house agree with the house: links, the walk, the decisions, the locks."""

import re
from pathlib import Path

import pytest

from config.models import Event, Node, Settings
from controller.rehearsal import Rehearsal
from controller.table_rules import rules_of
from table.fouls import FoulSeen
from table.script import read_script
from table.seat import Seat

ROOT = Path(__file__).parents[1]
PAPERS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
DECISIONS = sorted((ROOT / "docs" / "adr").glob("*.md"))
WALK = ROOT / "docs" / "walk.md"
LOCKS = [ROOT / "requirements.lock", ROOT / "requirements-dev.lock"]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def pinned(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+) \\$", read(lock), re.MULTILINE))


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.name)
def test_every_link_to_a_file_of_ours_leads_somewhere(paper: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", read(paper))
    ours = [link for link in links if "://" not in link]

    assert [link for link in ours if not (paper.parent / link).exists()] == []


def test_every_file_the_walk_names_is_there() -> None:
    named = set(re.findall(r"[\w/]+\.py\b", read(WALK)))
    modules = {str(path.relative_to(ROOT)) for path in ROOT.glob("[a-z]*/**/*.py")}

    missing = [name for name in named if not any(f"/{one}".endswith(f"/{name}") for one in modules)]

    assert missing == []


def test_the_hand_of_the_walk_ends_as_the_walk_says() -> None:
    settings = Settings(node=Node(id="n1", venue="v1"), event=Event(ruleset="mcr-2014"))
    script = re.search(r"```\n(0 .*?)```", read(WALK), re.DOTALL)
    assert script

    played = Rehearsal(rules_of(settings)).play(read_script(script[1]))

    (foul,) = [each.effect for each in played if isinstance(each.effect, FoulSeen)]
    measured = foul.measured
    assert measured is not None
    assert (foul.seat, foul.presumed) == (Seat.TWO, True)
    assert (measured.least.total_seconds(), measured.most.total_seconds()) == (13.599, 13.601)
    assert "13.599 and 13.601 s" in read(WALK)


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda path: path.name[:4])
def test_a_decision_is_numbered_and_says_why_what_and_at_what_price(decision: Path) -> None:
    number = DECISIONS.index(decision) + 1
    text = read(decision)

    assert decision.name.startswith(f"{number:04d}-")
    assert text.startswith(f"# {number}. ")
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]
    assert re.search(r"^Date: \d{4}-\d\d-\d\d$", text, re.MULTILINE)
    assert re.search(r"^Status: \w+", text, re.MULTILINE)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.name)
def test_every_make_target_that_is_named_exists(paper: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", read(ROOT / "Makefile"), re.MULTILINE))

    assert set(re.findall(r"(?:^    |`)make ([a-z]+)", read(paper), re.MULTILINE)) <= targets


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_pins_everything_by_hash_and_names_no_host(lock: Path) -> None:
    text = read(lock)

    assert text.count("==") == len(pinned(lock)) > 0
    assert len(re.findall(r"== ?\S+ \\\n    --hash=sha256:", text)) == len(pinned(lock))
    assert "://" not in text


def test_what_the_demo_runs_on_is_what_is_tested() -> None:
    small, whole = map(pinned, LOCKS)

    assert small.items() <= whole.items()


def test_every_proof_that_a_paper_names_is_there() -> None:
    named = {
        proof
        for paper in PAPERS
        for proof in re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", read(paper))
    }

    missing = [
        (path, test)
        for path, test in named
        if not (ROOT / path).exists() or not re.search(rf"def {test}\b", read(ROOT / path))
    ]

    assert named
    assert missing == []
