"""Reads a written hand from its file."""

from pathlib import Path

from table.errors import ScriptError
from table.happening import HandFile, ScriptLine
from table.script import read_hand_file


def script_of(path: Path) -> tuple[ScriptLine, ...]:
    """Return what happens in a written hand.

    Raises:
        ScriptError: the file cannot be read, is no text, or has a line that cannot be played.
    """
    return hand_file_of(path).lines


def hand_file_of(path: Path) -> HandFile:
    """Return a written hand with its book and what it expects.

    Raises:
        ScriptError: the file cannot be read, is no text, or has a line that cannot be played.
    """
    try:
        return read_hand_file(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        message = f"line {number}: this is no text in UTF-8; save {path} as UTF-8"
        raise ScriptError(message) from error
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror}"
        raise ScriptError(message) from error
