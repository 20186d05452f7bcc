"""The simulator as a process: real ports, real bytes, an orderly end."""

import asyncio
import json
import os
import signal
import sys
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from drivers.table_link.codes import Change, Input, Question
from drivers.table_link.messages import Ask, Edge, Heartbeat, Hello, Rewind, Sync
from simulator.command_line import read_wishes
from simulator.habits import HABITS
from tests.simulator.host import Host

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def simulator(folder: Path, *words: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "simulator", "--dir", str(folder), *words,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def ready(process: asyncio.subprocess.Process) -> list[str]:
    assert process.stdout
    lines = []
    async with asyncio.timeout(30):
        while "ready" not in lines:
            line = await process.stdout.readline()
            assert line, "the simulator ended before it was ready"
            lines.append(line.decode().strip())
    return lines


async def appears(link: Path) -> None:
    for _ in range(3000):
        if link.is_symlink():
            return
        await asyncio.sleep(0.01)
    pytest.fail(f"{link} does not come")


async def ended(process: asyncio.subprocess.Process, number: signal.Signals) -> int:
    process.send_signal(number)
    async with asyncio.timeout(30):
        return await process.wait()


class LiveHost(Host):
    """The host's end on a real port."""

    def open(self, path: Path) -> None:
        self.end = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.end)
        asyncio.get_running_loop().add_reader(self.end, self.read)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self.end)
        os.close(self.end)

    def read(self) -> None:
        had = self.has
        self.hear(os.read(self.end, 4096))
        if self.has != had:
            os.write(self.end, self.acknowledge())

    def send(self, message: Ask | Sync | Rewind | Heartbeat) -> None:
        os.write(self.end, self.say(message))

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(60):
            while not holds():
                self.send(Heartbeat(1))
                await asyncio.sleep(0.01)

    async def connect(self) -> None:
        self.send(Ask(Question.HELLO))
        await self.until(lambda: self.all(Hello))
        self.send(Rewind(self.last(Hello).oldest))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_names_its_tables_and_takes_them_away_at_the_end(
    tmp_path: Path, number: signal.Signals
) -> None:
    async with simulator(tmp_path, "--table", "t1", "--table", "t2") as process:
        assert await ready(process) == [
            f"table t1 {tmp_path}/t1",
            f"table t2 {tmp_path}/t2",
            "ready",
        ]
        assert (tmp_path / "t1").is_char_device()
        assert await ended(process, number) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t1.log.jsonl", "t2.log.jsonl"]


async def test_a_script_is_played_over_the_wire_with_exact_device_times(tmp_path: Path) -> None:
    script = tmp_path / "limits.hand"
    script.write_text("1 seat 2 draw\n10.99 seat 2 discard\n13.98 seat 4 claim pung\n")
    words = ("--table", "t1", "--table", "t2", "--speed", "20")
    async with simulator(tmp_path, *words, "--script", str(script), "--scripted", "t2") as process:
        await ready(process)
        host = LiveHost()
        host.open(tmp_path / "t2")
        await host.connect()
        await host.until(lambda: len(host.events) == 5)
        host.close()
        assert await ended(process, signal.SIGTERM) == 0
    draw, discard, claim = (edge.first_ms for edge in host.all(Edge) if edge.change == Change.DOWN)
    assert (discard - draw, claim - discard) == (9_990, 2_990)
    log = [json.loads(line) for line in (tmp_path / "t2.log.jsonl").read_text().splitlines()]
    assert [line["script"] for line in log if "script" in line] == ["started", "ended"]
    edges = [(line["edge"], line["seat"], line["input"]) for line in log if "edge" in line]
    assert edges[0] == ("down", 2, "discard")


async def test_a_cut_wire_comes_back_under_the_same_name(tmp_path: Path) -> None:
    script = tmp_path / "cut.hand"
    script.write_text("1 table cut 10\n2 seat 1 discard\n")
    words = ("--table", "t1", "--speed", "10", "--script", str(script))
    async with simulator(tmp_path, *words) as process:
        await ready(process)
        host = LiveHost()
        host.open(tmp_path / "t1")
        await host.connect()
        with pytest.raises(OSError, match="Input/output error"):
            await host.until(lambda: False)
        host.close()
        again = LiveHost()
        await appears(tmp_path / "t1")
        again.open(tmp_path / "t1")
        await again.connect()
        await again.until(lambda: len(again.events) == 2)
        again.close()
    assert again.all(Edge)[0].input == Input.DISCARD


async def test_players_play_when_no_script_is_given(tmp_path: Path) -> None:
    words = ("--table", "t1", "--speed", "50", "--draws", "--faults", "--seed", "4")
    async with simulator(tmp_path, *words, "--habits", "quick,late") as process:
        await ready(process)
        host = LiveHost()
        host.open(tmp_path / "t1")
        await host.connect()
        await host.until(lambda: len(host.events) > 60)
        host.close()
        assert await ended(process, signal.SIGTERM) == 0
    inputs = {edge.input for edge in host.all(Edge)}
    assert {Input.DEAL_END, Input.DISCARD, Input.DRAW} <= inputs


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--table", "T1"), 2, "'T1' is no table; allowed: a-z, 0-9 and hyphens"),
        (("--table", "t1", "--habits", "quik"), 2, "'quik' is no habit; allowed: quick, hesitant"),
        (("--table", "t1", "--speed", "0"), 2, "'0' is no speed"),
        (("--table", "t1", "--tap", "1000"), 2, "'1000' is no length of a tap"),
        (("--table", "t1", "--scripted", "t2"), 78, "--scripted t2 is not one of the tables: t1"),
        (("--table", "t1", "--script", "no.hand"), 78, "the script no.hand cannot be read"),
        (("--table", "t1", "--script", "pyproject.toml"), 78, "line 1: '[build-system]' is not"),
    ],
)
async def test_a_mistake_ends_it_with_one_clear_sentence(
    tmp_path: Path, words: tuple[str, ...], code: int, sentence: str
) -> None:
    async with simulator(tmp_path, *words) as process:
        async with asyncio.timeout(30):
            _, said = await process.communicate()
        assert process.returncode == code
    assert sentence in said.decode()
    assert "Traceback" not in said.decode()


async def test_a_file_in_the_way_of_a_port_is_named(tmp_path: Path) -> None:
    (tmp_path / "t2").write_text("mine")
    async with simulator(tmp_path, "--table", "t1", "--table", "t2") as process:
        async with asyncio.timeout(30):
            _, said = await process.communicate()
        assert process.returncode == 78
    assert "t2 is in the way" in said.decode()
    assert not (tmp_path / "t1").is_symlink()


def test_every_habit_can_be_named_and_all_are_the_default(tmp_path: Path) -> None:
    words = ["--dir", str(tmp_path), "--table", "t1"]
    assert read_wishes(words).habits == tuple(HABITS.values())
    named = read_wishes([*words, "--habits", ",".join(HABITS)])
    assert named.habits == tuple(HABITS.values())
