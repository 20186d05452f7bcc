import tomllib
from pathlib import Path
from typing import Any

import pytest
from pymodbus.framer import FramerRTU

from drivers.modbus.images import Image, Part, level, taken, value
from drivers.modbus.profile_file import read_profile, shipped_profiles
from drivers.modbus.profile_layout import Layout, Point, lay_out
from drivers.modbus.profile_outputs import Flash
from drivers.modbus.requests import Read
from drivers.modbus.windows import Window
from table.moment import MILLISECOND, Moment

VECTORS = sorted((Path(__file__).parents[2] / "vectors" / "modbus").glob("*.toml"))
NOW = Window(Moment(0), Moment(0))
SINGLE_COIL = {0xFF00: 1, 0x0000: 0}


def typed(kind: str, needed: str = "source") -> list[Any]:
    """Return every entry of one kind that has a key, with the profile that it is about."""
    contents = [(file.stem, tomllib.loads(file.read_text("utf-8"))) for file in VECTORS]
    return [
        pytest.param(content["profile"], entry, id=f"{stem}-{place}")
        for stem, content in contents
        for place, entry in enumerate(content.get(kind, ()))
        if needed in entry
    ]


def layout_of(profile: str) -> Layout:
    return lay_out(read_profile(shipped_profiles()[profile]))


def body(frame: str) -> bytes:
    """Return a frame without unit and check, once the check is found right."""
    given = bytes.fromhex(frame)
    check = FramerRTU.compute_CRC(given[:-2])
    assert check.to_bytes(2, "big") == given[-2:]
    return given[1:-2]


def numbers(request: bytes) -> tuple[int, int, int]:
    """Return function, address and the number after it."""
    return request[0], int.from_bytes(request[1:3]), int.from_bytes(request[3:5])


def test_every_shipped_profile_has_its_vectors() -> None:
    assert [file.stem for file in VECTORS] == sorted(shipped_profiles())


@pytest.mark.parametrize(("profile", "entry"), typed("frames"))
def test_a_profile_asks_for_what_the_paper_prints(profile: str, entry: dict[str, Any]) -> None:
    layout = layout_of(profile)
    function, address, number = numbers(body(entry["request"]))

    if "reads" in entry:
        points = [layout.points[name] for name in entry["reads"]]
        assert {point.read_function for point in points} == {function}
        assert [point.address for point in points] == list(range(address, address + number))
    elif "writes" in entry:
        point = layout.points[entry["writes"]]
        assert (point.write_function, point.write_address) == (function, address)
        assert point.writes[entry["word"]] == SINGLE_COIL[number]
    else:
        pulse = layout.pulses[entry["pulses"]]
        assert isinstance(pulse, Flash)
        trigger = layout.points[pulse.trigger]
        assert (trigger.write_function, trigger.write_address) == (function, address)
        assert entry["milliseconds"] * MILLISECOND // pulse.unit == number


@pytest.mark.parametrize(("profile", "entry"), typed("frames", "means"))
def test_a_reply_means_what_the_paper_says(profile: str, entry: dict[str, Any]) -> None:
    layout = layout_of(profile)
    function, address, number = numbers(body(entry["request"]))
    reply = body(entry["reply"])
    bits = [reply[2 + place // 8] >> place % 8 & 1 for place in range(number)]
    part = taken(Read(function, address, number), bits, NOW)

    assert isinstance(part, Part)
    found = [level(part, layout.points[name]) for name in entry["reads"]]
    assert found == [word == "on" for word in entry["means"]]


@pytest.mark.parametrize(("profile", "entry"), typed("printed"))
def test_a_channel_is_where_the_paper_prints_it(profile: str, entry: dict[str, Any]) -> None:
    layout = layout_of(profile)

    for name, printed in entry["numbers"].items():
        point = layout.points[name]
        assert (name, point.area) == (name, entry["area"])
        assert (name, point.address) == (name, printed - entry["first"])


@pytest.mark.parametrize(("profile", "entry"), typed("words"))
def test_words_are_the_values_that_the_paper_prints(profile: str, entry: dict[str, Any]) -> None:
    point = layout_of(profile).points[entry["signal"]]

    assert dict(point.reads) == entry["reads"]
    assert dict(point.writes) == entry["writes"]


@pytest.mark.parametrize(("profile", "entry"), typed("values"))
def test_what_is_written_at_connect_means_what_the_paper_says(
    profile: str, entry: dict[str, Any]
) -> None:
    written = {one.point.name: one.value for one in layout_of(profile).init}

    assert entry["init"].items() <= written.items()


@pytest.mark.parametrize(("profile", "entry"), typed("images"))
def test_registers_are_the_value_that_the_paper_says(profile: str, entry: dict[str, Any]) -> None:
    point = layout_of(profile).points[entry["signal"]]
    read = Read(point.read_function, placed(point, entry), len(entry["registers"]))
    part = taken(read, entry["registers"], NOW)

    assert isinstance(part, Part)
    assert value(Image().with_part(part), point) == entry.get("text", entry.get("value"))


def placed(point: Point, entry: dict[str, Any]) -> int:
    """Return the address on the wire, as the paper prints it where it does."""
    if "number" not in entry:
        return point.address
    return int(entry["number"]) - int(entry["first"])
