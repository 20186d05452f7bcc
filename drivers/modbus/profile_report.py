"""Writes a profile in plain words, with the source of every number and all doubts."""

from collections.abc import Iterator

from config.words import span
from drivers.modbus.profile import Profile
from drivers.modbus.profile_layout import Point, every_point
from drivers.modbus.profile_outputs import HostTimed
from drivers.modbus.profile_parts import EdgeRange, SignalRange, Sourced
from drivers.modbus.profile_report_words import (
    METHOD_WORDS,
    SENSING_WORDS,
    TRUST_WORDS,
    each,
    held_in,
    link_words,
    timing_words,
)
from drivers.modbus.profile_words import Access

Lines = Iterator[str]


def report(profile: Profile) -> str:
    """Return the profile as somebody reads it who has the module before them."""
    header = profile.header
    parts = (
        ("", [f"{header.vendor} {header.model}: {header.title}"]),
        (
            "",
            [f"Profile {header.id}, version {header.version}; {TRUST_WORDS[header.verification]}"],
        ),
        ("Link", _sourced(link_words(profile.link), profile.link)),
        ("Timing", _sourced(timing_words(profile.timing), profile.timing)),
        ("Pressed by people", _edges(profile)),
        ("Pulsed", _pulses(profile)),
        ("Never", _limits(profile)),
        ("Written at connect, in this order", _init(profile)),
        ("Known by", _identity(profile)),
        ("Without a host", _failsafe(profile)),
        ("Faults", _faults(profile)),
        ("Addresses on the wire, from 0", _signals(profile)),
        ("Wiring", header.wiring.splitlines()),
        ("Doubts", [f"- {doubt}" for doubt in _doubts(profile)]),
        ("Sources", _papers(profile)),
    )
    return "\n".join(line for title, lines in parts for line in _part(title, list(lines)))


def _part(title: str, lines: list[str]) -> Lines:
    if not lines:
        return
    if title:
        yield ""
        yield f"{title}:"
    indent = "  " if title else ""
    yield from (f"{indent}{line}" for line in lines)


def _sourced(words: str, section: Sourced) -> Lines:
    yield f"{words} [{section.source}]"
    if section.doubt:
        yield f"  doubt: {section.doubt}"


def _edges(profile: Profile) -> Lines:
    for name, edge in profile.edges.items():
        words = f"{each(profile, name, edge.watch)}: {SENSING_WORDS[edge.sensing]}"
        yield from _sourced(
            f"{words}, in {each(profile, edge.watch)}{_beside(profile, edge)}", edge
        )


def _beside(profile: Profile, edge: EdgeRange) -> str:
    words = f"; known to within two polls and {span(edge.debounce)}"
    if edge.gesture:
        words = f", {edge.gesture} presses only{words}"
    if edge.wrap:
        words += f"; {edge.wrap - 1} is followed by 0; a loss of power: {edge.reboot}"
    if edge.level:
        words += f"; holds are seen in {each(profile, edge.level)}"
    return words


def _pulses(profile: Profile) -> Lines:
    for method, words in METHOD_WORDS.items():
        pulses: dict[str, HostTimed] = getattr(profile.pulses, method)
        for name, pulse in pulses.items():
            length = f"{span(pulse.least)} to {span(pulse.most)} in steps of {span(pulse.step)}"
            motor = "; may start a motor" if _starts(profile, name) else ""
            yield from _sourced(f"{each(profile, name)}: {length}, {words}{motor}", pulse)


def _starts(profile: Profile, name: str) -> bool:
    signal = profile.signals.get(name)
    return signal is not None and signal.motor


def _limits(profile: Profile) -> Lines:
    limits = profile.limits
    if limits is None:
        return
    for group in limits.never_together:
        yield f"together: {', '.join(group)} [{limits.source}]"
    for name in limits.not_at_start:
        yield f"before the table was read: {each(profile, name)} [{limits.source}]"
    for name, rate in limits.pulses_per_minute.items():
        yield f"more than {rate} pulses a minute: {each(profile, name)} [{limits.source}]"


def _init(profile: Profile) -> Lines:
    for step, write in profile.init.items():
        only = ", only if it is different" if write.only_if_different else ""
        back = ", and read again" if write.read_back else ""
        words = f"{step}: {each(profile, write.signal)} = {write.value}{only}{back}"
        yield from _sourced(f"{words}; else {write.reason}", write)


def _identity(profile: Profile) -> Lines:
    if not profile.identify:
        yield "nothing; a module that was changed for another is not noticed"
    for part, expected in profile.identify.items():
        allowed = " or ".join(map(str, expected.any_of))
        must = f"must be {allowed}" if allowed else "a change disarms the table"
        yield from _sourced(f"{part} in {expected.signal}; {must}", expected)


def _failsafe(profile: Profile) -> Lines:
    safe = profile.failsafe
    if safe is None:
        if any(getattr(profile.pulses, method) for method in METHOD_WORDS):
            yield "outputs stay as they are; what the module ends itself is ended"
        return
    states = f" as {each(profile, safe.states)} say" if safe.states else ""
    after = f"outputs fall off after {span(safe.wanted)}{states}"
    yield from _sourced(f"{after}; {safe.timer}, fed by {safe.fed_by}", safe)


def _faults(profile: Profile) -> Lines:
    for sign in profile.faults.values():
        words = f"{sign.signal} = {sign.value}: {sign.fault}, severity {sign.severity}, {sign.text}"
        yield from _sourced(words, sign)
    if cycle := profile.cycle:
        slow, failed = span(cycle.slow), span(cycle.failed)
        yield from _sourced(
            f"a cycle takes {span(cycle.expected)}, is slow from {slow} and failed from {failed}",
            cycle,
        )


def _signals(profile: Profile) -> Lines:
    points = {point.name: point for point in every_point(profile)}
    for name, signal in profile.signals.items():
        several = [points[one] for one in _channels(name, signal)]
        yield from _sourced(f"{each(profile, name)}: {_place(several, signal)}", signal)


def _channels(name: str, signal: SignalRange) -> list[str]:
    return [name.replace("{n}", str(number)) for number in signal.n or range(1)]


def _place(points: list[Point], signal: SignalRange) -> str:
    first, last = points[0], points[-1]
    span_of = f"{first.address}" if first == last else f"{first.address} to {last.address}"
    words = f"{held_in(first)} {span_of}"
    if first.access is not Access.WRITE:
        words += f", read by {first.read_function:02X}"
    if first.write_function:
        there = "" if first.write_address == first.address else f" at {first.write_address}"
        words += f", written by {first.write_function:02X}{there}"
    for key, values in (("read", signal.reads), ("write", signal.writes)):
        if values:
            words += f"; {key} " + ", ".join(f"{word} = {value}" for word, value in values.items())
    return words


def _doubts(profile: Profile) -> Lines:
    yield from profile.header.doubts
    if profile.header.firmware_from:
        yield f"Only for firmware {profile.header.firmware_from} and newer."
    if profile.header.firmware_until:
        yield f"Only for firmware {profile.header.firmware_until} and older."


def _papers(profile: Profile) -> Lines:
    for name, paper in profile.sources.items():
        place = f", {paper.place}" if paper.place else ""
        yield f"[{name}] {paper.title}{place} ({paper.evidence})"
