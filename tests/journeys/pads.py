"""Four phones around a table without hardware, on the board of a real hall."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from controller.processes import program
from mqtt.broker_line import connect
from mqtt.messages import Message
from mqtt.payloads import TableAvailability, TableSnapshot
from mqtt.payloads_of_rulings import AlertPayload
from mqtt.topics import TopicKind
from table.seat import Seat
from tests.harness.broker import mosquitto
from tests.journeys.hall import Hall, hall_in
from tests.journeys.referee_page import CHROMIUM, PATIENCE_MS, QUIET, address
from tests.journeys.scoreboard import ROOT, Scoreboard, scoreboard

PHONE = {"width": 390, "height": 844}
_TABLE = """
[event.overrides]
turn_seconds = 1.5

[tables.t1]
wire = "pads"
name = "Table 1"
players = ["lin", "ito", "maas", "okafor"]
"""


@dataclass(frozen=True)
class Phone:
    """The pad of one seat."""

    page: Page
    context: BrowserContext

    async def tap(self, what: str) -> None:
        await self.page.tap(f'[data-input="{what}"]')

    async def hold(self, what: str) -> None:
        """Keep a finger on an input until the pad takes it for held."""
        button = self.page.locator(f'[data-input="{what}"]')
        box = await button.bounding_box()
        assert box
        finger = await self.context.new_cdp_session(self.page)
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        touch = {"type": "touchStart", "touchPoints": [point]}
        await finger.send("Input.dispatchTouchEvent", touch)
        await expect(button).to_have_attribute("data-is", "held")
        await finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    async def shows(self, words: str) -> None:
        await expect(self.page.locator("main")).to_contain_text(words)

    async def counts(self, *, ready: bool) -> None:
        """Wait until the pad says that presses count, or that they do not."""
        await expect(self.page.locator("body")).to_have_attribute(
            "data-ready", "yes" if ready else "no"
        )


@dataclass(frozen=True)
class PadTable:
    """The table, its phones, and somebody who reads everything."""

    hall: Hall
    seen: Scoreboard
    phones: dict[Seat, Phone]

    @property
    def snapshot(self) -> TableSnapshot:
        return TableSnapshot.model_validate_json(self.seen.newest[ROOT.state("t1")].payload)

    @property
    def availability(self) -> TableAvailability:
        told = self.seen.newest[ROOT.table_availability("t1")].payload
        return TableAvailability.model_validate_json(told)

    @property
    def alerts(self) -> list[AlertPayload]:
        shown = self.seen.shown(TopicKind.ALERT).values()
        return [AlertPayload.model_validate_json(one.payload) for one in shown]

    async def order(self, verb: str) -> None:
        """Order something as a referee's own tool does."""
        body = {"id": verb, "person": "Referee A"}
        topic = ROOT.table_command("referee", "t1", verb)
        async with connect(self.hall.broker.line("referee")) as line:
            await line.publish(Message(topic, json.dumps(body).encode(), expiry_seconds=5))


@asynccontextmanager
async def pad_table(folder: Path) -> AsyncIterator[PadTable]:
    """Open a hall whose one table is played with pads, and a phone at each of its seats."""
    async with AsyncExitStack() as opened:
        hall = hall_in(folder, opened.enter_context(mosquitto(folder)), tables=0)
        hall.settings.write_text(hall.settings.read_text("utf-8") + _TABLE, "utf-8")
        hall.plays_by("jingji-2012")
        seen = await opened.enter_async_context(scoreboard(hall.broker))
        board = await opened.enter_async_context(program("board", hall.board()))
        await opened.enter_async_context(program("daemon", hall.daemon()))
        await board.line_with("board http")
        browsers = await opened.enter_async_context(async_playwright())
        browser = await browsers.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        opened.push_async_callback(browser.close)
        expect.set_options(timeout=PATIENCE_MS)
        yield PadTable(hall, seen, {seat: await _phone(hall, browser, seat) for seat in Seat})


async def _phone(hall: Hall, browser: Browser, seat: Seat) -> Phone:
    context = await browser.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]},
        has_touch=True,
        is_mobile=True,
    )
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    await page.goto(address(hall, f"pad/t1/{seat.value}"))
    return Phone(page, context)
