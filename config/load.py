"""Reads the settings: the one place that opens the file and looks at the environment."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from config.complaints import complaints
from config.environment import Document
from config.models import Settings
from config.rulesets import effective
from config.toml_file import read_toml
from table.errors import SettingsError


def load(path: Path, environ: Mapping[str, str]) -> Settings:
    """Return the settings of a file, with the variables of the environment put over them.

    `TABLEWARDEN__BROKER__HOST` stands in for `host` in `[broker]`, and
    `TABLEWARDEN__BROKER__LOGIN_FILE` names a file that holds the value of `login`.
    Paths are relative to the folder of the file.

    Raises:
        SettingsError: a sentence for each thing that is wrong in file, environment or rule set.
    """
    document = Document(path, read_toml(path))
    document.override(environ, Settings)
    settings = _checked(document)
    silent = set(settings.event.alerts) - set(effective(settings.event).fouls)
    wrong = [
        f"{document.place(('event', 'alerts', kind))}: event.alerts.{kind} is given, but"
        f" {settings.event.ruleset} has no steps for it; event.overrides.steps may give some."
        for kind in sorted(silent)
    ]
    if wrong:
        raise SettingsError("\n".join(wrong))
    return settings


def playing_by(ruleset: str) -> Settings:
    """Return the settings of no table and no node, for a rehearsal under a rule set.

    Raises:
        SettingsError: no rule set is named so.
    """
    content = {"node": {"id": "none", "venue": "none"}, "event": {"ruleset": ruleset}}
    try:
        return Settings.model_validate(content)
    except ValidationError as error:
        wrong = complaints(error, Settings, lambda _location: "--ruleset")
        raise SettingsError("\n".join(wrong)) from error


def _checked(document: Document) -> Settings:
    wrong = document.problems
    try:
        context = {"folder": document.file.absolute().parent}
        settings = Settings.model_validate(document.content, context=context)
    except ValidationError as error:
        wrong += complaints(error, Settings, document.place)
        raise SettingsError("\n".join(wrong)) from error
    if wrong:
        raise SettingsError("\n".join(wrong))
    return settings
