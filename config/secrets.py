"""Reads secrets, from files only."""

import stat
from pathlib import Path

from table.errors import SettingsError


def read_secret(file: Path) -> str:
    """Return the content of a file without the line end.

    Raises:
        SettingsError: it cannot be read, everybody can read it, or it is empty.
    """
    try:
        mode = file.stat().st_mode
        secret = file.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{file}: cannot be read: {error}"
        raise SettingsError(message) from error
    if mode & stat.S_IROTH:
        message = f"{file}: everybody can read this secret; allowed: chmod 640 or stricter"
        raise SettingsError(message)
    if not secret:
        message = f"{file}: is empty; it must hold the password"
        raise SettingsError(message)
    return secret
