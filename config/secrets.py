"""Reads secrets, which stand in files of their own and nowhere else."""

import stat
from pathlib import Path

from table.errors import SettingsError


def read_secret(file: Path) -> str:
    """Return the secret that a file holds on its only line.

    Raises:
        SettingsError: the file cannot be read, everybody can read or change it, or it does not
            hold one line.
    """
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
        text = file.read_text("utf-8")
    except OSError as error:
        msg = f"{file}: the secret cannot be read: {error.strerror}."
        raise SettingsError(msg) from error
    except UnicodeDecodeError as error:
        msg = f"{file}: the secret is no text in UTF-8."
        raise SettingsError(msg) from error
    if mode & stat.S_IRWXO:
        msg = f"{file}: mode is {mode:04o}, but others must have no access to a secret (chmod o=)."
        raise SettingsError(msg)
    return _only_line(file, text)


def _only_line(file: Path, text: str) -> str:
    line = text.removesuffix("\n").removesuffix("\r")
    if not line or "\n" in line:
        msg = f"{file}: must hold the secret on one line and nothing else."
        raise SettingsError(msg)
    return line
