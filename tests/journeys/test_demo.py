"""The demonstration is started as people start it, and ended by Ctrl-C."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest

from controller.processes import Program, ours, program
from tests.harness.broker import free_port
from tests.journeys.scoreboard import PATIENCE, POLL_SECONDS

pytestmark = pytest.mark.journey
HERE = Path(__file__)
EXAMPLE = HERE.parents[2] / "docs" / "examples" / "late-pung.hand"


async def test_the_demonstration_shows_a_board_and_ctrl_c_ends_everything() -> None:
    async with asyncio.TaskGroup() as both:
        both.create_task(_shown("mcr-2014", "mosquitto"))
        both.create_task(_shown("wsom-2010", "iotcore", "--rules", "wsom-2010"))


async def _shown(rules: str, broker: str, *more: str) -> None:
    """Start it, look at the board, press Ctrl-C, and find nothing left."""
    port = free_port()
    async with _demo("--tables", "3", "--port", str(port), "--broker", broker, *more) as demo:
        assert rules in await demo.line_with("plays by", PATIENCE)
        address = f"http://127.0.0.1:{port}/"
        assert address in await demo.line_with("in a browser", PATIENCE)
        await _shows(address, "Table 1", "Table 2", "Table 3")
        children = psutil.Process(demo.process.pid).children(recursive=True)
        names = [" ".join(child.cmdline()) for child in children]
        for part in (broker, "simulator", "controller run", "board"):
            assert any(part in name for name in names), part
        demo.process.send_signal(signal.SIGINT)
        said = await _all_lines(demo)
        assert await demo.process.wait() == 0
        assert said[-1] == "all programs have ended"
    _, left = psutil.wait_procs(children, timeout=0)
    assert left == []


async def _shows(address: str, *words: str) -> None:
    """Wait until a page of the board has all the words."""
    async with asyncio.timeout(PATIENCE):
        while True:
            page = await asyncio.to_thread(_read, address)
            if all(word in page for word in words):
                return
            await asyncio.sleep(POLL_SECONDS)


def _read(address: str) -> str:
    with urlopen(address, timeout=PATIENCE) as page:  # noqa: S310 - our own address
        text: bytes = page.read()
    return text.decode()


@asynccontextmanager
async def _demo(*arguments: str) -> AsyncIterator[Program]:
    async with program("demo", ours("controller", "demo", *arguments)) as running:
        yield running


async def _all_lines(running: Program) -> list[str]:
    async with asyncio.timeout(PATIENCE):
        return [line async for line in running.lines()]


async def test_a_written_hand_is_told_as_a_subscriber_saw_it() -> None:
    said = await _told(HERE.with_name("late_pung.hand"))
    assert len([line for line in said if "late-pung by seat 3, 3.099 to 3.101 s" in line]) == 1
    assert any("confirmed by Referee A, warning" in line for line in said)
    assert any("ledger" in line and "t1-3" in line for line in said)


async def test_a_foul_waits_on_the_board_for_an_objection_by_the_rules_asked_for() -> None:
    port, script = str(free_port()), str(HERE.with_name("early_draw.hand"))
    async with _demo("--rules", "wsom-2010", "--script", script, "--port", port) as demo:
        said = await demo.line_with("t1-1-f1 recorded")
        assert "nobody objected yet" in said
        await _shows(f"http://127.0.0.1:{port}/referee", 'data-key="unclaimed:t1-1-f1"')
        demo.process.send_signal(signal.SIGINT)
        await _all_lines(demo)
        assert await demo.process.wait() == 0


@pytest.mark.long
async def test_the_shipped_hand_shows_two_late_pungs_and_five_points() -> None:
    said = await _told(EXAMPLE)
    late = [line for line in said if "late-pung by seat" in line]
    assert [line.split(": ")[1].split(",")[0] for line in late] == [
        "late-pung by seat 3",
        "late-pung by seat 4",
        "late-pung by seat 3",
    ]
    assert said[-1].split() == ["ledger", "t1-3", "-5"]


async def _told(script: Path) -> list[str]:
    async with _demo("--script", str(script), "--port", str(free_port())) as demo:
        said = await _all_lines(demo)
        assert await demo.process.wait() == 0
    return said
