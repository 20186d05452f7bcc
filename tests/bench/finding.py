"""What a budget came to, and the page that says so."""

from dataclasses import dataclass

from tests.bench.facts import Facts

HEAD = """# Performance

Written by `make bench` from its own measurements; do not edit. Every figure stands beside a floor
or a peer that was measured on the same machine in the same run, because only ratios carry over to
other machines. Durations are in milliseconds.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One budget: what was promised, what was measured, and what misses it."""

    number: int
    """As in the list of budgets."""
    title: str
    goal: str
    beside: str
    """What the figures are held against, and how that was measured."""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    misses: tuple[str, ...] = ()
    """A sentence for each goal that was missed."""
    judged: bool = True
    """Whether there is a goal to be met or missed."""


def page(facts: Facts, findings: list[Finding]) -> str:
    """Return the whole of docs/performance.md."""
    parts = [HEAD, _summary(findings), _machine(facts), *map(_section, findings)]
    return "\n".join(parts)


def _summary(findings: list[Finding]) -> str:
    misses = [
        f"- Budget {finding.number}: {miss}" for finding in findings for miss in finding.misses
    ]
    said = "\n".join(misses) if misses else "Every goal measured here was met."
    return f"## What misses\n\n{said}\n"


def _machine(facts: Facts) -> str:
    rows = tuple((name, value) for name, value in facts.items())
    return f"## The machine\n\n{_table(('fact', 'value'), rows)}"


def _section(finding: Finding) -> str:
    return (
        f"## Budget {finding.number}: {finding.title}\n\n"
        f"Goal: {finding.goal}. **{_verdict(finding)}**\n\n"
        f"Beside it: {finding.beside}\n\n"
        f"{_table(finding.columns, finding.rows)}"
    )


def _verdict(finding: Finding) -> str:
    if not finding.judged:
        return "not judged"
    return "missed" if finding.misses else "met"


def _table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    lines = [columns, tuple("---" for _ in columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
