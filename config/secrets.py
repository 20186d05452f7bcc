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
        text = file.read_text("utf-8")
    except OSError as error:
        raise SettingsError(_unreadable(file, error)) from error
    except UnicodeDecodeError as error:
        msg = f"{file}: the secret is no text in UTF-8."
        raise SettingsError(msg) from error
    return _only_line(kept_secret(file), text)


def kept_secret(file: Path) -> Path:
    """Return a file that somebody else will read a secret from.

    Raises:
        SettingsError: it is not there, or everybody can read or change it.
    """
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
    except OSError as error:
        raise SettingsError(_unreadable(file, error)) from error
    if mode & stat.S_IRWXO:
        msg = f"{file}: mode is {mode:04o}, but others must have no access to a secret (chmod o=)."
        raise SettingsError(msg)
    return file


def _unreadable(file: Path, error: OSError) -> str:
    return f"{file}: the secret cannot be read: {error.strerror}."


def _only_line(file: Path, text: str) -> str:
    line = text.removesuffix("\n").removesuffix("\r")
    if not line or "\n" in line:
        msg = f"{file}: must hold the secret on one line and nothing else."
        raise SettingsError(msg)
    return line
