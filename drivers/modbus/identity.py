"""Who a module says it is, and whether it is well.

Most modules have no serial number: two of one kind that were swapped cannot be told apart by what
is read, only by where they are wired.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from drivers.modbus.images import Image, Misread, Value, number, value
from drivers.modbus.profile import Profile
from drivers.modbus.profile_layout import Layout, channels
from drivers.modbus.profile_words import IdentityPart
from drivers.modbus.reads import sample_reads
from drivers.modbus.requests import Read


@dataclass(frozen=True, slots=True)
class ModuleIdentity:
    """Who a module says it is; what it does not tell is left out."""

    parts: Mapping[IdentityPart, str]

    @property
    def single(self) -> bool:
        """Whether it differs from every other module of its kind."""
        return bool(self.parts.get(IdentityPart.SERIAL))


@dataclass(frozen=True, slots=True)
class Stranger:
    """Not the module that belongs here, and why; nothing is written to it."""

    reasons: tuple[str, ...]


def identity_reads(profile: Profile, layout: Layout) -> tuple[Read, ...]:
    """Return what must be read to know a module."""
    points = [layout.points[expected.signal] for expected in profile.identify.values()]
    return sample_reads(profile.timing, layout, (), points)


def identify(
    profile: Profile, layout: Layout, image: Image, unit: int
) -> ModuleIdentity | Stranger:
    """Say who answered as this unit; a module that gives another answer than it must is a stranger.

    Total over any image: what was not read, or is no text, is a reason too.
    """
    parts: dict[IdentityPart, str] = {}
    reasons: list[str] = []
    for part, expected in profile.identify.items():
        found = value(image, layout.points[expected.signal])
        if isinstance(found, Misread):
            reasons.append(found.reason)
            continue
        parts[part] = str(found)
        allowed = (unit,) if part is IdentityPart.UNIT else expected.any_of
        if allowed and found not in allowed:
            reasons.append(f"{part} is {_shown(found)}, not {' or '.join(map(_shown, allowed))}")
    return Stranger(tuple(reasons)) if reasons else ModuleIdentity(parts)


def changed(known: ModuleIdentity, found: ModuleIdentity) -> frozenset[IdentityPart]:
    """Return what is not as it was; anything disarms the table until a person has looked.

    Another serial number, model or unit is another module. Another firmware is the same module,
    whose certificate speaks of what it no longer is.
    """
    every = known.parts.keys() | found.parts.keys()
    return frozenset(part for part in every if known.parts.get(part) != found.parts.get(part))


def health_reads(profile: Profile, layout: Layout) -> tuple[Read, ...]:
    """Return what a module that is well can always answer."""
    names = [one for name in profile.health.never_fails for one in channels(profile, name)]
    uptime = [profile.health.uptime] if profile.health.uptime else []
    points = [layout.points[name] for name in (*names, *uptime)]
    return sample_reads(profile.timing, layout, (), points)


def uptime(profile: Profile, layout: Layout, image: Image) -> timedelta | Misread | None:
    """Return how long a module has had power; None where it does not say."""
    name = profile.health.uptime
    if name is None:
        return None
    count = number(image, layout.points[name])
    if isinstance(count, Misread):
        return count
    return min(count, timedelta.max // profile.health.uptime_unit) * profile.health.uptime_unit


def had_no_power(before: timedelta, after: timedelta) -> bool:
    """Say whether a module lost its power between two readings of its uptime."""
    return after < before


def _shown(found: Value) -> str:
    return repr(found) if isinstance(found, str) else str(found)
