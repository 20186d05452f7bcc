"""The names in a profile: what they stand for, and which of them nobody knows."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from config.complaints import similar
from drivers.modbus.profile import Profile
from drivers.modbus.profile_layout import Point, every_point
from drivers.modbus.profile_parts import SignalRange, Sourced
from drivers.modbus.profile_values import PLACEHOLDER, named, ranged
from drivers.modbus.profile_words import Access, Evidence, Verification

At: TypeAlias = tuple[str, ...]
"""Path of keys to the value that is wrong."""
SECTIONS = ("link", "timing", "numbering", "failsafe", "health", "cycle", "limits")
TABLES = ("signals", "edges", "init", "identify", "faults")
METHODS = ("flash", "start_coil", "width_registers", "mode_delay", "host")


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that does not fit together."""

    at: At
    sentence: str
    """Without its full stop."""


class Names:
    """The signals of a profile by every name that may be used for them."""

    def __init__(self, profile: Profile) -> None:
        self.ranges: dict[str, SignalRange] = profile.signals
        self.points: dict[str, Point] = {point.name: point for point in every_point(profile)}

    def known(self, name: str) -> list[Point]:
        """Return the points that a name stands for; none for an unknown name."""
        if name in self.points:
            return [self.points[name]]
        signal = self.ranges.get(name)
        if signal is None or signal.n is None:
            return []
        return [self.points[named(name, number)] for number in signal.n]

    def unknown(self, at: At, name: str) -> Iterator[Wrong]:
        """Complain about a name that stands for no signal."""
        if not self.known(name):
            key = ".".join(at)
            yield Wrong(at, f"{key} is {name}, but no signal has that name; {self._near(name)}")

    def along(self, at: At, name: str, signal: str, lead: str) -> Iterator[Wrong]:
        """Complain about a signal of a range that does not go along with another, `lead`.

        `name` is that of the section: with {n} in it, both signals have the same numbers.
        """
        if not self.known(signal):
            yield from self.unknown(at, signal)
        elif ranged(name) != ranged(signal):
            yield Wrong(at, f"{'.'.join(at)} is {signal}, but {name} {self._differs(name)}")
        elif ranged(name) and lead in self.ranges and self._n(signal) != self._n(lead):
            yield Wrong(
                at,
                f"{'.'.join(at)} is {signal} with the numbers {self._numbers(signal)}, but {lead}"
                f" has {self._numbers(lead)}",
            )

    def _differs(self, name: str) -> str:
        several = f"has {PLACEHOLDER}" if ranged(name) else f"has no {PLACEHOLDER}"
        return f"{several}; both stand for several signals or both for one"

    def _n(self, signal: str) -> range | None:
        return self.ranges[signal].n

    def _numbers(self, signal: str) -> str:
        numbers = self._n(signal)
        return f"{numbers[0]} to {numbers[-1]}" if numbers else "none"

    def _near(self, name: str) -> str:
        close = get_close_matches(name, [*self.ranges, *self.points], n=1)
        return similar(name, close or list(self.ranges))


def placeholders(profile: Profile) -> Iterator[Wrong]:
    """Complain about a range without numbers, and about names that two signals have."""
    seen: dict[str, str] = {}
    for name, signal in profile.signals.items():
        at = ("signals", name)
        if ranged(name) and signal.n is None:
            yield Wrong(at, f"signals.{name} needs n, the numbers that stand for {PLACEHOLDER}")
        if not ranged(name) and signal.n is not None:
            yield Wrong(
                (*at, "n"), f"signals.{name} has n, but its name has no {PLACEHOLDER} to put it in"
            )
        for number in signal.n or range(1):
            single = named(name, number)
            if single in seen:
                yield Wrong(
                    at, f"{single} is named by signals.{name} and by signals.{seen[single]}"
                )
                break
            seen[single] = name


def sources(profile: Profile) -> Iterator[Wrong]:
    """Complain about numbers without a source, and sources without numbers."""
    used: set[str] = set()
    for at, section in sourced(profile):
        used.add(section.source)
        if section.source not in profile.sources:
            near = similar(section.source, list(profile.sources))
            yield Wrong(
                (*at, "source"),
                f"{'.'.join(at)}.source is {section.source}, but [sources] has none of that name;"
                f" {near}",
            )
    yield from _papers(profile, used)


def sourced(profile: Profile) -> Iterator[tuple[At, Sourced]]:
    """Yield every section that has a source, with its path."""
    for name in SECTIONS:
        section = getattr(profile, name)
        if section is not None:
            yield (name,), section
    for name in TABLES:
        for key, section in getattr(profile, name).items():
            yield (name, str(key)), section
    for method in METHODS:
        for key, section in getattr(profile.pulses, method).items():
            yield ("pulses", method, key), section


def _papers(profile: Profile, used: set[str]) -> Iterator[Wrong]:
    for name, paper in profile.sources.items():
        at = ("sources", name)
        if name not in used:
            yield Wrong(at, f"sources.{name} is named by no section")
        if paper.place is None and paper.evidence is not Evidence.HOUSE:
            yield Wrong(at, f"sources.{name} needs place, where the paper can be found")
    papers = {paper.evidence for paper in profile.sources.values()}
    if profile.header.verification is Verification.MAKER and Evidence.MAKER not in papers:
        yield Wrong(
            ("profile", "verification"),
            "profile.verification is maker, but none of the sources has the evidence maker",
        )


def readable(names: Names, at: At, name: str) -> Iterator[Wrong]:
    """Complain about a signal that must be read and cannot."""
    yield from names.unknown(at, name)
    if any(point.access is Access.WRITE for point in names.known(name)):
        yield Wrong(at, f"{'.'.join(at)} is {name}, which can only be written")


def writable(names: Names, at: At, name: str) -> Iterator[Wrong]:
    """Complain about a signal that must be written and cannot."""
    yield from names.unknown(at, name)
    if any(point.write_function is None for point in names.known(name)):
        yield Wrong(at, f"{'.'.join(at)} is {name}, which can only be read")
