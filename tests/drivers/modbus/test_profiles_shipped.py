import re
from datetime import timedelta
from pathlib import Path

import pytest

from drivers.modbus.profile import Profile
from drivers.modbus.profile_file import profile_of, read_profile, shipped_profiles
from drivers.modbus.profile_layout import Layout, lay_out
from drivers.modbus.profile_names import sourced
from drivers.modbus.profile_outputs import DeviceTimed
from drivers.modbus.profile_words import Sensing

EXPECTED = [
    "adam-6050",
    "adam-6060",
    "eletechsup-n4d8b08",
    "iologik-e1210",
    "iologik-e1214",
    "waveshare-io-8ch",
    "waveshare-relay-8",
    "waveshare-relay-d-8",
    "wb-mcm8",
    "wb-mr6c",
    "wp8026",
    "wp8027",
]
TIMED_BY_THE_HOST = {"eletechsup-n4d8b08", "iologik-e1214", "wp8027"}
"""Nothing shorter than a second, or nothing at all, can be timed in these."""


def shipped(name: str) -> tuple[Profile, Layout]:
    profile = read_profile(shipped_profiles()[name])
    return profile, lay_out(profile)


def test_the_profiles_that_are_promised_are_there() -> None:
    assert list(shipped_profiles()) == EXPECTED


@pytest.mark.parametrize("name", EXPECTED)
def test_a_shipped_profile_bears_the_name_of_its_file_and_tells_its_doubts(name: str) -> None:
    profile, _ = shipped(name)

    assert profile.header.id == name
    assert len(profile.header.doubts) >= 3
    assert len(profile.header.wiring.splitlines()) >= 3
    assert all(section.source for _, section in sourced(profile))


@pytest.mark.parametrize("name", EXPECTED)
def test_a_motor_is_pulsed_as_short_as_a_finger_and_by_the_module_where_it_can(name: str) -> None:
    _, layout = shipped(name)
    motors = [point.name for point in layout.points.values() if point.motor]

    for motor in motors:
        pulse = layout.pulses[motor]
        assert timedelta(milliseconds=100) <= pulse.least <= pulse.most
        assert pulse.most <= timedelta(milliseconds=500)
        assert isinstance(pulse, DeviceTimed) is (name not in TIMED_BY_THE_HOST)
        assert layout.pulses_per_minute[motor] <= 60


@pytest.mark.parametrize("name", EXPECTED)
def test_what_a_seat_presses_is_read_in_one_request(name: str) -> None:
    _, layout = shipped(name)
    seats = [edge for edge in layout.edges.values() if edge.snapshot == "inputs"]

    for edge in seats:
        assert edge.watch.read_function == seats[0].watch.read_function
        assert edge.sensing in {Sensing.LEVEL, Sensing.COUNTER}
    assert len(seats) in {0, 6, 8, 12, 16}


def test_the_profile_that_the_paper_on_hardware_begins_with_is_a_good_one() -> None:
    paper = (Path(__file__).parents[3] / "docs" / "hardware.md").read_text("utf-8")
    (sample,) = re.findall(r"```toml\n(\[profile\]\n.*?)```", paper, re.DOTALL)

    layout = lay_out(profile_of(sample, "docs/hardware.md"))

    assert set(layout.pulses) == {f"relay{n}" for n in range(1, 9)}
    profiles = paper.partition("| profile |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", profiles, re.MULTILINE)) == set(EXPECTED)
