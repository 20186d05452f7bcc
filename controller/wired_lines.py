"""The lines of a node as `tablewarden doctor` and `tablewarden wire` look at them."""

from dataclasses import dataclass, field

from config.models import Settings
from config.tables import ModbusTable, SerialLinkTable
from drivers.modbus.bus import Bus
from drivers.modbus.fitted import Fitted
from drivers.modbus.lines import line_of
from drivers.modbus.wiring import Profiles, fitted
from drivers.port import Now


@dataclass(frozen=True, slots=True)
class WiredLines:
    """Every link and every bus, none of them open."""

    links: dict[str, SerialLinkTable] = field(default_factory=dict)
    buses: dict[str, Bus] = field(default_factory=dict)
    tables: dict[str, Fitted] = field(default_factory=dict)
    """The tables of modules."""


def wired_lines(settings: Settings, now: Now) -> WiredLines:
    """Return the lines of a node.

    Raises:
        SettingsError: a profile is wrong, or the wiring makes no sense.
    """
    buses = {name: Bus(line_of(bus), now) for name, bus in settings.buses.items()}
    links: dict[str, SerialLinkTable] = {}
    tables: dict[str, Fitted] = {}
    profiles = Profiles()
    for name, table in settings.tables.items():
        match table:
            case SerialLinkTable():
                links[name] = table
            case ModbusTable():
                tables[name] = fitted(table, profiles, buses)
            case _:
                pass  # no wire of its own
    return WiredLines(links, buses, tables)
