"""Configurations as text, and loading them from real files."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from config.load import load
from config.models import Settings
from table.errors import SettingsError

GOOD = """
[node]
id = "hall-a"
venue = "riverside"

[event]
ruleset = "mcr-2014"

[tables.t1]
wire = "serial-link"
port = "/dev/ttyS1"
"""


def saved(folder: Path, text: str) -> Path:
    """Write a configuration into a file."""
    file = folder / "tablewarden.toml"
    file.write_text(text, "utf-8")
    return file


def loaded(folder: Path, text: str = GOOD, environ: Mapping[str, str] | None = None) -> Settings:
    """Load a configuration from a file and an environment."""
    return load(saved(folder, text), environ or {})


def complaint(folder: Path, text: str, environ: Mapping[str, str] | None = None) -> str:
    """Return what is said about a wrong configuration, with the file's folder left out."""
    with pytest.raises(SettingsError) as caught:
        loaded(folder, text, environ)
    return str(caught.value).replace(f"{folder}/", "")
