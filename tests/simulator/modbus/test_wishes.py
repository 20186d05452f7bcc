"""The simulator as a process whose tables are fitted with modules."""

import asyncio
import json
import re
import signal
from pathlib import Path

import pytest
from pymodbus.client import AsyncModbusTcpClient

from simulator.command_line import read_wishes
from simulator.modbus_kits import KITS, Wire
from simulator.modbus_trouble import Harm
from table.errors import SettingsError
from tests.simulator.test_command_line import ended, ready, simulator


async def test_it_names_the_ports_and_plays_when_the_buttons_are_read(tmp_path: Path) -> None:
    script = tmp_path / "one.hand"
    script.write_text("0.1 seat 2 discard\n")
    words = ("--table", "t1", "--kit", "ethernet", "--script", str(script))
    async with simulator(tmp_path, *words) as process:
        seats, keys, last = await ready(process)
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
        assert await ready(process) == [
            f"table t1 {tmp_path}/t1",
            f"table t2 {tmp_path}/t2",
            "ready",
        ]
        assert await ended(process, signal.SIGINT) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t1.log.jsonl", "t2.log.jsonl"]


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
    assert modules.harms == {Harm.LATE: 2, Harm.TWICE: 1}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--harm late=1", "--harm means nothing without --kit"),
        ("--kit ethernet --wire rtu", "--wire rtu is not possible with --kit ethernet"),
        ("--kit ethernet --baud 9600", "--baud means nothing where a kit is reached over TCP"),
        ("--kit odd --speed 2", "--speed is not possible with --kit"),
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
