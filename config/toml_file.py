"""Reads a TOML file without losing a digit."""

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

from table.errors import SettingsError


def read_toml(path: Path) -> dict[str, Any]:
    """Return what the file holds; numbers with a point stay decimal.

    Raises:
        SettingsError: the file cannot be read or is no TOML.
    """
    try:
        return tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
    except OSError as error:
        msg = f"{path}: cannot be read: {error.strerror}."
        raise SettingsError(msg) from error
    except UnicodeDecodeError as error:
        msg = f"{path}: is no text in UTF-8 (byte {error.start})."
        raise SettingsError(msg) from error
    except tomllib.TOMLDecodeError as error:
        msg = f"{path}: is no TOML: {error}."
        raise SettingsError(msg) from error
