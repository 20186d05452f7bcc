"""The example scoreboards of docs/examples, run as people run them, with a wrong wall clock."""

import asyncio
import json
import os
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode

from playwright.async_api import Browser, Dialog, Page

from mqtt.topics import Root
from tests.interop.broker import Door
from tests.interop.reference import now_ms

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
WRONG_CLOCK = Path(__file__).with_name("wrong_clock")
PACKAGES = Path(__file__).with_name("node_modules")
PATIENCE = 30.0
_ROW = re.compile(r"^[> ]([1-4]) .*?(-|[\d.]+)(?: over)?$", re.MULTILINE)
_TYPE = "tablewarden."
_READ = """async () => {
    await new Promise((resume) => setTimeout(resume, 50));
    draw();
    const clocks = [...document.querySelectorAll(".seat .clock")].map((clock) => clock.innerText);
    return { text: document.body.innerText, clocks };
}"""


@dataclass(frozen=True)
class Shown:
    """What a board showed, and between which moments of our clock it was drawn."""

    text: str
    clocks: dict[str, float]
    """Seconds, by seat; only clocks that show something."""
    after_ms: float
    before_ms: float


class Board(Protocol):
    """A scoreboard that is running."""

    @property
    def unit_ms(self) -> int:
        """The least by which what a clock shows can change."""

    async def shown(self) -> Shown:
        """Return the next picture."""

    async def events(self) -> list[dict[str, Any]]:
        """Return the events it has, in its order."""


async def showing(board: Board, wanted: Callable[[Shown], object]) -> Shown:
    """Wait for a picture."""
    async with asyncio.timeout(PATIENCE):
        while not wanted(shown := await board.shown()):
            pass
    return shown


class Terminal:
    """scoreboard.py; its pictures are read as fast as it draws them."""

    unit_ms = 100

    def __init__(self, process: Process, archive: Path) -> None:
        self._process = process
        self._archive = archive
        self._next: asyncio.Future[Shown] = asyncio.get_running_loop().create_future()

    async def follow(self) -> None:
        """Read for ever."""
        assert self._process.stdout
        lines: list[str] = []
        before = now_ms()
        async for line in self._process.stdout:
            lines.append(line.decode().rstrip("\n"))
            if lines[-1].strip() and not lines[-1].startswith(f"  {_TYPE}"):
                continue
            text, now = "\n".join(lines).replace("\x1b[H\x1b[2J", ""), now_ms()
            clocks = {seat: float(left) for seat, left in _ROW.findall(text) if left != "-"}
            following, self._next = self._next, asyncio.get_running_loop().create_future()
            following.set_result(Shown(text, clocks, before, now))
            lines, before = [], now

    async def shown(self) -> Shown:
        return await asyncio.shield(self._next)

    async def events(self) -> list[dict[str, Any]]:
        text = self._archive.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]


@dataclass(frozen=True)
class Place:
    """Which table a scoreboard is to show, and how it gets there."""

    door: Door
    root: Root
    folder: Path
    """For what it needs and keeps."""
    login: str = ""
    """Whose password is the login itself."""
    table: str = "t1"


def wrong_clock() -> dict[str, str]:
    """Return the environment in which Python reads a wall clock that is hours ahead."""
    return {**os.environ, "PYTHONPATH": str(WRONG_CLOCK)}


@asynccontextmanager
async def wrong_page(browser: Browser) -> AsyncIterator[Page]:
    """Open a page whose wall clock is hours ahead."""
    context = await browser.new_context(viewport={"width": 1920, "height": 1080})
    try:
        await context.add_init_script(path=WRONG_CLOCK / "date.js")
        yield await context.new_page()
    finally:
        await context.close()


@asynccontextmanager
async def terminal(place: Place) -> AsyncIterator[Terminal]:
    """Run scoreboard.py as long as the context lasts."""
    archive = place.folder / "events.jsonl"
    options: dict[str, object] = {"root": place.root.path, "port": place.door.port}
    options |= {"archive": archive}
    if place.login:
        secret = place.folder / "password"
        secret.write_text(place.login + "\n", encoding="utf-8")
        options |= {"login": place.login, "password-file": secret}
    words = [str(word) for name, value in options.items() for word in (f"--{name}", value)]
    command = (sys.executable, str(EXAMPLES / "scoreboard.py"), place.table, *words)
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, env=wrong_clock())
    board = Terminal(process, archive)
    following = asyncio.create_task(board.follow())
    try:
        yield board
    finally:
        following.cancel()
        process.kill()
        await process.wait()


@dataclass(frozen=True)
class Window:
    """scoreboard.html in a browser."""

    page: Page
    unit_ms: int = 1000

    async def shown(self) -> Shown:
        after = now_ms()
        read = await self.page.evaluate(_READ)
        clocks = {str(n): float(text) for n, text in enumerate(read["clocks"], start=1) if text}
        return Shown(read["text"], clocks, after, now_ms())

    async def events(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = await self.page.evaluate("events.all")
        return listed


@asynccontextmanager
async def window(browser: Browser, place: Place) -> AsyncIterator[Window]:
    """Open scoreboard.html from disk as long as the context lasts; it must not complain."""
    for name in ("scoreboard.html", "scoreboard.js"):
        (place.folder / name).write_bytes((EXAMPLES / name).read_bytes())
    (place.folder / "node_modules").symlink_to(PACKAGES)
    asked = {"table": place.table, "root": place.root.path, "broker": place.door.address}
    asked |= {"login": place.login} if place.login else {}
    complaints: list[str] = []

    async def log_in(dialog: Dialog) -> None:
        await dialog.accept(place.login)

    async with wrong_page(browser) as page:
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", log_in)
        await page.goto(f"{(place.folder / 'scoreboard.html').as_uri()}?{urlencode(asked)}")
        yield Window(page)
    assert complaints == []
