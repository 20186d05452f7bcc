"""What a profile says twice and differently, or leaves out."""

from collections.abc import Iterator

from drivers.modbus import profile_addresses, profile_commands, profile_inputs
from drivers.modbus.profile import Profile
from drivers.modbus.profile_names import Names, Wrong, placeholders, sources
from drivers.modbus.profile_words import Wire


def contradictions(profile: Profile) -> list[Wrong]:
    """Return everything that does not fit together; nothing for a profile that can be used."""
    if ambiguous := list(placeholders(profile)):
        return ambiguous
    names = Names(profile)
    return [
        *sources(profile),
        *_link(profile),
        *profile_addresses.signals(profile),
        *profile_inputs.edges(profile, names),
        *profile_inputs.identity(profile, names),
        *profile_inputs.health(profile, names),
        *profile_inputs.faults(profile, names),
        *profile_commands.pulses(profile, names),
        *profile_commands.first_writes(profile, names),
        *profile_commands.failsafe(profile, names),
        *profile_commands.limits(profile, names),
    ]


def _link(profile: Profile) -> Iterator[Wrong]:
    link = profile.link
    if len(set(link.wires)) < len(link.wires):
        yield Wrong(("link", "wires"), "link.wires has a way twice")
    if link.best_baud and set(link.wires) == {Wire.TCP}:
        yield Wrong(
            ("link", "best_baud"), "link.best_baud is given, but the module has no serial line"
        )
    if link.best_baud and link.best_baud < link.baud:
        yield Wrong(
            ("link", "best_baud"),
            f"link.best_baud is {link.best_baud}, less than the {link.baud} it comes with",
        )
