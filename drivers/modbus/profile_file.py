"""Reads the profile of a module from a TOML file and says at which line it is wrong."""

import re
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from config.complaints import Location, complaints, similar
from config.shipped import is_path
from config.toml_lines import line_of, lines_of
from drivers.modbus.profile import Profile
from drivers.modbus.profile_checks import contradictions
from table.errors import SettingsError

FOLDER = Path(__file__).with_name("profiles")
LARGEST = 100_000
"""Bytes of the largest file that is read; the longest shipped one has a tenth of it."""


def shipped_profiles() -> dict[str, Path]:
    """Return the file of each profile that comes with the program, by its id."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.toml"))}


def file_of(name: str) -> Path:
    """Return the file that is meant: a path, or the id of a profile that comes with the program.

    Raises:
        SettingsError: it is neither.
    """
    shipped = shipped_profiles()
    if is_path(name) or Path(name).is_file():
        return Path(name)
    if name not in shipped:
        msg = f"{name}: is neither a file nor a shipped profile; {similar(name, list(shipped))}."
        raise SettingsError(msg)
    return shipped[name]


def read_profile(file: Path) -> Profile:
    """Return a profile that is whole and does not contradict itself.

    Raises:
        SettingsError: a sentence with file and line for each thing that is wrong.
    """
    return profile_of(_text(file), str(file))


def profile_of(text: str, file: str) -> Profile:
    """Return the profile in a text; `file` is what its complaints name.

    Raises:
        SettingsError: a sentence with file and line for each thing that is wrong.
    """
    content = _parsed(text, file)
    lines = lines_of(text)

    def place(location: Location) -> str:
        return f"{file}:{line_of(lines, tuple(map(str, location)))}"

    try:
        profile = Profile.model_validate(content)
    except ValidationError as error:
        wrong = _in_order(complaints(error, Profile, place))
        raise SettingsError("\n".join(wrong)) from error
    if wrong := [f"{place(one.at)}: {one.sentence}." for one in contradictions(profile)]:
        raise SettingsError("\n".join(_in_order(wrong)))
    return profile


def _text(file: Path) -> str:
    try:
        content = file.read_bytes()
    except OSError as error:
        msg = f"{file}: cannot be read: {error.strerror}."
        raise SettingsError(msg) from error
    if len(content) > LARGEST:
        msg = f"{file}: has {len(content)} bytes; a profile has at most {LARGEST}."
        raise SettingsError(msg)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        msg = f"{file}:{line}: is no text in UTF-8."
        raise SettingsError(msg) from error


def _parsed(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        line, reason = _syntax(str(error), text)
        msg = f"{file}:{line}: is no TOML: {reason}."
        raise SettingsError(msg) from error
    except (ValueError, ArithmeticError, RecursionError) as error:
        msg = f"{file}:1: is no TOML: a number is too long or lists are nested too deep."
        raise SettingsError(msg) from error


def _syntax(message: str, text: str) -> tuple[int, str]:
    """Return line and reason of the parser's complaint."""
    known = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", message, re.DOTALL)
    if known:
        return int(known[2]), known[1]
    return len(text.splitlines()) or 1, message.removesuffix(" (at end of document)")


def _in_order(sentences: list[str]) -> list[str]:
    """Return each sentence once, those of the first lines first."""
    return sorted(dict.fromkeys(sentences), key=_line)


def _line(sentence: str) -> int:
    number = re.search(r":(\d+): ", sentence)
    return int(number[1]) if number else 0
