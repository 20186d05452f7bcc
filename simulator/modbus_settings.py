"""What a daemon is told of simulated tables of modules: text for its file of settings."""

from collections.abc import Iterator, Mapping

from drivers.modbus.profile import Profile
from drivers.modbus.profile_file import read_profile, shipped_profiles
from drivers.modbus.profile_layout import channels
from simulator.modbus_fittings import BUS
from simulator.modbus_kits import ModuleKit, Terminal, Wire

OUTPUTS = ("button{n}", "relay{n}", "out{n}")
"""Ranges of outputs in the order of their channels; those that may start motors come first."""


def bus_text(bus: str, port: str, wire: Wire, baud: int) -> str:
    """Return the section of a bus."""
    lines = [f"[buses.{bus}]", f'port = "{port}"']
    if wire is Wire.RTU_OVER_TCP:
        lines.append('frames = "rtu"')
    if wire is not Wire.TCP:
        lines.append(f"baudrate = {baud}")
    return "\n".join(lines) + "\n"


def table_text(
    name: str, kit: ModuleKit, buses: Mapping[str, str], units: Mapping[str, int]
) -> str:
    """Return the sections of a table.

    Args:
        name: its id.
        kit: what it is fitted with.
        buses: which bus each port of the table is.
        units: the number of each of its modules.
    """
    lines = [f"[tables.{name}]", 'wire = "modbus"']
    for each in kit.fittings:
        bus = buses.get(BUS) or buses[each.name]
        lines += [
            "",
            f"[tables.{name}.modules.{each.name}]",
            f'profile = "{each.profile}"',
            f'bus = "{bus}"',
            f"unit = {units[each.name]}",
        ]
    lines += ["", f"[tables.{name}.signals]"]
    lines += [f'{function} = "{signal}"' for function, signal in _signals(kit)]
    return "\n".join(lines) + "\n"


def _signals(kit: ModuleKit) -> Iterator[tuple[str, str]]:
    """Say where each function is wired, by the names that the profiles give to terminals."""
    shipped = shipped_profiles()
    profiles = {each.name: read_profile(shipped[each.profile]) for each in kit.fittings}
    for function, terminal in kit.inputs.items():
        yield function, _named(profiles, terminal, ("in{n}",))
    for terminal, function in kit.outputs.items():
        yield function, _named(profiles, terminal, OUTPUTS)


def _named(profiles: Mapping[str, Profile], terminal: Terminal, ranges: tuple[str, ...]) -> str:
    module, channel = terminal
    profile = profiles[module]
    known = (name for name in ranges if name in profile.signals)
    return f"{module}.{[each for name in known for each in channels(profile, name)][channel]}"
