"""Who looks at a page, as far as it changes what is shown; read from cookies, so it lasts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from board.orders import LONGEST_NAME

PERSON, ZONES = "person", "zones"
_ZONE = re.compile(r"[a-z0-9-]{1,64}")
_MOST_ZONES = 64


@dataclass(frozen=True, slots=True)
class Viewer:
    """A person and the zones that person looks after."""

    person: str = ""
    zones: frozenset[str] = frozenset()
    """Empty: all of them alike."""

    def looks_after(self, zone: str) -> bool:
        """Say whether a table of this zone is among the person's own."""
        return not self.zones or zone in self.zones


def viewer(cookies: Mapping[str, str], given: Mapping[str, tuple[str, ...]]) -> Viewer:
    """Return who looks on: the zones that were picked, else those which the event gave them."""
    person = person_of(cookies)
    if ZONES in cookies:
        return Viewer(person, _read(cookies[ZONES]))
    return Viewer(person, frozenset(given.get(person, ())))


def person_of(cookies: Mapping[str, str]) -> str:
    """Return the name that was picked; empty where none was."""
    return unquote(cookies.get(PERSON, ""))[:LONGEST_NAME].strip()


def written(zones: tuple[str, ...]) -> str:
    """Return zones as the cookie keeps them; `.` where none was picked, as it is never empty."""
    return quote(".".join(sorted(set(zones))), safe=".") or "."


def are_zones(zones: tuple[str, ...]) -> bool:
    """Say whether these can be names of zones."""
    return len(zones) <= _MOST_ZONES and all(_ZONE.fullmatch(zone) for zone in zones)


def _read(cookie: str) -> frozenset[str]:
    return frozenset(zone for zone in unquote(cookie).split(".") if _ZONE.fullmatch(zone))
