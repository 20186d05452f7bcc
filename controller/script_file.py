"""Reads a written hand from its file."""

from pathlib import Path

from table.errors import ScriptError
from table.happening import ScriptLine
from table.script import read_script


def script_of(path: Path) -> tuple[ScriptLine, ...]:
    """Return the lines of a written hand.

    Raises:
        ScriptError: the file cannot be read, is no text, or has a line that cannot be played.
    """
    try:
        return read_script(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        message = f"line {number}: this is no text in UTF-8; save {path} as UTF-8"
        raise ScriptError(message) from error
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror}"
        raise ScriptError(message) from error
