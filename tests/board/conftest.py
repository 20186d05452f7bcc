"""A real broker, a made-up node on it, the board, and a real browser that looks at it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from board.server import line_settings, serve
from config.models import Settings
from tests.board.venue import Venue, venue_on
from tests.harness.broker import HOST, Mosquitto, free_port, mosquitto

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE_MS = 20_000
"""A busy machine is no failure."""
DESK = (1280, 800)
PHONE = (360, 740)


def settings_for(broker: Mosquitto) -> Settings:
    return Settings.model_validate(
        {
            "node": {"id": "n1", "venue": "hall-one", "venue_name": "Hall One"},
            "broker": {"port": broker.port},
            "event": {"ruleset": "mcr-2014"},
            "board": {"people": ["Referee East", "Referee West"]},
        }
    )


class Board:
    """The board, served on one port from one start to the next."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stop = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self.port = free_port()

    def start(self) -> None:
        self._stop = asyncio.Event()
        self._serving = asyncio.create_task(self._serve(), name="board")

    async def stop(self) -> None:
        assert self._serving
        self._stop.set()
        await self._serving

    async def _serve(self) -> None:
        with socket.create_server((HOST, self.port)) as ear:
            await serve(self._settings, line_settings(self._settings), ear, self._stop)


@dataclass
class Stage:
    """The board in front of a made-up venue, and browsers to look at it."""

    broker: Mosquitto
    venue: Venue
    board: Board
    browser: Browser
    complaints: list[str]
    """What browsers complained about; must be empty at the end."""

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.board.port}"

    @asynccontextmanager
    async def visitor(
        self, size: tuple[int, int] = DESK, person: str = "Referee%20East"
    ) -> AsyncIterator[Page]:
        """Open a window of somebody who picked a name already, unless it is empty."""
        context = await self.browser.new_context(viewport={"width": size[0], "height": size[1]})
        try:
            yield await self._page(context, person)
        finally:
            await context.close()

    async def _page(self, context: BrowserContext, person: str) -> Page:
        if person:
            await context.add_cookies([{"name": "person", "value": person, "url": self.address}])
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(f"{said.type}: {said.text}"))
        return page


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        expect.set_options(timeout=PATIENCE_MS)
        yield chromium
        await chromium.close()


@pytest_asyncio.fixture(loop_scope="session")
async def stage(broker: Mosquitto, browser: Browser) -> AsyncIterator[Stage]:
    """The board serving, the node online with table 1 in play, nobody complaining."""
    board = Board(settings_for(broker))
    board.start()
    async with venue_on(broker.line("venue")) as venue:
        stage = Stage(broker, venue, board, browser, [])
        await _shown(stage.address, 'data-live="on"')
        await venue.open_up("t1")
        await _shown(stage.address, "Table 1")
        yield stage
        await board.stop()
    assert stage.complaints == []


async def _shown(address: str, text: str) -> None:
    """Wait until the board has heard of the venue."""
    host, port = address.removeprefix("http://").split(":")
    for _ in range(500):
        if text in await _fetched(host, int(port)):
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"the board does not show {text}")


async def _fetched(host: str, port: int) -> str:
    try:
        reader, writer = await asyncio.open_connection(host, port)
    except ConnectionRefusedError:
        return ""
    writer.write(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
    page = await reader.read()
    writer.close()
    await writer.wait_closed()
    return page.decode()
