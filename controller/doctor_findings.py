"""What the doctor says: one line for each thing looked at, in plain words; pure."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum


class Health(StrEnum):
    """How a thing is."""

    OK = "ok"
    WARNING = "warning"
    """It works, and will not for ever or not under load."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    check: str
    """What was looked at, in a word or two."""
    health: Health
    sentence: str
    advice: str = ""
    """What to do about it."""


def ok(check: str, sentence: str) -> Finding:
    """Say that a thing is as it should be."""
    return Finding(check, Health.OK, sentence)


def warning(check: str, sentence: str, advice: str) -> Finding:
    """Say that a thing will be trouble."""
    return Finding(check, Health.WARNING, sentence, advice)


def failed(check: str, sentence: str, advice: str) -> Finding:
    """Say that a thing is wrong."""
    return Finding(check, Health.FAILED, sentence, advice)


def all_well(findings: Iterable[Finding]) -> bool:
    """Say whether nothing is wrong."""
    return all(finding.health is not Health.FAILED for finding in findings)


def as_text(finding: Finding) -> str:
    """Return a finding as a line."""
    advice = f" To do: {finding.advice}." if finding.advice else ""
    end = "" if finding.sentence.endswith("?") else "."
    return f"{finding.health:<8} {finding.check}: {finding.sentence}{end}{advice}"


def as_json(findings: Iterable[Finding]) -> str:
    """Return all findings as one JSON object."""
    told = [*findings]
    content = {"well": all_well(told), "findings": [asdict(finding) for finding in told]}
    return json.dumps(content, ensure_ascii=False)
