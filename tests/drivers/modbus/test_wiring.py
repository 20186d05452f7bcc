"""What is said of tables of modules whose wiring cannot be, and that the shipped kits' can."""

from pathlib import Path

import pytest

from drivers.modbus.line_settings import other_line_settings
from drivers.modbus.wiring_checks import miswired
from tests.config.files import loaded

GOOD = """
[node]
id = "hall-a"
venue = "riverside"

[event]
ruleset = "mcr-2014"

[buses.north]
port = "/dev/ttyS7"
baudrate = 9600

[tables.t7]
wire = "modbus"

[tables.t7.modules]
seats = { profile = "waveshare-io-8ch", unit = 1 }
keys = { profile = "waveshare-relay-8", unit = 2 }

[tables.t7.signals]
discard-1 = "seats.in1"
discard-2 = "seats.in2"
discard-3 = "seats.in3"
discard-4 = "seats.in4"
shuffle = "keys.relay1"
lamp-1 = "seats.out1"
lamp-2 = "seats.out2"
lamp-3 = "seats.out3"
lamp-4 = "seats.out4"
buzzer-1 = "seats.out5"
buzzer-2 = "seats.out5"
buzzer-3 = "seats.out5"
buzzer-4 = "seats.out5"
"""
KEYS = 'keys = { profile = "waveshare-relay-8", unit = 2 }'
SOUTH = "[buses.south]\n" + 'port = "tcp://10.0.0.4"\n'


def said(folder: Path, was: str = "", becomes: str = "", more: str = "") -> list[str]:
    """Return what is said of the good table with one thing changed and something added."""
    assert was in GOOD
    return miswired(loaded(folder, GOOD.replace(was, becomes, 1) + more))


def test_a_table_whose_seats_share_a_buzzer_is_good(tmp_path: Path) -> None:
    assert said(tmp_path) == []


def test_a_key_that_closes_the_table_may_be_another_key_too(tmp_path: Path) -> None:
    paused = (
        'pause = "keys.relay4"\nresume = "keys.relay1"\n'
        'cycle-paused = "seats.in7"\nwall-ready = "seats.in8"\n'
    )
    assert said(tmp_path, more=paused) == []


@pytest.mark.parametrize(
    ("was", "becomes", "sentence"),
    [
        (
            "waveshare-io-8ch",
            "waveshare-io-8h",
            (
                "modules.seats.profile: waveshare-io-8h: is neither a file nor a shipped"
                " profile; did you mean waveshare-io-8ch"
            ),
        ),
        (
            "unit = 1 }",
            'unit = 1, bus = "nort" }',
            'modules.seats.bus is "nort", but no bus has this name; did you mean north',
        ),
        (
            "[buses.north]",
            SOUTH + "[buses.north]",
            "modules.seats.bus is missing; there are several: south, north",
        ),
        (
            '[buses.north]\nport = "/dev/ttyS7"\nbaudrate = 9600\n',
            "",
            "modules.seats needs a bus, but there is no section [buses.<id>]",
        ),
        (
            KEYS,
            'keys = { profile = "waveshare-relay-8", unit = 1 }',
            (
                "modules.keys.unit is 1, but tables.t7.modules.seats has this number on bus"
                " north; each module has one of its own and belongs to one table"
            ),
        ),
        (
            "unit = 2",
            'unit = 2, expected_serial = "42"',
            (
                'modules.keys.expected_serial is "42", but waveshare-relay-8 tells no serial'
                " number; leave it out"
            ),
        ),
        (
            KEYS,
            KEYS + '\nmore = { profile = "adam-6050", unit = 3 }',
            (
                'modules.more.bus is "north", a serial line, but adam-6050 has no serial'
                ' port; it needs a bus of its own with port = "tcp://host"'
            ),
        ),
        (
            "shuffle =",
            "shufle =",
            "signals.shufle is not known; did you mean shuffle",
        ),
        (
            "seats.in1",
            "seat.in1",
            ('signals.discard-1 is "seat.in1", but no module is called seat; did you mean seats'),
        ),
        (
            "seats.in1",
            "seats.in9",
            ('signals.discard-1 is "seats.in9", but waveshare-io-8ch has no in9; did you mean in8'),
        ),
        (
            "keys.relay1",
            "seats.out2",
            (
                'signals.shuffle is "seats.out2", but it must be an output that may start a'
                " motor and has a limit of pulses of waveshare-io-8ch; it has none"
            ),
        ),
        (
            'lamp-1 = "seats.out1"',
            'lamp-1 = "keys.relay2"',
            (
                'signals.lamp-1 is "keys.relay2", but it must be an output that starts no'
                " motor and can be left on of waveshare-relay-8; it has none"
            ),
        ),
        (
            'lamp-1 = "seats.out1"',
            'lamp-1 = "keys.flash2"',
            (
                'signals.lamp-1 is "keys.flash2", but it must be an output that starts no'
                " motor and can be left on of waveshare-relay-8; it has none"
            ),
        ),
        (
            'lamp-1 = "seats.out1"',
            'wall-ready = "seats.out1"',
            (
                'signals.wall-ready is "seats.out1", but it must be an input whose level can'
                " be read of waveshare-io-8ch; known are in1, in2, in3, in4, in5, in6, in7, in8"
            ),
        ),
        (
            'lamp-1 = "seats.out1"',
            'lamp-1 = "seats.out5"',
            (
                'signals.buzzer-1 is "seats.out5", but lamp-1 is wired there; only buzzers of'
                " several seats may be one, and resume may be another key"
            ),
        ),
        (
            'discard-4 = "seats.in4"\n',
            "",
            "signals has no discard-4; all four seats have discard, or none",
        ),
        (
            'shuffle = "keys.relay1"',
            'shuffle = "keys.relay1"\nclaim-2 = "seats.in5"',
            ("signals has no claim-1, claim-3, claim-4; all four seats have claim, or none"),
        ),
        (
            'shuffle = "keys.relay1"',
            'shuffle = "keys.relay1"\ndraw-1 = "seats.in5"\ndraw-3 = "seats.in6"',
            ("signals has no draw-2, draw-4; all four seats have draw, or none"),
        ),
        (
            'lamp-2 = "seats.out2"\n',
            "",
            ("signals has no lamp-2; all four seats have lamp, or none"),
        ),
        (
            "shuffle =",
            "pause =",
            (
                "signals has no resume, cycle-paused, wall-ready; a cycle can be paused only"
                " with pause, resume, cycle-paused, wall-ready together"
            ),
        ),
    ],
)
def test_what_cannot_be_is_told_with_its_place_and_what_is_allowed(
    tmp_path: Path, was: str, becomes: str, sentence: str
) -> None:
    assert f"tables.t7.{sentence}" in said(tmp_path, was, becomes)


def test_a_bus_that_is_set_otherwise_than_its_modules_come_is_told_once_a_kind(
    tmp_path: Path,
) -> None:
    assert other_line_settings(loaded(tmp_path, GOOD)) == []
    quick = GOOD.replace("baudrate = 9600", "baudrate = 57600\nstop_bits = 2")
    more = KEYS + '\nmore = { profile = "waveshare-relay-8", unit = 3 }'
    assert other_line_settings(loaded(tmp_path, quick.replace(KEYS, more))) == [
        f"bus north is set to 57600 baud, no parity, 2 stop bits, but {kind} (module {name} of"
        " table t7) comes with 9600 baud, no parity, 1 stop bit: a module that was not set anew"
        " will not answer."
        for kind, name in (("waveshare-io-8ch", "seats"), ("waveshare-relay-8", "keys"))
    ]
    network = GOOD.replace('"/dev/ttyS7"\nbaudrate = 9600', '"tcp://10.0.0.4"')
    assert other_line_settings(loaded(tmp_path, network)) == []


def test_a_table_at_which_nobody_can_discard_is_none(tmp_path: Path) -> None:
    silent = "\n".join(line for line in GOOD.splitlines() if not line.startswith("discard"))
    assert miswired(loaded(tmp_path, silent)) == [
        "tables.t7.signals has nothing to discard with; discard-1 to discard-4 are needed"
    ]


def test_everything_wrong_with_a_profile_is_told_and_nothing_of_what_is_wired_to_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "own.toml").write_text('[profile]\nid = "own"\n', "utf-8")
    wrong = said(tmp_path, '"waveshare-relay-8"', '"own.toml"')
    at = f"tables.t7.modules.keys.profile: {tmp_path}/own.toml:1: "
    assert f"{at}profile.vendor is missing" in wrong
    assert all(one.startswith(at) for one in wrong)


def test_two_tables_do_not_share_a_module(tmp_path: Path) -> None:
    table = GOOD[GOOD.index("[tables.t7]") :].replace("t7", "t8")
    assert said(tmp_path, more=table) == [
        f"tables.t8.modules.{name}.unit is {unit}, but tables.t7.modules.{name} has this number on"
        " bus north; each module has one of its own and belongs to one table"
        for name, unit in (("seats", 1), ("keys", 2))
    ]
