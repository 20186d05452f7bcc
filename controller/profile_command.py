"""What `tablewarden profile` does: reads profiles of modules and tells them in plain words."""

from pathlib import Path

from config.complaints import similar
from config.shipped import is_path
from drivers.modbus.profile_file import read_profile, shipped_profiles
from drivers.modbus.profile_report import report
from table.errors import SettingsError


def told(wanted: list[str]) -> tuple[list[str], list[str]]:
    """Return the profiles that are good, in plain words, and a sentence for each thing wrong."""
    good: list[str] = []
    wrong: list[str] = []
    for name in wanted:
        try:
            good.append(report(read_profile(file_of(name))))
        except SettingsError as error:
            wrong += str(error).splitlines()
    return good, wrong


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
