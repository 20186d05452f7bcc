"""The sections of docs/long.md, each written by the long test that measured it."""

import re
from pathlib import Path

FIGURES = Path(__file__).parents[2] / "docs" / "long.md"
_HEAD = "# Long figures\n\nWritten by `make long`.\n"


def write_section(title: str, text: str, figures: Path = FIGURES) -> None:
    """Put a section into the figures, in the place of what an earlier run wrote."""
    written = figures.read_text(encoding="utf-8") if figures.exists() else _HEAD
    section = f"\n## {title}\n\n{text.strip()}\n"
    there = re.compile(rf"\n## {re.escape(title)}\n.*?(?=\n## |\Z)", re.DOTALL)
    if there.search(written):
        written = there.sub(lambda _: section, written, count=1)
    else:
        written = written.rstrip("\n") + "\n" + section
    figures.write_text(written, encoding="utf-8")
