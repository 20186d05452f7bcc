"""Makes the table of modules that a configuration describes."""

from collections.abc import Mapping

from config.tables import ModbusTable
from config.tables import Module as ModuleSettings
from drivers.modbus.bus import Bus
from drivers.modbus.fitted import Fitted, Module
from drivers.modbus.profile_file import file_of, read_profile
from drivers.modbus.pulses import Place


def fitted(table: ModbusTable, buses: Mapping[str, Bus]) -> Fitted:
    """Return the table whose wiring `drivers.modbus.wiring_checks` found sound.

    Raises:
        SettingsError: a profile cannot be read, or is wrong.
    """
    modules = {name: _module(module, buses) for name, module in table.modules.items()}
    functions = {name: Place(*place.split(".")) for name, place in table.signals.items()}
    return Fitted(modules, functions, table.period)


def _module(module: ModuleSettings, buses: Mapping[str, Bus]) -> Module:
    bus = buses[module.bus] if module.bus else next(iter(buses.values()))
    return Module(bus, read_profile(file_of(module.profile)), module.unit)
