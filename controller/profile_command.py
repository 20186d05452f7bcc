"""What `tablewarden profile` does: reads profiles of modules and tells them in plain words."""

from drivers.modbus.profile_file import file_of, read_profile
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
