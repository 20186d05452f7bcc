"""What is wrong with the inputs of a profile: edges, identity, health and faults."""

from collections import defaultdict
from collections.abc import Iterator

from drivers.modbus.profile import Profile
from drivers.modbus.profile_layout import Point
from drivers.modbus.profile_names import At, Names, Wrong, readable, writable
from drivers.modbus.profile_parts import EdgeRange
from drivers.modbus.profile_values import ranged
from drivers.modbus.profile_words import Clearing, Coding, Reboot, Sensing

WRITING = (Clearing.WRITE_ONE, Clearing.WRITE_ZERO)
NEEDS = {
    Sensing.LEVEL: (),
    Sensing.LATCH: ("clear",),
    Sensing.COUNTER: ("wrap", "reboot"),
    Sensing.PRESS_COUNTER: ("wrap", "reboot", "gesture"),
}
MAY_HAVE = {
    Sensing.LEVEL: frozenset[str](),
    Sensing.LATCH: frozenset({"clear", "clear_with", "reboot", "level"}),
    Sensing.COUNTER: frozenset({"wrap", "reboot", "clear", "clear_with", "level"}),
    Sensing.PRESS_COUNTER: frozenset({"wrap", "reboot", "clear", "clear_with", "level", "gesture"}),
}
OF_EDGES = ("wrap", "reboot", "gesture", "clear", "clear_with", "level")


def edges(profile: Profile, names: Names) -> Iterator[Wrong]:
    """Complain about inputs that cannot be sensed as they are described."""
    for name, edge in profile.edges.items():
        yield from _needs(name, edge)
        yield from _signals(names, name, edge)
        yield from _width(names, name, edge)
    yield from _snapshots(profile, names)


def _needs(name: str, edge: EdgeRange) -> Iterator[Wrong]:
    for key in OF_EDGES:
        given = getattr(edge, key) is not None
        if not given and key in NEEDS[edge.sensing]:
            yield Wrong(
                ("edges", name), f"edges.{name} is sensed by {edge.sensing}, so it needs {key}"
            )
        if given and key not in MAY_HAVE[edge.sensing]:
            yield Wrong(
                ("edges", name, key),
                f"edges.{name} is sensed by {edge.sensing}, so {key} means nothing",
            )


def _signals(names: Names, name: str, edge: EdgeRange) -> Iterator[Wrong]:
    at = ("edges", name)
    yield from names.along((*at, "watch"), name, edge.watch, edge.watch)
    yield from readable(names, (*at, "watch"), edge.watch) if names.known(edge.watch) else ()
    if edge.level:
        yield from names.along((*at, "level"), name, edge.level, edge.watch)
        yield from readable(names, (*at, "level"), edge.level) if names.known(edge.level) else ()
        yield from _single_bit(names, (*at, "level"), edge.level)
    if edge.clear in WRITING:
        key, signal = ("clear_with", edge.clear_with) if edge.clear_with else ("watch", edge.watch)
        yield from names.along((*at, key), name, signal, edge.watch)
        yield from writable(names, (*at, key), signal) if names.known(signal) else ()
    elif edge.clear_with:
        yield Wrong((*at, "clear_with"), f"edges.{name} has clear_with, but clear is {edge.clear}")
    if edge.reboot is Reboot.KEPT and edge.clear is Clearing.BY_READING:
        yield Wrong((*at, "reboot"), f"edges.{name} is cleared by reading, so nothing can be kept")


def _width(names: Names, name: str, edge: EdgeRange) -> Iterator[Wrong]:
    points = names.known(edge.watch)
    if not edge.sensing.counts:
        yield from _single_bit(names, ("edges", name, "watch"), edge.watch)
    elif points and edge.wrap and edge.wrap > 1 << points[0].width:
        yield Wrong(
            ("edges", name, "wrap"),
            f"edges.{name}.wrap is {edge.wrap}, but {edge.watch} has {points[0].width} bits",
        )


def _single_bit(names: Names, at: At, signal: str) -> Iterator[Wrong]:
    if any(point.width != 1 and set(point.reads) < {"off", "on"} for point in names.known(signal)):
        yield Wrong(
            at,
            f"{'.'.join(at)} is {signal}, a number; a level is a single bit or has off and on in"
            " reads",
        )


def _snapshots(profile: Profile, names: Names) -> Iterator[Wrong]:
    """Complain where inputs of one moment cannot be read in one request."""
    groups: dict[str, list[Point]] = defaultdict(list)
    last: dict[str, str] = {}
    for name, edge in profile.edges.items():
        groups[edge.snapshot] += names.known(edge.watch)
        last[edge.snapshot] = name
    for group, points in groups.items():
        at = ("edges", last[group])
        reason = _not_at_once(profile, points)
        if reason:
            yield Wrong(
                at, f"the inputs of snapshot {group} cannot be read in one request: {reason}"
            )


def _not_at_once(profile: Profile, points: list[Point]) -> str | None:
    if not points:
        return None
    functions = {point.read_function for point in points}
    if len(functions) > 1:
        return f"they need the functions {' and '.join(map(str, sorted(functions)))}"
    held = {a for point in points for a in range(point.address, point.address + point.registers)}
    span = max(held) - min(held) + 1
    bits = points[0].area.of_bits
    most = profile.timing.most_bits if bits else profile.timing.most_registers
    if span > most:
        return f"they span {span} addresses, but at most {most} are read at once"
    if span > len(held) and not profile.timing.spans_holes:
        return "there are holes between them, and timing.spans_holes is false"
    return None


def identity(profile: Profile, names: Names) -> Iterator[Wrong]:
    """Complain about what is read to know a module."""
    for part, expected in profile.identify.items():
        at = ("identify", str(part), "signal")
        yield from readable(names, at, expected.signal)
        points = names.known(expected.signal)
        if len(points) > 1:
            yield Wrong(
                at, f"{'.'.join(at)} is {expected.signal}, which stands for several signals"
            )
        for value in expected.any_of:
            if points and isinstance(value, str) is (points[0].coding is Coding.NUMBER):
                kind = "a number" if points[0].coding is Coding.NUMBER else "a text"
                yield Wrong(
                    ("identify", str(part), "any_of"),
                    f"identify.{part}.any_of has {value!r}, but {expected.signal} is {kind}",
                )


def health(profile: Profile, names: Names) -> Iterator[Wrong]:
    """Complain about what is read to know whether a module is well."""
    for name in profile.health.never_fails:
        yield from readable(names, ("health", "never_fails"), name)
    if profile.health.uptime:
        yield from readable(names, ("health", "uptime"), profile.health.uptime)
        if len(names.known(profile.health.uptime)) > 1 or ranged(profile.health.uptime):
            yield Wrong(("health", "uptime"), "health.uptime stands for several signals")


def faults(profile: Profile, names: Names) -> Iterator[Wrong]:
    """Complain about raw values that mean two things, and cycle limits out of order."""
    seen: dict[tuple[str, int], str] = {}
    for name, sign in profile.faults.items():
        yield from readable(names, ("faults", name, "signal"), sign.signal)
        other = seen.setdefault((sign.signal, sign.value), name)
        if other != name:
            yield Wrong(
                ("faults", name, "value"),
                f"faults.{name} and faults.{other} both stand for {sign.value} of {sign.signal}",
            )
    cycle = profile.cycle
    if cycle and not cycle.expected < cycle.slow < cycle.failed:
        yield Wrong(("cycle",), "cycle: expected is less than slow, and slow less than failed")
