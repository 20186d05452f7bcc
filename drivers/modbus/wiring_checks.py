"""What is wrong with tables of modules as a configuration describes them.

What one file of settings says is looked at whole: profiles, buses, units, and what is wired where.
"""

from collections.abc import Iterator, Mapping

from config.buses import Bus
from config.complaints import shown, similar
from config.models import Settings
from config.tables import ModbusTable, Module
from drivers.modbus.profile import Profile
from drivers.modbus.profile_words import IdentityPart, Wire
from drivers.modbus.wiring import Profiles, bus_of
from drivers.modbus.wiring_signals import Terminals, miswired_signals
from table.errors import SettingsError


def miswired(settings: Settings) -> list[str]:
    """Return a sentence for each thing that cannot be, naming place, value and what is allowed."""
    profiles = Profiles()
    tables = {
        f"tables.{name}": table
        for name, table in settings.tables.items()
        if isinstance(table, ModbusTable)
    }
    wrong: list[str] = []
    for place, table in tables.items():
        for name, module in table.modules.items():
            wrong += _module(f"{place}.modules.{name}", module, profiles, settings.buses)
    wrong += _shared(tables, settings.buses)
    for place, table in tables.items():
        terminals = Terminals(place, dict(_good(table, profiles)), frozenset(table.modules))
        wrong += miswired_signals(terminals, table.signals)
    return list(dict.fromkeys(wrong))


def _module(
    place: str, module: Module, profiles: Profiles, buses: Mapping[str, Bus]
) -> Iterator[str]:
    bus = bus_of(module, buses)
    if not buses:
        yield f"{place} needs a bus, but there is no section [buses.<id>]"
    elif bus is None:
        yield f"{place}.bus is missing; there are several: {', '.join(buses)}"
    elif bus not in buses:
        yield f"{place}.bus is {shown(bus)}, but no bus has this name; {similar(bus, [*buses])}"
    try:
        profile = profiles[module.profile]
    except SettingsError as error:
        yield from (f"{place}.profile: {one.removesuffix('.')}" for one in str(error).splitlines())
        return
    if module.expected_serial and IdentityPart.SERIAL not in profile.identify:
        yield (
            f"{place}.expected_serial is {shown(module.expected_serial)}, but {profile.header.id}"
            " tells no serial number; leave it out"
        )
    if bus is not None and bus in buses:
        yield from _reached(place, profile, bus, buses[bus])


def _reached(place: str, profile: Profile, name: str, bus: Bus) -> Iterator[str]:
    """Complain about a module that has no serial port on a bus that is one."""
    if bus.serial and set(profile.link.wires) == {Wire.TCP}:
        yield (
            f"{place}.bus is {shown(name)}, a serial line, but {profile.header.id} has no serial"
            ' port; it needs a bus of its own with port = "tcp://host"'
        )


def _shared(tables: Mapping[str, ModbusTable], buses: Mapping[str, Bus]) -> Iterator[str]:
    """Complain about modules that answer to one number on one bus."""
    taken: dict[tuple[str, int], str] = {}
    for place, table in tables.items():
        for name, module in table.modules.items():
            if (bus := bus_of(module, buses)) is None:
                continue
            here = f"{place}.modules.{name}"
            first = taken.setdefault((bus, module.unit), here)
            if first != here:
                yield (
                    f"{here}.unit is {module.unit}, but {first} has this number on bus {bus}; each"
                    " module has one of its own and belongs to one table"
                )


def _good(table: ModbusTable, profiles: Profiles) -> Iterator[tuple[str, Profile]]:
    """Give the profile of each module of which it can be read."""
    for name, module in table.modules.items():
        try:
            yield name, profiles[module.profile]
        except SettingsError:
            continue
