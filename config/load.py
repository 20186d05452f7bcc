"""Reads the settings: the one place that opens the file and looks at the environment."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from config.complaints import complaints
from config.contradictions import contradictions
from config.environment import Document
from config.event import Event
from config.models import Settings
from config.rulesets import effective
from config.toml_file import read_toml
from scoring.rules import AlertPolicy
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
    if wrong := _unfitting(document, settings.event):
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


def _unfitting(document: Document, event: Event) -> list[str]:
    """Return a sentence for each value of the event that does not fit its rule set."""
    book = effective(event)
    wrong = [
        f"{document.file}: with the event's own values, {one}." for one in contradictions(book)
    ]
    for section in ("alerts", "margins"):
        wrong += [
            f"{document.place(('event', section, kind))}: event.{section}.{kind} is given, but"
            f" {event.ruleset} has no steps for it; event.overrides.steps may give some."
            for kind in sorted(set(getattr(event, section)) - set(book.fouls))
        ]
    wrong += [
        f"{document.place(('event', 'margins', kind))}: event.margins.{kind} is given, but its"
        f" alerts are {book.fouls[kind].policy}, not auto."
        for kind in sorted(set(event.margins) & set(book.fouls))
        if book.fouls[kind].policy is not AlertPolicy.AUTO
    ]
    return wrong
