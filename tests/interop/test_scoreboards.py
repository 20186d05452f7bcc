"""Both example scoreboards before a made-up node: what they show, believe and ask for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from mqtt.access import Role
from mqtt.payloads import EventEnvelope
from tests.interop.broker import two_doors
from tests.interop.examples import Board, Place, Shown, showing, terminal, window
from tests.interop.made_up_node import (
    EPOCH,
    ROOT,
    SNAPSHOT,
    MadeUpNode,
    event,
    made_up_node,
)
from tests.interop.reference import now_ms

pytestmark = pytest.mark.asyncio(loop_scope="module")
LOGIN = "scoreboard"
GONE_MS = 6000
WAITING_FOR_NODE, WAITING_FOR_TABLE = "waiting for its node", "waiting for its cable"


@dataclass(frozen=True)
class Stage:
    """A made-up node, and a board that looks at its table."""

    node: MadeUpNode
    board: Board

    async def shows(self, seconds: range, uptime_ms: int, session: int = 1) -> Shown:
        """Beat until seat 1 shows one of these whole seconds."""

        def wanted(shown: Shown) -> bool:
            return int(shown.clocks.get("1", -1)) in seconds

        async with asyncio.timeout(30):
            while not wanted(shown := await self.board.shown()):
                await self.node.beat(uptime_ms, session)
        return shown

    async def has(self, *numbers: int) -> None:
        """Wait until the board has exactly these events, in this order."""
        async with asyncio.timeout(30):
            while [each["tableseq"] for each in await self.board.events()] != list(numbers):
                await self.board.shown()


@asynccontextmanager
async def staged(kind: str, browser: Browser, folder: Path) -> AsyncIterator[Stage]:
    folder.mkdir(exist_ok=True)
    with two_doors(folder, ROOT, {LOGIN: Role.SCOREBOARD}) as door:
        place = Place(door, ROOT, folder, LOGIN)
        async with made_up_node(door.broker.line("node")) as node:
            opened = terminal(place) if kind == "terminal" else window(browser, place)
            async with opened as board:
                yield Stage(node, board)


@pytest_asyncio.fixture(loop_scope="module", params=["terminal", "window"])
async def stage(
    request: pytest.FixtureRequest, browser: Browser, tmp_path: Path
) -> AsyncIterator[Stage]:
    async with staged(request.param, browser, tmp_path) as made:
        yield made


async def test_a_board_shows_table_players_and_clocks(stage: Stage) -> None:
    await showing(stage.board, lambda shown: WAITING_FOR_NODE in shown.text)
    shown = await stage.shows(range(980, 991), 100_000)

    assert {"Table 1", "hand 5", *SNAPSHOT.players.values()} <= set(_words(shown))
    assert shown.clocks["2"] == (7.3 if stage.board.unit_ms == 100 else 8)
    assert shown.clocks["3"] == 0
    assert "4" not in shown.clocks
    assert "call window" in shown.text


def _words(shown: Shown) -> list[str]:
    """Return the parts of a picture, in whatever layout."""
    return [part.strip(" >") for part in shown.text.replace("  ", "\n").split("\n")] + [
        word for line in shown.text.splitlines() for word in line.split()
    ]


async def test_a_running_clock_counts_by_the_clock_of_the_node(stage: Stage) -> None:
    first = await stage.shows(range(980, 991), 100_000)
    await showing(stage.board, lambda shown: 0 < shown.clocks["1"] < first.clocks["1"])
    await stage.shows(range(580, 591), 500_000)


async def test_a_restarted_node_brings_a_clock_of_its_own(stage: Stage) -> None:
    await stage.shows(range(580, 591), 500_000)
    await stage.shows(range(970, 991), 100_000, session=2)


async def test_what_was_said_in_a_session_that_has_passed_is_stale(stage: Stage) -> None:
    await stage.shows(range(970, 991), 100_000, session=2)
    await stage.node.beat(500_000, session=1)
    await stage.node.is_there("offline", session=1)
    await stage.node.happens(event(1, 0))
    await stage.has(1)

    shown = await stage.board.shown()
    shown = await stage.board.shown()

    assert int(shown.clocks["1"]) in range(960, 991)


async def test_no_clock_runs_where_node_or_table_is_offline(stage: Stage) -> None:
    await stage.shows(range(980, 991), 100_000)
    await stage.node.is_there("offline")
    await showing(stage.board, lambda shown: WAITING_FOR_NODE in shown.text)
    await stage.node.is_there("online")
    await stage.shows(range(980, 991), 100_000)
    await stage.node.reach("offline")
    await showing(stage.board, lambda shown: _waits_for_table(shown) and not shown.clocks)


def _waits_for_table(shown: Shown) -> bool:
    return WAITING_FOR_TABLE in shown.text


async def test_silence_makes_a_node_be_gone_and_a_question_be_asked_again(
    browser: Browser, tmp_path: Path
) -> None:
    async with asyncio.TaskGroup() as waits:
        for kind in ("terminal", "window"):
            waits.create_task(_goes(kind, browser, tmp_path / f"{kind}-goes"))
            waits.create_task(_asks_again(kind, browser, tmp_path / f"{kind}-asks"))


async def _goes(kind: str, browser: Browser, folder: Path) -> None:
    async with staged(kind, browser, folder) as stage:
        await stage.node.is_there("online")
        await stage.shows(range(980, 991), 100_000)
        heard = now_ms()
        await stage.node.beat(100_000)
        gone = await showing(stage.board, lambda shown: WAITING_FOR_NODE in shown.text)
    assert gone.before_ms - heard > GONE_MS


async def _asks_again(kind: str, browser: Browser, folder: Path) -> None:
    async with staged(kind, browser, folder) as stage:
        await stage.shows(range(980, 991), 100_000)
        await stage.node.happens(event(1, 0), event(3, 2))
        first, second = await stage.node.asked(), asyncio.create_task(stage.node.asked())
        while not second.done():
            await stage.node.beat(100_000)
            await stage.board.shown()
        again = second.result()
        await stage.node.answer(first, "done")
        await stage.node.answer(again, "accepted", _row(2))
        await stage.node.answer(again, "done")
        await stage.has(1, 2, 3)
    assert again["id"] != first["id"]
    assert again["arguments"] == first["arguments"]


async def test_a_board_asks_for_a_gap_only_and_has_every_event_once(stage: Stage) -> None:
    await stage.shows(range(980, 991), 100_000)
    await stage.node.happens(event(1, 0), event(2, 1), event(2, 1), event(5, 2))
    await stage.has(1, 2, 5)
    await stage.node.happens(event(9, 8), event(10, 9))
    order = await stage.node.asked()

    assert order["arguments"] == {"epoch": EPOCH, "after": 5, "before": 9}
    assert order["login"] == order["person"] == LOGIN
    await stage.node.answer(order, "accepted", _row(6, 7))
    await stage.node.answer(order, "accepted", _row(8))
    await stage.has(1, 2, 5, 6, 7, 8)
    await stage.node.answer(order, "done")
    await stage.has(1, 2, 5, 6, 7, 8, 9, 10)


def _row(*numbers: int) -> list[EventEnvelope]:
    return [event(number, number - 1) for number in numbers]


async def test_a_board_goes_on_without_what_nobody_has_any_more(stage: Stage) -> None:
    await stage.shows(range(980, 991), 100_000)
    await stage.node.happens(event(1, 0))
    await stage.has(1)
    await stage.node.happens(event(4, 3, epoch=EPOCH + 1), event(5, 4, epoch=EPOCH + 1))
    order = await stage.node.asked()

    assert order["arguments"] == {"epoch": EPOCH + 1, "after": 0, "before": 4}
    await stage.node.answer(order, "rejected", code="unknown-epoch")
    await stage.has(1, 4, 5)
