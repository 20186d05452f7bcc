import asyncio
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Message
from mqtt.parts import Face, Payload
from mqtt.payloads import Heartbeat, TableMeta, TableSnapshot, Timers
from mqtt.topics import Root
from table.seat import Seat
from tests.harness.broker import Mosquitto
from tests.mqtt.speaking import NOON

Beat = Callable[[], Awaitable[None]]
SCOREBOARD = Path(__file__).parents[2] / "docs/examples/scoreboard.py"
ROOT = Root("mahjong", "demo")
SNAPSHOT = TableSnapshot(
    table="t1",
    name="Table 1",
    seq=1,
    as_of_ms=90_000,
    time=NOON,
    link="up",
    machine_phase="raised",
    machine_seq=3,
    hand_phase="turn",
    hand="t1-5",
    hand_number=5,
    players={seat: f"player-{seat}" for seat in Seat},
    missed_presses=dict.fromkeys(Seat, 0),
)
META = TableMeta(table="t1", name="Table 1", node="n1", time=NOON, ruleset="mcr-2014")


def face(remaining_ms: int, *, running: bool = False, over: bool = False) -> Face:
    return Face(kind="turn", running=running, total_ms=20_000, remaining_ms=remaining_ms, over=over)


TIMERS = Timers(
    table="t1",
    seq=1,
    as_of_ms=90_000,
    time=NOON,
    seats={
        Seat.ONE: face(1_000_000, running=True),
        Seat.TWO: face(7_300),
        Seat.THREE: face(-5, over=True),
        Seat.FOUR: None,
    },
    window=face(2_000, running=True),
)


async def tell(line: BrokerLine, topic: str, payload: Payload) -> None:
    await line.publish(Message(topic, payload.encode(), retain="hb/" not in topic))


def beats(line: BrokerLine, uptime_ms: int, session: int = 1) -> Beat:
    said = Heartbeat(node="n1", session=session, time=NOON, uptime_ms=uptime_ms)
    return lambda: tell(line, ROOT.heartbeat("n1"), said)


async def tell_table(node: BrokerLine) -> None:
    await tell(node, ROOT.table_meta("t1"), META)
    await tell(node, ROOT.state("t1"), SNAPSHOT)
    await tell(node, ROOT.timers("t1"), TIMERS)


@asynccontextmanager
async def scoreboard(broker: Mosquitto) -> AsyncIterator[Process]:
    arguments = ["t1", "--port", str(broker.port)]
    process = await asyncio.create_subprocess_exec(
        sys.executable, SCOREBOARD, *arguments, stdout=PIPE
    )
    try:
        yield process
    finally:
        process.kill()
        await process.wait()


async def shown(board: Process, wanted: Callable[[str], object], beat: Beat) -> str:
    """Beat until a picture is wanted; heartbeats are not retained, so one may come too early."""
    assert board.stdout
    async with asyncio.timeout(30):
        while True:
            await beat()
            picture = (await board.stdout.readuntil(b"\x1b[2J")).decode()
            if wanted(picture):
                return picture


async def nothing() -> None:
    """Send no heartbeat."""


async def test_a_scoreboard_draws_the_four_clocks_and_the_window(broker: Mosquitto) -> None:
    async with connect(broker.line("node")) as node, scoreboard(broker) as board:
        await tell_table(node)
        await shown(board, lambda picture: "t1: waiting for its node" in picture, nothing)
        picture = await shown(board, lambda picture: "hand 5" in picture, beats(node, 100_000))
    rows = [re.split(r" {2,}|(?<=player-\d) ", line.strip()) for line in picture.splitlines()[:6]]
    assert rows[0] == ["Table 1", "hand 5", "turn"]
    assert [row[0] for row in rows[1:5]] == [f"{seat} player-{seat}" for seat in Seat]
    assert [row[1] for row in rows[2:5]] == ["7.3", "0.0 over", "-"]
    assert rows[5][1] == "0.0"


async def test_a_running_clock_is_counted_from_the_clock_of_the_node(broker: Mosquitto) -> None:
    async with connect(broker.line("node")) as node, scoreboard(broker) as board:
        await tell_table(node)
        first = _first_clock(await shown(board, _first_clock, beats(node, 100_000)))
        assert 900 < first <= 990
        await shown(board, lambda picture: 900 < _first_clock(picture) < first, nothing)
        await shown(board, lambda picture: 500 < _first_clock(picture) < 600, beats(node, 500_000))


async def test_a_restarted_node_brings_a_clock_of_its_own(broker: Mosquitto) -> None:
    async with connect(broker.line("node")) as node, scoreboard(broker) as board:
        await tell_table(node)
        await shown(board, lambda picture: 500 < _first_clock(picture) < 600, beats(node, 500_000))
        restarted = beats(node, 100_000, session=2)
        await shown(board, lambda picture: 900 < _first_clock(picture) < 1000, restarted)


def _first_clock(picture: str) -> float:
    found = re.search(r"1 player-1 +([\d.]+)", picture)
    return float(found[1]) if found else 0


def test_a_scoreboard_fits_on_one_page() -> None:
    assert len(SCOREBOARD.read_text(encoding="utf-8").splitlines()) <= 60
