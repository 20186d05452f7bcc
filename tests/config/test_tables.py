"""Tables of several wires, the buses some of them are on, and what is said of wrong ones."""

from pathlib import Path

import pytest

from config.load import load
from config.tables import ModbusTable, PadsTable
from table.moment import MILLISECOND
from tests.config.files import GOOD, complaint, loaded

HEAD = GOOD[: GOOD.index("[tables.t1]")]
MODULES = 'modules.seats = { profile = "wb-mcm8" }\nsignals.discard-1 = "seats.in1"\n'


def said(folder: Path, text: str) -> list[str]:
    sentences = complaint(folder, HEAD + text).splitlines()
    return [one.removeprefix("tablewarden.toml: ") for one in sentences]


def test_a_table_of_modules_is_filled_up_with_what_is_documented(tmp_path: Path) -> None:
    table = loaded(tmp_path, HEAD + f'[tables.t1]\nwire = "modbus"\n{MODULES}').tables["t1"]
    assert isinstance(table, ModbusTable)
    assert table.period == 20 * MILLISECOND
    assert (table.modules["seats"].bus, table.modules["seats"].unit) == (None, 1)
    assert table.place == "modules seats"
    assert not table.simulated


def test_a_profile_of_the_venue_is_looked_for_beside_the_file(tmp_path: Path) -> None:
    text = MODULES.replace("wb-mcm8", "own/dio.toml")
    table = loaded(tmp_path, HEAD + f'[tables.t1]\nwire = "modbus"\n{text}').tables["t1"]
    assert isinstance(table, ModbusTable)
    assert table.modules["seats"].profile == str(tmp_path / "own" / "dio.toml")


def test_a_table_says_how_it_speaks(tmp_path: Path) -> None:
    (missing,) = said(tmp_path, "[tables.t1]\n")
    assert missing.startswith('tables.t1.wire is missing; it must be "modbus" or "')
    (wrong,) = said(tmp_path, '[tables.t1]\nwire = "modbuss"\n')
    assert wrong.startswith('tables.t1.wire is "modbuss", but must be "modbus" or "')
    assert wrong.endswith('or "serial-link"; did you mean modbus.')
    (other,) = said(tmp_path, "[tables.t1]\nwire = 7\n")
    assert other.endswith('or "serial-link".')
    section = "must be a section with keys of its own."
    assert said(tmp_path, "[tables]\nt1 = 5\n") == [f"tables.t1 is 5, but {section}"]


def test_a_key_of_another_wire_is_refused_with_those_of_this_one(tmp_path: Path) -> None:
    assert said(tmp_path, '[tables.modbus]\nwire = "modbus"\nport = "x"\nmodule = 1\n') == [
        "tables.modbus.modules is missing.",
        "tables.modbus.signals is missing.",
        (
            "tables.modbus.port is not known; known are cycle, deal_end, modules, name,"
            " period_milliseconds, players, signals, tiles, wire, zone."
        ),
        "tables.modbus.module is not known; did you mean modules.",
    ]


def test_a_variable_reaches_a_key_whatever_the_wire(tmp_path: Path) -> None:
    environ = {
        "TABLEWARDEN__TABLES__T1__MODULES__SEATS__UNIT": "7",
        "TABLEWARDEN__TABLES__T1__PERIOD_MILLISECONDS": "0",
    }
    text = HEAD + f'[tables.t1]\nwire = "modbus"\n{MODULES}'
    assert complaint(tmp_path, text, environ) == (
        "TABLEWARDEN__TABLES__T1__PERIOD_MILLISECONDS: tables.t1.period_milliseconds is 0, but"
        " must be a number of milliseconds, from 1 ms to 1 s, in whole microseconds."
    )


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (
            'port = "tcp://h:0"',
            (
                '.port is "tcp://h:0", but must be the path of a serial port, or tcp://host or'
                " tcp://host:port."
            ),
        ),
        (
            'port = "socket://h:1"',
            (
                '.port is "socket://h:1", but must be the path of a serial port, or tcp://host'
                " or tcp://host:port."
            ),
        ),
        (
            'port = "/dev/ttyS1"',
            (
                ": baudrate is missing; for a serial port it must be given, as the modules are"
                " set to it."
            ),
        ),
        (
            'port = "tcp://h"\nframes = "rtu"',
            (
                ': baudrate is missing; with frames = "rtu" it must be given, as the modules are'
                " set to it."
            ),
        ),
        (
            'port = "/dev/ttyS1"\nframes = "tcp"',
            ': frames is "tcp", but port is /dev/ttyS1; a serial port carries "rtu" only.',
        ),
        (
            'port = "tcp://h"\nbaudrate = 9600',
            ': baudrate is given, but frames are "tcp": there is no serial line to set.',
        ),
    ],
)
def test_a_bus_that_cannot_be_is_told(tmp_path: Path, keys: str, sentence: str) -> None:
    assert said(tmp_path, f"[buses.n]\n{keys}\n") == [f"buses.n{sentence}"]


def test_a_bus_has_its_port_alone(tmp_path: Path) -> None:
    two = '[buses.n]\nport = "tcp://h"\n[buses.m]\nport = "tcp://h:502"\n'
    assert said(tmp_path, two) == ["bus n and bus m both name the port tcp://h:502."]
    text = '[buses.n]\nport = "/dev/ttyS1"\nbaudrate = 9600\n'
    assert complaint(tmp_path, GOOD + text) == (
        "tablewarden.toml: table t1 and bus n both name the port /dev/ttyS1."
    )


def test_the_example_of_a_table_of_pads_is_good() -> None:
    example = Path(__file__).parents[2] / "docs" / "examples" / "pads-table.toml"
    table = load(example, {}).tables["t1"]
    assert isinstance(table, PadsTable)
    assert (table.place, table.ports, table.simulated) == ("pads of the board", (), False)


def test_a_table_of_pads_has_no_port(tmp_path: Path) -> None:
    (wrong,) = said(tmp_path, '[tables.t1]\nwire = "pads"\nport = "/dev/ttyS1"\n')
    assert wrong.startswith("tables.t1.port")
