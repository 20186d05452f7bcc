"""Whether the buses are set as their modules come: who differs must have been set by somebody."""

from config.models import Settings
from config.tables import ModbusTable
from drivers.modbus.profile_report_words import character_words
from drivers.modbus.wiring import Profiles, bus_of


def other_line_settings(settings: Settings) -> list[str]:
    """Return a sentence for each bus and kind of module that comes set otherwise.

    Raises:
        SettingsError: a profile cannot be read, or is wrong.
    """
    profiles = Profiles()
    told: dict[tuple[str, str], str] = {}
    for table, wired in settings.tables.items():
        for name, module in wired.modules.items() if isinstance(wired, ModbusTable) else ():
            bus = bus_of(module, settings.buses)
            if bus is None or not settings.buses[bus].serial:
                continue
            profile, line = profiles[module.profile], settings.buses[bus]
            here = character_words(line.baudrate or 0, line.parity, line.stop_bits)
            comes = character_words(
                profile.link.baud, profile.link.parity.value, profile.link.stop_bits
            )
            if here != comes:
                kind = profile.header.id
                sentence = (
                    f"bus {bus} is set to {here}, but {kind} (module {name} of table {table})"
                    f" comes with {comes}: a module that was not set anew will not answer."
                )
                told.setdefault((bus, kind), sentence)
    return [*told.values()]
