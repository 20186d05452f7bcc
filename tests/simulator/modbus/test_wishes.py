"""The simulator as a process whose tables are fitted with modules."""

import asyncio
import json
import re
import signal
import subprocess
import tomllib
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from pymodbus.client import AsyncModbusTcpClient

from controller.processes import ours
from simulator.command_line import read_wishes
from simulator.machine import Machine
from simulator.modbus_kits import DRAWS, KITS, Wire
from simulator.modbus_mishaps import Harmed, Reboot
from simulator.modbus_trouble import Harm
from table.errors import SettingsError
from tests.simulator.modbus.fitted import START, Written
from tests.simulator.test_command_line import ended, ready, simulator

_PORTS = {Wire.RTU: "/dev/ttyUSB", Wire.TCP: "tcp://127.0.0.1:50"}
SETTINGS = """[node]
id = "node-1"
venue = "hall"
state_directory = "{folder}"

[event]
ruleset = "mcr-2014"

"""


async def test_it_names_the_ports_and_plays_when_the_buttons_are_read(tmp_path: Path) -> None:
    script = tmp_path / "one.hand"
    script.write_text("0.1 seat 2 discard\n")
    words = ("--table", "t1", "--kit", "ethernet", "--script", str(script))
    async with simulator(tmp_path, *words) as process:
        seats, keys, *_, last = await ready(process)
        found = re.fullmatch(r"table t1 seats tcp://127\.0\.0\.1:([0-9]+)", seats)
        assert found
        assert re.fullmatch(r"table t1 keys tcp://127\.0\.0\.1:[0-9]+", keys)
        assert last == "ready"
        client = AsyncModbusTcpClient("127.0.0.1", port=int(found[1]), timeout=5, retries=0)
        await client.connect()
        async with asyncio.timeout(20):
            while (await client.read_holding_registers(4, count=2)).registers != [1, 0]:
                pass
        client.close()
        assert await ended(process, signal.SIGTERM) == 0
    log = [json.loads(line) for line in (tmp_path / "t1.log.jsonl").read_text().splitlines()]
    assert ("down", 2, "discard") in [
        (line["edge"], line["seat"], line["input"]) for line in log if "edge" in line
    ]


async def test_serial_kits_stand_at_a_link_as_tables_with_a_box_do(tmp_path: Path) -> None:
    words = ("--table", "t1", "--table", "t2", "--kit", "counted", "--mishaps", "1")
    async with simulator(tmp_path, *words) as process:
        told = await ready(process)
        assert told[:2] == [f"table t1 {tmp_path}/t1", f"table t2 {tmp_path}/t2"]
        assert await ended(process, signal.SIGINT) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t1.log.jsonl", "t2.log.jsonl"]


async def test_it_tells_what_a_daemon_is_to_be_told(tmp_path: Path) -> None:
    words = ("--table", "t1", "--table", "t2", "--kit", "odd", "--one-bus")
    async with simulator(tmp_path, *words) as process:
        first, second, *text, last = await ready(process)
        assert await ended(process, signal.SIGTERM) == 0
    assert (first, second) == (f"table t1 {tmp_path}/bus", f"table t2 {tmp_path}/bus")
    assert last == "ready"
    told = tomllib.loads("\n".join(text))
    assert told["buses"] == {"bus": {"port": f"{tmp_path}/bus", "baudrate": 9600}}
    assert [table["wire"] for table in told["tables"].values()] == ["modbus", "modbus"]
    board = {"profile": "eletechsup-n4d8b08", "bus": "bus"}
    assert told["tables"]["t1"]["modules"] == {"board": board | {"unit": 1}}
    assert told["tables"]["t2"]["modules"] == {"board": board | {"unit": 11}}
    for table in told["tables"].values():
        assert table["signals"]["claim-4"] == "board.in8"
        assert table["signals"]["shuffle"] == "board.button1"
        assert table["signals"]["buzzer-1"] == "board.out4"


def test_what_it_tells_of_every_kit_is_good(tmp_path: Path) -> None:
    text = SETTINGS.format(folder=tmp_path)
    for place, kit in enumerate(KITS):
        words = ["--dir", str(tmp_path), "--table", kit, "--kit", kit]
        modules = read_wishes(words).modules
        assert modules
        ends = modules.build(Machine(Random(1)), Written(), Random(1), START).ends
        ports = {end: f"{_PORTS[modules.wire]}{place}{at}" for at, end in enumerate(ends)}
        text += modules.settings((kit,), kit, ports)
    (tmp_path / "hall.toml").write_text(text)
    checked = subprocess.run(
        ours("controller", "check", "--config", str(tmp_path / "hall.toml")),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (checked.stderr, checked.returncode) == ("", 0)
    assert "hall.toml is good; tables: " in checked.stdout
    for fitted in KITS.values():
        assert f"(modules {', '.join(each.name for each in fitted.fittings)})" in checked.stdout


@pytest.mark.parametrize("wire", Wire)
def test_a_bus_is_told_as_it_is_reached(wire: Wire, tmp_path: Path) -> None:
    words = ["--dir", str(tmp_path), "--table", "t1", "--kit", "basic", "--wire", wire]
    modules = read_wishes(words).modules
    assert modules
    told = tomllib.loads(modules.settings(("t1",), "t1", {"bus": "tcp://127.0.0.1:5020"}))
    settings: dict[Wire, dict[str, str | int]] = {
        Wire.RTU: {"baudrate": 57_600},
        Wire.TCP: {},
        Wire.RTU_OVER_TCP: {"frames": "rtu", "baudrate": 57_600},
    }
    assert told["buses"] == {"t1": {"port": "tcp://127.0.0.1:5020", **settings[wire]}}


@pytest.mark.parametrize("kit", KITS)
def test_every_wire_of_a_kit_has_a_name_in_its_profiles(kit: str, tmp_path: Path) -> None:
    """But for sensors of draws where none is asked for: then a clock would wait for them."""
    modules = read_wishes(["--dir", str(tmp_path), "--table", "t1", "--kit", kit]).modules
    assert modules
    ends = modules.build(Machine(Random(1)), Written(), Random(1), START).ends
    wired = {*KITS[kit].inputs, *KITS[kit].outputs.values()}
    for draws, names in (("t1",), wired), ((), wired - {*DRAWS}):
        text = modules.settings(("t1",), "t1", dict.fromkeys(ends, "tcp://127.0.0.1"), draws)
        signals = tomllib.loads(text)["tables"]["t1"]["signals"]
        assert signals.keys() == names
        assert len(set(signals.values())) == len(signals)


@pytest.mark.parametrize(
    ("script", "words", "tables"),
    [
        ("1 seat 1 draw\n", "", {"t2"}),
        ("1 seat 1 discard\n", "", set()),
        ("1 seat 1 discard\n", "--draws", {"t1", "t2"}),
    ],
)
def test_draws_are_sensed_where_that_is_asked_for_or_a_script_has_some(
    tmp_path: Path, script: str, words: str, tables: set[str]
) -> None:
    (tmp_path / "a.hand").write_text(script)
    plain = f"--dir {tmp_path} --table t1 --table t2 --scripted t2 --script {tmp_path}/a.hand"
    wishes = read_wishes([*plain.split(), "--kit", "ethernet", *words.split()])
    assert wishes.draws_at == tables


def test_a_kit_is_reached_in_its_usual_way_unless_another_is_asked_for(tmp_path: Path) -> None:
    plain = ["--dir", str(tmp_path), "--table", "t1"]
    assert read_wishes(plain).modules is None
    for name, kit in KITS.items():
        modules = read_wishes([*plain, "--kit", name]).modules
        assert modules
        assert (modules.kit, modules.wire, modules.baud) == (kit, kit.wires[0], kit.baud)
    words = [
        "--kit",
        "odd",
        "--wire",
        "rtu-over-tcp",
        "--baud",
        "19200",
        "--harm",
        "late=2,twice=1",
    ]
    modules = read_wishes([*plain, *words]).modules
    assert modules
    assert (modules.wire, modules.baud) == (Wire.RTU_OVER_TCP, 19_200)
    assert modules.trouble.harms == {Harm.LATE: 2, Harm.TWICE: 1}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--wire tcp", "--wire means nothing without --kit"),
        ("--harm refused=1", "--harm refused cannot befall a table link"),
        ("--befall none.txt", "the mishaps none.txt cannot be read"),
        ("--kit ethernet --wire rtu", "--wire rtu is not possible with --kit ethernet"),
        ("--kit ethernet --baud 9600", "--baud means nothing where a kit is reached over TCP"),
        ("--kit odd --speed 2", "--speed is not possible with --kit"),
        ("--one-bus", "--one-bus means nothing without --kit"),
        ("--kit moxa --one-bus", "--one-bus is not possible with --kit moxa"),
        ("--kit odd --draws", "--draws is not possible with --kit odd"),
    ],
)
def test_words_that_mean_nothing_together_are_named(
    tmp_path: Path, words: str, sentence: str
) -> None:
    with pytest.raises(SettingsError, match=sentence):
        read_wishes(["--dir", str(tmp_path), "--table", "t1", *words.split()])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--kit best", "invalid choice: 'best'"),
        ("--kit odd --harm slow=1", "'slow=1' is no harm; allowed: request-lost, reply-lost"),
        ("--kit odd --harm late=101", "'late=101' is no harm"),
        ("--kit odd --harm late=60,twice=60", "more than 100 percent"),
        ("--kit odd --jitter 0", "'0' is no time; allowed: 1 to 99999"),
        ("--kit odd --baud 300", "invalid choice: 300"),
        ("--kit odd --wire wifi", "invalid choice: 'wifi'"),
    ],
)
def test_a_mistake_in_a_word_ends_with_one_clear_sentence(
    tmp_path: Path, words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        read_wishes(["--dir", str(tmp_path), "--table", "t1", *words.split()])
    assert end.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(("kit", "module"), [("", "box"), ("--kit odd", "board")])
def test_a_file_says_what_befalls_which_table(tmp_path: Path, kit: str, module: str) -> None:
    (tmp_path / "a.trouble").write_text(f"1 t2 reboot {module}\n2 t2 harm late 1\n")
    words = f"--dir {tmp_path} --table t1 --table t2 --befall {tmp_path}/a.trouble {kit}"
    befalls = read_wishes(words.split()).trouble.befalls
    assert befalls == {
        "t2": (
            (timedelta(seconds=1), Reboot(module)),
            (timedelta(seconds=2), Harmed(Harm.LATE, 1)),
        )
    }
