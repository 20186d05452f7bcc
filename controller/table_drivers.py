"""How each table of a node is reached, by its wire; tables on one bus share it."""

from pathlib import Path

from config.models import Settings
from config.tables import ModbusTable, PadsTable, SerialLinkTable
from drivers.modbus.bus import Bus
from drivers.modbus.driver import ModbusTableDriver
from drivers.modbus.lines import line_of
from drivers.modbus.wiring import Profiles, fitted
from drivers.modbus.wiring_checks import miswired
from drivers.pads.driver import PadsDriver
from drivers.pads.pads import Pads
from drivers.port import Now, TableDriver
from drivers.table_link.driver import SerialTableDriver
from table.errors import SettingsError


def frames_file(settings: Settings, line: str) -> Path:
    """Return where the last frames of a table link or a bus are kept when something goes wrong."""
    return settings.node.state_directory / "wire" / f"{line}.txt"


def refuse_miswired(settings: Settings, file: Path) -> None:
    """Look at how the tables of a file of settings are wired.

    Raises:
        SettingsError: a sentence for each thing that cannot be.
    """
    if wrong := miswired(settings):
        raise SettingsError("\n".join(f"{file}: {sentence}." for sentence in wrong))


class TableDrivers:
    """Makes the drivers of the tables of one node.

    Args:
        settings: what the node is told.
        now: the daemon's clock.
    """

    def __init__(self, settings: Settings, now: Now) -> None:
        self._tables = settings.tables
        self._now = now
        self.pads: dict[str, Pads] = {}
        """The pads of each table that is played with them and has its driver."""
        self._profiles = Profiles()
        self._settings = settings
        self._buses = {
            name: Bus(line_of(bus), now, frames_file(settings, name))
            for name, bus in settings.buses.items()
        }

    def driver_of(self, table: str) -> TableDriver:
        """Return the driver of a table.

        Raises:
            SettingsError: a profile of its modules is wrong, or its wiring makes no sense.
        """
        match self._tables[table]:
            case SerialLinkTable(port=port, baudrate=baudrate, expected_serial=serial):
                kept = frames_file(self._settings, table)
                return SerialTableDriver(port, baudrate, serial, self._now, kept)
            case ModbusTable() as wired:
                return ModbusTableDriver(fitted(wired, self._profiles, self._buses), self._now)
            case PadsTable():
                driver = PadsDriver(table, self._now)
                self.pads[table] = driver.pads
                return driver
