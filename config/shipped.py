"""The rule sets that come with the program."""

from pathlib import Path

FOLDER = Path(__file__).with_name("rulesets")


def shipped() -> dict[str, Path]:
    """Return the file of each shipped rule set by its name."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.toml"))}


def is_path(named: str) -> bool:
    """Say whether a rule set is named by the path of the venue's own file."""
    return "/" in named or named.endswith(".toml")
