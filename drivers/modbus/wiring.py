"""Makes the table of modules that a configuration describes."""

from collections.abc import Mapping

from config.tables import ModbusTable
from config.tables import Module as ModuleSettings
from drivers.modbus.bus import Bus
from drivers.modbus.fitted import Fitted, Module
from drivers.modbus.profile import Profile
from drivers.modbus.profile_file import file_of, read_profile
from drivers.modbus.pulses import Place
from table.errors import SettingsError


class Profiles:
    """The profiles that tables name, each read once."""

    def __init__(self) -> None:
        self._read: dict[str, Profile | SettingsError] = {}

    def __getitem__(self, name: str) -> Profile:
        """Return the profile of a name or path.

        Raises:
            SettingsError: there is none, or a sentence for each thing that is wrong with it.
        """
        if name not in self._read:
            self._read[name] = _profile(name)
        found = self._read[name]
        if isinstance(found, SettingsError):
            raise SettingsError(str(found)) from found
        return found


def fitted(table: ModbusTable, profiles: Profiles, buses: Mapping[str, Bus]) -> Fitted:
    """Return the table whose wiring `drivers.modbus.wiring_checks` found sound.

    Raises:
        SettingsError: a profile cannot be read, or is wrong.
    """
    modules = {name: _module(one, profiles, buses) for name, one in table.modules.items()}
    functions = {name: place_of(place) for name, place in table.signals.items()}
    return Fitted(modules, functions, table.period)


def bus_of(module: ModuleSettings, buses: Mapping[str, object]) -> str | None:
    """Return the bus that a module is on; None where it must say so, and does not."""
    if module.bus is not None:
        return module.bus
    return next(iter(buses)) if len(buses) == 1 else None


def place_of(written: str) -> Place:
    """Return a signal of a module, for example of `seats.in1`."""
    module, _, signal = written.partition(".")
    return Place(module, signal)


def _module(module: ModuleSettings, profiles: Profiles, buses: Mapping[str, Bus]) -> Module:
    bus = bus_of(module, buses)
    if bus is None or bus not in buses:
        msg = f"there is no bus {bus}" if bus else "which bus a module is on is not said"
        raise SettingsError(msg)
    serial = module.expected_serial or ""
    return Module(buses[bus], profiles[module.profile], module.unit, serial)


def _profile(name: str) -> Profile | SettingsError:
    try:
        return read_profile(file_of(name))
    except SettingsError as error:
        return error
