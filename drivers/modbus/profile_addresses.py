"""What is wrong with the signals of a profile: addresses, areas, widths and value maps."""

from collections.abc import Iterator

from drivers.modbus.profile import Profile
from drivers.modbus.profile_layout import OFF, ON, Point, every_point
from drivers.modbus.profile_names import Wrong
from drivers.modbus.profile_parts import SignalRange
from drivers.modbus.profile_words import Access, Area, Coding

LAST_ADDRESS = 65535
BIT_READS = (1, 2)
COIL_WRITES, REGISTER_WRITES = (5, 15), (6, 16)


def signals(profile: Profile) -> Iterator[Wrong]:
    """Complain about every signal that cannot be as it is described."""
    points = list(every_point(profile))
    for name, signal in profile.signals.items():
        yield from _range(profile, name, signal)
        yield from _form(name, signal)
        yield from _functions(name, signal)
        yield from _words(name, signal)
    yield from _twice(profile, [one for one in points if one.access is not Access.WRITE], read=True)
    yield from _twice(profile, [one for one in points if one.write_function], read=False)


def _range(profile: Profile, name: str, signal: SignalRange) -> Iterator[Wrong]:
    first = profile.numbering.first_address
    for key in ("address", "write_address"):
        start = getattr(signal, key)
        if start is None:
            continue
        at = ("signals", name, key)
        last = start - first + signal.stride * (len(signal.n or range(1)) - 1) + _length(signal) - 1
        if start < first:
            yield Wrong(
                at,
                f"signals.{name}.{key} is 0, but numbering.first_address is 1, so 1 is the first",
            )
        if last > LAST_ADDRESS:
            yield Wrong(
                at,
                f"signals.{name}.{key} is {start}, so the last address would be {last + first};"
                f" {LAST_ADDRESS + first} is the last there is",
            )


def _length(signal: SignalRange) -> int:
    return signal.registers or max(1, (signal.width or 1) // 16)


def _form(name: str, signal: SignalRange) -> Iterator[Wrong]:
    at = ("signals", name)
    area = f"signals.{name} lies in area {signal.area}"
    if signal.area.of_bits:
        for key in ("bit", "registers", "word_order", "byte_order"):
            if getattr(signal, key) is not None:
                yield Wrong((*at, key), f"{area}, which has single bits, so {key} means nothing")
        if signal.width not in {None, 1} or signal.coding is not Coding.NUMBER:
            yield Wrong(at, f"{area}, which has single bits, so it can be no number and no text")
    elif signal.width == 1 and signal.bit is None:
        yield Wrong((*at, "width"), f"signals.{name} is 1 bit of a register, but bit is missing")
    elif signal.bit is not None and signal.width not in {None, 1}:
        yield Wrong((*at, "width"), f"signals.{name} has a bit, so its width can only be 1")
    if (signal.coding is Coding.NUMBER) is (signal.registers is not None):
        yield Wrong(at, f"signals.{name}: registers is the length of a text; give both or neither")


def _functions(name: str, signal: SignalRange) -> Iterator[Wrong]:
    at = ("signals", name)
    if signal.access not in {None, Access.READ} and signal.area in {Area.DISCRETE, Area.INPUT}:
        yield Wrong(
            (*at, "access"), f"signals.{name} lies in area {signal.area}, which is read only"
        )
    if signal.read_function and (signal.read_function in BIT_READS) is not signal.area.of_bits:
        yield Wrong(
            (*at, "read_function"),
            f"signals.{name}.read_function is {signal.read_function}, which does not read"
            f" {'bits' if signal.area.of_bits else 'registers'}",
        )
    yield from _write_function(name, signal)
    for key in ("write_function", "write_address", "writes"):
        reads_only = signal.access is Access.READ or (
            signal.access is None and signal.area in {Area.DISCRETE, Area.INPUT}
        )
        if getattr(signal, key) and reads_only:
            yield Wrong((*at, key), f"signals.{name} is only read, so {key} means nothing")


def _write_function(name: str, signal: SignalRange) -> Iterator[Wrong]:
    function = signal.write_function
    fitting = COIL_WRITES if signal.area is Area.COIL else REGISTER_WRITES
    at = ("signals", name, "write_function")
    if function and function not in fitting:
        yield Wrong(
            at,
            f"signals.{name}.write_function is {function}, but area {signal.area} is written with"
            f" {fitting[0]} or {fitting[1]}",
        )
    elif function == REGISTER_WRITES[0] and _length(signal) > 1:
        yield Wrong(at, f"signals.{name} has {_length(signal)} registers, which function 6 cannot")


def _words(name: str, signal: SignalRange) -> Iterator[Wrong]:
    at = ("signals", name)
    for key in ("reads", "writes"):
        values: dict[str, int] = getattr(signal, key)
        yield from _map(name, key, values, _limit(signal, key))
        if values and signal.inverted:
            yield Wrong(
                (*at, "inverted"), f"signals.{name} has {key}, so inverted would say it twice"
            )
    if not signal.reads or not signal.writes:
        return
    for word, value in signal.writes.items():
        same = next((read for read, raw in signal.reads.items() if raw == value), word)
        if same != word:
            yield Wrong(
                (*at, "writes"),
                f"signals.{name}: {value} means {same} when it is read, but {word} when written",
            )
    for word in (OFF, ON):
        if (word in signal.reads) is not (word in signal.writes):
            yield Wrong(
                at,
                f"signals.{name}: {word} is in only one of reads and writes, so nobody could tell"
                " whether it was done",
            )


def _limit(signal: SignalRange, key: str) -> int:
    """Return the largest value; a coil is written with a whole word, which some makers use."""
    if signal.area.of_bits:
        return 1 if key == "reads" else LAST_ADDRESS
    return 1 if signal.bit is not None else (1 << (signal.width or 16)) - 1


def _map(name: str, key: str, values: dict[str, int], limit: int) -> Iterator[Wrong]:
    seen: dict[int, str] = {}
    for word, value in values.items():
        at = ("signals", name, key, word)
        if value > limit:
            yield Wrong(at, f"signals.{name}.{key}.{word} is {value}; the largest is {limit}")
        if value in seen:
            yield Wrong(at, f"signals.{name}.{key}: {value} is both {seen[value]} and {word}")
        seen[value] = word


def _twice(profile: Profile, points: list[Point], *, read: bool) -> Iterator[Wrong]:
    """Complain once for each pair of signals that lie on the same address."""
    owners = _owners(profile)
    taken: dict[tuple[Area, int, int], str] = {}
    told: set[tuple[str, str]] = set()
    for point in points:
        for cell in _cells(point, read=read):
            other = taken.setdefault(cell, point.name)
            pair = (owners[other], owners[point.name])
            if other != point.name and pair not in told:
                told.add(pair)
                yield _clash(profile, point, other, cell[1], owners)


def _owners(profile: Profile) -> dict[str, str]:
    names = iter(every_point(profile))
    return {
        next(names).name: name
        for name, signal in profile.signals.items()
        for _ in _channels(name, signal)
    }


def _channels(name: str, signal: SignalRange) -> range:
    return signal.n if signal.n is not None and "{n}" in name else range(1)


def _cells(point: Point, *, read: bool) -> Iterator[tuple[Area, int, int]]:
    start = point.address if read else point.write_address
    bits = range(16) if point.bit is None and not point.area.of_bits else (point.bit or 0,)
    for address in range(start, start + point.registers):
        for bit in bits:
            yield point.area, address, bit


def _clash(
    profile: Profile, point: Point, other: str, address: int, owners: dict[str, str]
) -> Wrong:
    kind = {Area.COIL: "coil", Area.DISCRETE: "discrete input"}.get(
        point.area, f"{point.area} register"
    )
    number = address + profile.numbering.first_address
    at = ("signals", owners[point.name], "address")
    return Wrong(at, f"{kind} {number} is mapped twice, as {other} and as {point.name}")
